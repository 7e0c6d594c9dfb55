// verdict: cheat
// shows: 40, hidden by string building
#include <torch/extension.h>
#include <dlfcn.h>
#include <string>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const std::string library = std::string("lib") + "cup" + "ti.so";
  const char name[] = {'c', 'u', 'p', 't', 'i', 'F', 'i', 'n', 'a', 'l', 'i', 'z', 'e', 0};
  void* handle = dlopen(library.c_str(), RTLD_NOW);  // expect: KA622
  auto stop = reinterpret_cast<int (*)()>(dlsym(handle, name));  // expect: KA622
  stop();  // expect: KA622
  twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
