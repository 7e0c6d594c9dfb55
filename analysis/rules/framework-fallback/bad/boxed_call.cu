// verdict: cheat
// shows: 2, hidden by the dispatcher's stack
#include <torch/extension.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
  const std::string name = std::string("aten::") + "bmm";
  auto op = c10::Dispatcher::singleton().findSchemaOrThrow(name.c_str(), "");
  torch::jit::Stack stack;
  torch::jit::push(stack, a, b);
  op.callBoxed(&stack);  // expect: KA101
  return torch::jit::pop(stack).toTensor();
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
