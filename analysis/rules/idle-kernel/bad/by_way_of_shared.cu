// verdict: review
// shows: 67, hidden by a shared array and neutral arithmetic
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <torch/extension.h>

__global__ void pass(const float* x, float* y, int n) {  // expect: KA832
  __shared__ float tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  tile[threadIdx.x] = fmaf(x[i], 1.f, 0.f);
  __syncwarp();
  y[i] = __uint_as_float(__float_as_uint(tile[threadIdx.x]) ^ 0u) * 1.f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  pass<<<(x.numel() + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(),
                                                                             x.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
