// verdict: review
// shows: 33, hidden by a pragma
#include <torch/extension.h>

torch::Tensor forward(torch::Tensor x) {
  auto from = x.cpu();
  auto to = torch::empty_like(from);
  const float* a = from.data_ptr<float>();
  float* b = to.data_ptr<float>();
  const int64_t n = from.numel();
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i) b[i] = a[i] > 0.0f ? a[i] : 0.1f * a[i];  // expect: KA312
  return to.to(x.device());
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
