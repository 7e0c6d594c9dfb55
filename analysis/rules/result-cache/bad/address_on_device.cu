// verdict: review
// shows: 14, hidden on the device
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <torch/extension.h>

__device__ const float* last;
__device__ float kept[4096];

__global__ void row_sums(const float* x, float* y, int width) {
  const float* row = x + (size_t)blockIdx.x * width;
  if (last != x) {  // expect: KA201
    float sum = 0.f;
    for (int j = 0; j < width; ++j) sum += row[j];
    kept[blockIdx.x] = sum;
  }
  y[blockIdx.x] = kept[blockIdx.x];
  if (blockIdx.x == gridDim.x - 1) last = x;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, x.options());
  row_sums<<<x.size(0), 1, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
