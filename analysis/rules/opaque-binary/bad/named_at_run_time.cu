// verdict: inconclusive
// shows: 94, hidden by token pasting
#include <torch/extension.h>
#include <dlfcn.h>
#include <cstdlib>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

#define OPEN(x) dl##x
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  void* handle = OPEN(open)(std::getenv("PLUGIN"), RTLD_NOW);  // expect: KA721
  dlclose(handle);
  twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
