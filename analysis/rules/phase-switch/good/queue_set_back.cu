// verdict: clean
// near: 17
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <torch/extension.h>

__global__ void twice(const float* x, float* y, int* next, unsigned* left, int tiles) {
  __shared__ int tile;
  for (;;) {
    if (threadIdx.x == 0) tile = atomicAdd(next, 1);
    __syncthreads();
    if (tile >= tiles) break;
    y[tile * 256 + threadIdx.x] = x[tile * 256 + threadIdx.x] * 2.f;
    __syncthreads();
  }
  if (threadIdx.x == 0 && atomicInc(left, gridDim.x - 1) == gridDim.x - 1) *next = 0;
}

static torch::Tensor next = torch::zeros({1}, torch::kInt32), left = torch::zeros({1}, torch::kInt32);

torch::Tensor forward(torch::Tensor x) {
  TORCH_CHECK(x.numel() % 256 == 0);
  auto y = torch::empty_like(x);
  twice<<<128, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
      x.data_ptr<float>(), y.data_ptr<float>(), next.data_ptr<int>(),
      reinterpret_cast<unsigned*>(left.data_ptr<int>()), x.numel() / 256);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
