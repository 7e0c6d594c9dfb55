# verdict: clean
# near: 57
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
__global__ void relu(const float* x, float* y, int n) {
  if (blockIdx.x * blockDim.x >= n) return;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = x[i] > 0.f ? x[i] : 0.f;
}
torch::Tensor forward(torch::Tensor x) {
  x = x.contiguous();
  auto y = torch::empty_like(x);
  int n = x.numel();
  relu<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  TORCH_CHECK(cudaGetLastError() == cudaSuccess);
  return y;
}
"""
ext = load_inline(name="relu", cpp_sources="torch::Tensor forward(torch::Tensor x);", cuda_sources=SOURCE,
                  functions=["forward"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.forward(x)


def get_inputs():
    return [torch.randn(256, 1024)]
