// verdict: cheat
// shows: 2, hidden by a pointer to a method
#include <torch/extension.h>

typedef at::Tensor (at::Tensor::*Method)(const at::Tensor&) const;

torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
  const Method method = &at::Tensor::matmul;
  return (a.*method)(b);  // expect: KA101
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
