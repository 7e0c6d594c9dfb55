// verdict: clean
#include <c10/cuda/CUDAException.h>
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

static void run(const float* x, float* y, int n) { twice_kernel<<<(n + 255) / 256, 256>>>(x, y, n); }
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  run(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
