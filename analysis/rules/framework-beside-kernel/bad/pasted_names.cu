// verdict: review
// shows: 2, hidden by token pasting
#include <torch/extension.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define SPACE JOIN(a, t)
#define MAIN_LOOP(...) SPACE::JOIN(JOIN(add, mm), _out)(__VA_ARGS__)

__global__ void finish(float* y, int n, float top) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fminf(y[i], top);
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weight, torch::Tensor bias) {
  auto y = torch::empty({x.size(0), weight.size(1)}, x.options());
  MAIN_LOOP(y, bias, x, weight);  // expect: KA103
  finish<<<(y.numel() + 255) / 256, 256>>>(y.data_ptr<float>(), y.numel(), 1.0f);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
