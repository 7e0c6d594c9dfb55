// verdict: clean
// near: 14
#include <torch/extension.h>

#include <map>

static std::map<int64_t, at::Tensor> scratch;
__global__ void partial_kernel(const float* x, float* parts, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  parts[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void total_kernel(const float* parts, float* y, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += parts[i];
  if (threadIdx.x == 0 && blockIdx.x == 0) y[0] = sum;
}
torch::Tensor forward(torch::Tensor x) {
  const int blocks = (x.numel() + 255) / 256;
  auto [it, fresh] = scratch.try_emplace(blocks);
  if (fresh) it->second = torch::empty({blocks * 256}, x.options());
  auto y = torch::empty({1}, x.options());
  partial_kernel<<<blocks, 256>>>(x.data_ptr<float>(), it->second.data_ptr<float>(), x.numel());
  total_kernel<<<1, 32>>>(it->second.data_ptr<float>(), y.data_ptr<float>(), blocks * 256);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
