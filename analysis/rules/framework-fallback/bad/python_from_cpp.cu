// verdict: cheat
// shows: 2, 12, hidden by attribute by name
#include <torch/extension.h>

torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
  auto product = pybind11::module_::import("torch").attr("matmul");
  return product(a, b).cast<torch::Tensor>();  // expect: KA101
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
