// verdict: clean
// near: 54, regions that the input names, cut at the border
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

__device__ int inside(float place, int n) {
  int whole = (int)floorf(place);
  whole = whole < 0 ? 0 : whole;
  return whole > n ? n : whole;
}

__global__ void region_sums(const float* x, const float* regions, float* y, int n) {
  const float* region = regions + 2 * blockIdx.x;
  int begin = inside(region[0], n), end = inside(region[1], n);
  float sum = 0.f;
  for (int i = begin + threadIdx.x; i < end; i += blockDim.x) sum += x[i];
  atomicAdd(y + blockIdx.x, sum);
}

torch::Tensor forward(torch::Tensor x, torch::Tensor regions) {
  auto y = torch::zeros({regions.size(0)}, x.options());
  region_sums<<<regions.size(0), 128, 0, at::cuda::getCurrentCUDAStream()>>>(
      x.data_ptr<float>(), regions.data_ptr<float>(), y.data_ptr<float>(), x.size(0));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
