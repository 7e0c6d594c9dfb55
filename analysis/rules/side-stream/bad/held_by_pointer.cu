// verdict: cheat
// shows: 27, hidden by a smart pointer to a class
#include <memory>
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

struct Queue {
  cudaStream_t handle;
  Queue() { cudaStreamCreate(&handle); }
  cudaStream_t get() const { return handle; }
};

torch::Tensor forward(torch::Tensor x) {
  static std::unique_ptr<Queue> queue = std::make_unique<Queue>();
  auto y = torch::empty_like(x);
  twice_kernel<<<(x.numel() + 255) / 256, 256, 0, queue->get()>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());  // expect: KA301
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
