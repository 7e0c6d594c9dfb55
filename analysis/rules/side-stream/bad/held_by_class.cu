// verdict: cheat
// shows: 27, hidden by a conversion operator
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

class Queue {
 public:
  Queue() { cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking); }
  ~Queue() { cudaStreamDestroy(handle_); }
  operator cudaStream_t() const { return handle_; }

 private:
  cudaStream_t handle_ = nullptr;
};

torch::Tensor forward(torch::Tensor x) {
  static Queue queue;
  auto y = torch::empty_like(x);
  twice_kernel<<<(x.numel() + 255) / 256, 256, 0, queue>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());  // expect: KA301
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
