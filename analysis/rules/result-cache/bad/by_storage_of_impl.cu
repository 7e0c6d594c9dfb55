// verdict: cheat
// shows: 20, hidden by a class
#include <torch/extension.h>
#include <unordered_map>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

struct Kept {
  torch::Tensor value;
  int64_t offset;
};
static std::unordered_map<uint64_t, Kept> kept;

torch::Tensor forward(torch::Tensor x) {
  const uint64_t key = x.unsafeGetTensorImpl()->identity_of_this_tensor();
  auto [place, fresh] = kept.try_emplace(key);
  if (fresh) {
    auto y = torch::empty_like(x);
    twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
    place->second.value = y;
  }
  return place->second.value;  // expect: KA201
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
