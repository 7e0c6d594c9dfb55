# verdict: clean
# near: 57
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <torch/extension.h>
#include <c10/cuda/CUDAException.h>

template <int P>
__global__ void rows(const float* x, float* y, int n) {
  __shared__ float row[P];
  const float* from = x + (size_t)blockIdx.x * n;
  for (int i = threadIdx.x; i < P; i += blockDim.x) row[i] = i < n ? from[i] : 0.0f;
  __syncthreads();
  float sum = 0.0f;
  for (int i = 0; i < P; ++i) sum += row[i];
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[(size_t)blockIdx.x * n + i] = row[i] / sum;
}
template <int P>
void launch(const torch::Tensor& x, torch::Tensor& y, int n) {
  rows<P><<<x.size(0), 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}
struct Row {
  int most;
  void (*go)(const torch::Tensor&, torch::Tensor&, int);
};
static constexpr Row kTable[] = {{64, launch<64>}, {256, launch<256>}, {1024, launch<1024>}, {4096, launch<4096>}};

torch::Tensor run(torch::Tensor x) {
  auto y = torch::empty_like(x);  // expect: KA531
  int n = x.size(1);
  TORCH_CHECK(n <= 4096);
  for (const auto& [most, go] : kTable) {
    if (n > most) continue;
    go(x, y, n);
    break;
  }
  return y;
}
"""
ext = load_inline("table_with_break", "torch::Tensor run(torch::Tensor x);", SOURCE, functions=["run"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.run(x.contiguous())


def get_inputs():
    return [torch.randn(512, 1000)]


def get_init_inputs():
    return []
