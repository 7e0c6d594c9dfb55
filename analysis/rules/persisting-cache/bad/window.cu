// verdict: review
// shows: 99, hidden by token pasting
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

#define KIND(what) cuda##what##Persisting
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  cudaStreamAttrValue value = {};
  value.accessPolicyWindow.base_ptr = x.data_ptr();
  value.accessPolicyWindow.num_bytes = x.nbytes();
  value.accessPolicyWindow.hitRatio = 1.0f;
  value.accessPolicyWindow.hitProp = KIND(AccessProperty);  // expect: KA521
  auto set = &cudaStreamSetAttribute;
  set(0, cudaStreamAttributeAccessPolicyWindow, &value);  // expect: KA521
  twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
