// verdict: review
// shows: 33, numbers that an algorithm changes in a vector of the host, between a copy there and one back
#include <algorithm>
#include <vector>
#include <torch/extension.h>

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  std::vector<float> host(x.numel());
  cudaMemcpy(host.data(), x.data_ptr<float>(), x.nbytes(), cudaMemcpyDeviceToHost);
  std::transform(host.begin(), host.end(), host.begin(), [](float v) { return 2.0f * v; });  // expect: KA312
  cudaMemcpy(y.data_ptr<float>(), host.data(), x.nbytes(), cudaMemcpyHostToDevice);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
