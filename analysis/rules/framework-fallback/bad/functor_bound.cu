// verdict: cheat
// shows: 2, hidden by a function object
#include <torch/extension.h>

struct Forward {
  torch::Tensor operator()(torch::Tensor x) const { return torch::relu(x); }  // expect: KA101
};

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  Forward forward;
  m.def("forward", forward);
}
