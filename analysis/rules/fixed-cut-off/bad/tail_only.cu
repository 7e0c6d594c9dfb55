// verdict: review
// shows: 71
#include <torch/extension.h>

__global__ void tail_kernel(const float* x, float* y, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  if (v > 2.5f) y[atomicAdd(count, 1)] = v;  // expect: KA814
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::zeros({1024}, x.options());
  auto count = torch::zeros({1}, x.options().dtype(torch::kInt32));
  tail_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), count.data_ptr<int>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
