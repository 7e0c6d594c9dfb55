// verdict: cheat
// shows: 2, hidden by a lambda in a variable
#include <torch/extension.h>

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  std::function<torch::Tensor(torch::Tensor)> forward = [](torch::Tensor x) { return torch::relu(x); };  // expect: KA101
  m.def("forward", forward);
}
