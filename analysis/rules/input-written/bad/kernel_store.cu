// verdict: review
// shows: 60, hidden by macro
#include <torch/extension.h>

#define IN_PLACE(p, i, by) p[i] *= by
__global__ void scale_kernel(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) IN_PLACE(x, i, 2.0f);
}
torch::Tensor forward(torch::Tensor x) {
  scale_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), x.numel());  // expect: KA532
  return x.clone();
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
