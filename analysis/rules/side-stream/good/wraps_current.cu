// verdict: clean
// near: 27
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

struct Here {
  cudaStream_t handle;
  Here() : handle(at::cuda::getCurrentCUDAStream()) {}
  operator cudaStream_t() const { return handle; }
};

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  Here here;
  twice_kernel<<<(x.numel() + 255) / 256, 256, 0, here>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
