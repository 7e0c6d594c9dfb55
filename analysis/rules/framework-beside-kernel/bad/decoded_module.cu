// verdict: review
// shows: 12, a function of the framework whose names are kept encoded, called from C++
#include <cstdint>
#include <string>
#include <torch/extension.h>

__global__ void upper_kernel(float* y, int n) {
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  if (row < n && column < n && column > row) y[row * n + column] = 0.0f;
}

static const uint8_t kModule[] = {0x5e, 0x45, 0x58, 0x49, 0x42};
static const uint8_t kFunction[] = {0x47, 0x4b, 0x5e, 0x47, 0x5f, 0x46};

template <size_t N>
static std::string clear(const uint8_t (&letters)[N]) {
  std::string text(N, ' ');
  size_t at = 0;
  for (auto& letter : text) letter = static_cast<char>(letters[at++] ^ 0x2a);
  return text;
}

struct Product {
  py::object module;
  Product() : module(py::module_::import(clear(kModule).c_str())) {}
  torch::Tensor operator()(const torch::Tensor& a, const torch::Tensor& b) const {
    return py::cast<torch::Tensor>(py::getattr(module, clear(kFunction).c_str())(a, b));  // expect: KA103
  }
};

torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
  Product product;
  torch::Tensor y = product(a, b);
  int n = a.size(0);
  upper_kernel<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(y.data_ptr<float>(), n);  // expect: KA801
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
