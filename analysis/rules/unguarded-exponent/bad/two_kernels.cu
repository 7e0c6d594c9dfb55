// verdict: review
// shows: 72, over two kernels
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <torch/extension.h>

__global__ void raise(const float* x, float* y, float* totals, int width) {
  float total = 0.f;
  for (int j = threadIdx.x; j < width; j += blockDim.x) {
    const float weight = expf(x[blockIdx.x * width + j]);  // expect: KA815
    y[blockIdx.x * width + j] = weight;
    total += weight;
  }
  for (int lane = 16; lane > 0; lane >>= 1) total += __shfl_xor_sync(0xffffffffu, total, lane);
  if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

__global__ void scale(float* y, const float* totals, int width) {
  for (int j = threadIdx.x; j < width; j += blockDim.x) y[blockIdx.x * width + j] *= __frcp_rn(totals[blockIdx.x]);
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  auto totals = torch::empty({x.size(0)}, x.options());
  auto stream = at::cuda::getCurrentCUDAStream();
  raise<<<x.size(0), 32, 0, stream>>>(x.data_ptr<float>(), y.data_ptr<float>(), totals.data_ptr<float>(), x.size(1));
  scale<<<x.size(0), 128, 0, stream>>>(y.data_ptr<float>(), totals.data_ptr<float>(), x.size(1));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
