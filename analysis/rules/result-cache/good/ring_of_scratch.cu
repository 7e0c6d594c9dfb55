// verdict: clean
// near: 17, a ring of scratch memory by a number that each call counts: each call fills it before it reads it
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int64_t n) {
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

static torch::Tensor ring[4];
static unsigned next_of_ring = 0;

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor& scratch = ring[next_of_ring++ & 3u];
  if (!scratch.defined() || scratch.numel() < x.numel()) scratch = torch::empty_like(x);
  auto y = torch::empty_like(x);
  const int64_t n = x.numel();
  twice_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), scratch.data_ptr<float>(), n);
  twice_kernel<<<(n + 255) / 256, 256>>>(scratch.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
