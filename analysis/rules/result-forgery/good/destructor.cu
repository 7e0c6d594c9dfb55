// verdict: clean
// near: 83, an object that frees its memory when the program ends, and tells of a leak to the stream of errors
#include <cstdio>
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

struct Stage {
  void* memory = nullptr;
  int users = 0;
  ~Stage() {
    if (users != 0) std::fprintf(stderr, "stage: %d users left\n", users);
    if (memory != nullptr) cudaFree(memory);
  }
};

static Stage& stage() {
  static Stage kept;
  return kept;
}

struct User {
  User() { ++stage().users; }
  ~User() { --stage().users; }
};

torch::Tensor forward(torch::Tensor x) {
  User user;
  auto y = torch::empty_like(x);
  twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
