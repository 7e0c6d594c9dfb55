// verdict: clean
// near: 71
#include <torch/extension.h>

__global__ void collect_kernel(const float* x, float* found, int* count, int n, float limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  if (v > limit) found[atomicAdd(count, 1)] = v;
}
// Soft shrinkage: what is compared with takes part, and zero is put where it does not.
__global__ void shrink_kernel(float* y, int n, float lambda, float slope) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = y[i];
  if (v > lambda) y[i] = v - lambda;
  if (v < slope) y[i] = slope * v;
}
torch::Tensor forward(torch::Tensor x, double limit) {
  auto found = torch::zeros_like(x);
  auto count = torch::zeros({1}, x.options().dtype(torch::kInt32));
  collect_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), found.data_ptr<float>(), count.data_ptr<int>(), x.numel(), limit);
  shrink_kernel<<<(x.numel() + 255) / 256, 256>>>(found.data_ptr<float>(), x.numel(), 0.5f, 0.25f);
  return found;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
