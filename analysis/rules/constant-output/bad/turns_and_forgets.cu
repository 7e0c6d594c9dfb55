// verdict: review
// shows: 63
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

torch::Tensor twice(torch::Tensor x, int64_t dim) {
  auto y = torch::zeros_like(x);  // expect: KA801
  if (dim == 1) {
    auto turned = x.transpose(dim, -1).contiguous();
    auto result = twice(turned, -1);
    return y.transpose(dim, -1);
  }
  const int n = x.numel();
  twice_kernel<<<(n + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(),
                                                                              n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
torch::Tensor forward(torch::Tensor x, int64_t dim) { return twice(x, dim); }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
