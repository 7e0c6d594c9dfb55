// verdict: review
// shows: 36, hidden by macro
#include <torch/extension.h>

#define LET_GO(which) asm volatile("griddepcontrol." #which ";" ::: "memory")
__global__ void early_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? x[i] : 0.0f;
  LET_GO(launch_dependents);  // expect: KA325
  if (i < n) y[i] = v * 2.0f;
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  early_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
