// verdict: clean
// near: 57
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

struct Work { const float* from; float* to; int count; };
static void start(const Work& work) {
  twice_kernel<<<(work.count + 255) / 256, 256>>>(work.from, work.to, work.count);
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  Work work{x.data_ptr<float>(), y.data_ptr<float>(), static_cast<int>(x.numel())};
  start(work);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
