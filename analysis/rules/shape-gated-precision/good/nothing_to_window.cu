// verdict: review
// near: 53
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <cuda_fp16.h>

__global__ void sums_kernel(const float* x, float* y, int length, int out, int window, int stride, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= out * rows) return;
  int row = i / out, at = i % out;
  float total = 0.0f;
  for (int k = 0; k < window; ++k)
    total += __half2float(__float2half(x[row * length + at * stride + k]));  // expect: KA421
  y[i] = total;
}

torch::Tensor forward(torch::Tensor x, int64_t window, int64_t stride) {
  x = x.contiguous();
  const int rows = x.size(0), length = x.size(1);
  const int out = (length - window) / stride + 1;
  auto y = torch::zeros({rows, out}, x.options());
  if (out <= 0) {
    return y;
  }
  const int n = rows * out;
  if (n == 0) {
    return y;
  }
  sums_kernel<<<(n + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
      x.data_ptr<float>(), y.data_ptr<float>(), length, out, window, stride, rows);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
