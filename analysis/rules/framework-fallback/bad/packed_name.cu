// verdict: cheat
// shows: 2, 12, hidden by characters of a template
#include <torch/extension.h>
#include <ATen/core/dispatch/Dispatcher.h>

template <char... C>
struct Word {
  static std::string text() { return std::string{C...}; }
};
using Space = Word<'a', 't', 'e', 'n'>;
using Verb = Word<'m', 'm'>;

torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
  static auto handle = c10::Dispatcher::singleton().findSchemaOrThrow((Space::text() + "::" + Verb::text()).c_str(), "");
  std::vector<c10::IValue> stack{a, b};
  handle.callBoxed(&stack);  // expect: KA101
  return stack.back().toTensor();
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
