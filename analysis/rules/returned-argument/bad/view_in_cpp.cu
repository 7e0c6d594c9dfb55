// verdict: review
// shows: 62, hidden by macro
#include <torch/extension.h>

#define SAME(x, how) x.how()
torch::Tensor forward(torch::Tensor x) {
  auto y = SAME(x, flatten);
  return y.view(x.sizes());  // expect: KA501
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
