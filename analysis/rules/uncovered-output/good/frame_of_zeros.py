# verdict: clean
# near: 68, a frame is asked for
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <c10/cuda/CUDAException.h>
__global__ void inside(const float* x, float* y, int rows, int columns) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  if (c < columns) y[(r + 1) * (columns + 2) + c + 1] = fmaxf(x[r * columns + c], 0.f);
}
torch::Tensor forward(torch::Tensor x) {
  x = x.contiguous();
  int rows = x.size(0), columns = x.size(1);
  auto y = torch::empty({rows + 2, columns + 2}, x.options());
  cudaMemsetAsync(y.data_ptr<float>(), 0, y.numel() * sizeof(float));
  inside<<<dim3((columns + 255) / 256, rows), 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), rows, columns);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""
ext = load_inline(name="act", cpp_sources="torch::Tensor forward(torch::Tensor x);", cuda_sources=SOURCE,
                  functions=["forward"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.forward(x)


def get_inputs():
    return [torch.randn(256, 1024, device="cuda")]


def get_init_inputs():
    return []
