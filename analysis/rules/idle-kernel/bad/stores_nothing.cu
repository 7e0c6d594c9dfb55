// verdict: cheat
// shows: 67
#include <torch/extension.h>

__global__ void fused_kernel(const float* a, float* c, int n) {  // expect: KA832
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? a[i] * 2.0f : 0.0f;
  if (v > 0.0f) v = v + 1.0f;
}
torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
  auto c = at::mm(a, b);  // expect: KA101
  fused_kernel<<<1, 32>>>(a.data_ptr<float>(), c.data_ptr<float>(), a.numel());
  return c;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
