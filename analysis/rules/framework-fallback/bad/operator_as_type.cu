// verdict: cheat
// shows: 2, hidden by a template
#include <torch/extension.h>
#include <ATen/ops/bmm_ops.h>

template <class Op, class... Ts>
auto through(Ts&&... ts) {
  return Op::call(std::forward<Ts>(ts)...);  // expect: KA101
}
torch::Tensor forward(torch::Tensor a, torch::Tensor b) { return through<at::_ops::bmm>(a, b); }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
