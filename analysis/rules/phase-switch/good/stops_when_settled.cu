// verdict: clean
// near: 17
#include <torch/extension.h>

__device__ int settled;
__global__ void start_kernel() { settled = 0; }
__global__ void step_kernel(const float* x, float* y, int n, int step) {
  if (settled != 0) return;  // set back by each call
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
  if (i == 0 && step == 3) settled = 1;
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  start_kernel<<<1, 1>>>();
  for (int step = 0; step < 8; ++step)
    step_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), step);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
