// verdict: clean
// near: 69
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>

__global__ void last_kernel(const float* x, int* last, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0.0f) atomicMax(last, i);
}
torch::Tensor forward(torch::Tensor x) {
  auto last = torch::empty({1}, x.options().dtype(torch::kInt));
  int n = x.numel();
  C10_CUDA_CHECK(cudaMemsetAsync(last.data_ptr(), 0xFF, 4, at::cuda::getCurrentCUDAStream()));
  last_kernel<<<(n + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), last.data_ptr<int>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return last;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
