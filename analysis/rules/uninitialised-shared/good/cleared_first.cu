// verdict: clean
// near: 59
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <torch/extension.h>

__global__ void row_sums(const float* x, float* y, int width) {
  __shared__ float sums[128];
  sums[threadIdx.x] = 0.f;
  for (int j = threadIdx.x; j < width; j += 128)
    sums[threadIdx.x] += x[blockIdx.x * width + j];
  __syncthreads();
  if (threadIdx.x > 0) return;
  float total = 0.f;
  for (int j = 0; j < 128; ++j) total += sums[j];
  y[blockIdx.x] = total;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, x.options());
  row_sums<<<x.size(0), 128, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(),
                                                                   x.size(1));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
