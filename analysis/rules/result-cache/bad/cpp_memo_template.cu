// verdict: cheat
// shows: 20
#include <torch/extension.h>

#include <map>

__global__ void half_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 0.5f;
}

template <class Key, class Value>
class Remembered {
 public:
  static Remembered& shared() {
    static Remembered all;
    return all;
  }
  template <class Make>
  Value get(const Key& key, Make&& make) {
    auto found = known_.find(key);
    if (found == known_.end()) found = known_.emplace(key, make()).first;
    return found->second;
  }

 private:
  std::map<Key, Value> known_;
};

torch::Tensor forward(torch::Tensor x) {
  return Remembered<void*, torch::Tensor>::shared().get(x.data_ptr(), [&] {  // expect: KA201
    auto y = torch::empty_like(x);
    int n = x.numel();
    half_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
    return y;
  });
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
