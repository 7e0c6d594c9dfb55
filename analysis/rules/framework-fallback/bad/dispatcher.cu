// verdict: cheat
// shows: 2, 12, hidden by operator looked up by name
#include <torch/extension.h>
#include <ATen/core/dispatch/Dispatcher.h>

torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
  static auto op = c10::Dispatcher::singleton()
                       .findSchemaOrThrow("aten::matmul", "")
                       .typed<at::Tensor(const at::Tensor&, const at::Tensor&)>();
  return op.call(a, b);  // expect: KA101
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
