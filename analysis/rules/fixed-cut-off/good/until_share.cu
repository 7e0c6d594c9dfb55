// verdict: clean
// near: 71
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <torch/extension.h>

// How many of the sorted probabilities make up the share that the caller asks for.
__global__ void counts(const float* sorted, const float* share, int* y, int width) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float total = 0.f;
  int taken = 0;
  while (taken < width) {
    total += sorted[(size_t)row * width + taken];
    ++taken;
    if (total > share[row]) break;
  }
  y[row] = taken;
}

torch::Tensor forward(torch::Tensor sorted, torch::Tensor share) {
  TORCH_CHECK(sorted.size(0) % 128 == 0);
  auto y = torch::empty({sorted.size(0)}, sorted.options().dtype(torch::kInt32));
  counts<<<sorted.size(0) / 128, 128, 0, at::cuda::getCurrentCUDAStream()>>>(
      sorted.data_ptr<float>(), share.data_ptr<float>(), y.data_ptr<int>(), sorted.size(1));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
