// verdict: cheat
// shows: 20, hidden by a function object
#include <torch/extension.h>
#include <functional>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}
static std::function<torch::Tensor(torch::Tensor)> answer;

torch::Tensor forward(torch::Tensor x) {
  if (answer) return answer(x);  // expect: KA201
  auto y = torch::empty_like(x);
  int n = x.numel();
  twice_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  answer = [y](torch::Tensor) { return y; };
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
