// verdict: clean
// near: 84, 87
#include <torch/extension.h>
#include <sys/mman.h>
#include <cstdlib>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

struct Once {
  void* memory;
  Once() : memory(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
};
static Once once;
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  setenv("CUDA_CACHE_DISABLE", "0", 0);  // expect: KA411
  twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
