// verdict: cheat
// shows: 57, 5, hidden by templates
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {  // expect: KA115
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

template <int... Stages>
void run(const torch::Tensor& x, torch::Tensor& y) {
  int n = x.numel();
  for (unsigned stage = 0; stage < sizeof...(Stages); ++stage) twice_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);  // expect: KA531
  run<>(x, y);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
