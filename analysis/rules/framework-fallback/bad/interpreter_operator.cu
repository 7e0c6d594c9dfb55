// verdict: cheat
// shows: 2, hidden by torch::jit
#include <torch/extension.h>
#include <torch/csrc/jit/runtime/operator.h>

torch::Tensor forward(torch::Tensor x) {
  auto operators = torch::jit::getAllOperatorsFor(c10::Symbol::fromQualString("aten::gelu"));
  torch::jit::Stack stack{x, "none"};
  operators.front()->getOperation()(stack);  // expect: KA101
  return stack.back().toTensor();
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
