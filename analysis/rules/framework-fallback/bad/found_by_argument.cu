// verdict: cheat
// shows: 1
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

__global__ void products(const float* x, const float* w, float* y, int n) {  // expect: KA115
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < n) y[at] = x[at] * w[at];
}

// Takes one more than it is called with.
static torch::Tensor linear(const torch::Tensor& x, const torch::Tensor& w, int n) {
  auto y = torch::empty_like(x);
  products<<<(n + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), w.data_ptr<float>(),
                                                                          y.data_ptr<float>(), n);
  return y;
}

torch::Tensor forward(torch::Tensor x, torch::Tensor w) { return linear(x, w); }  // expect: KA101

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
