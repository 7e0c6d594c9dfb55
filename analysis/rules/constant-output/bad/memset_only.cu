// verdict: cheat
// shows: 64
#include <torch/extension.h>

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, x.options());
  cudaMemsetAsync(y.data_ptr<float>(), 0, y.nbytes(), 0);  // expect: KA801
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
