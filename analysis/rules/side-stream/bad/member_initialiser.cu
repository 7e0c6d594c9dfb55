// verdict: cheat
// shows: 27, hidden by a member's initialiser
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

static cudaStream_t make() {
  cudaStream_t fresh;
  cudaStreamCreate(&fresh);
  return fresh;
}
struct Queue {
  cudaStream_t handle = make();
};
struct Named : Queue {
  int number = 1;
};

torch::Tensor forward(torch::Tensor x) {
  static Named queue;
  auto y = torch::empty_like(x);
  twice_kernel<<<(x.numel() + 255) / 256, 256, 0, queue.handle>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());  // expect: KA301
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
