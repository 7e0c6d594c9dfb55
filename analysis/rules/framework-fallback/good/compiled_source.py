# verdict: clean
# near: 1
import torch
import torch.nn as nn

source = """
extern "C" __global__ void scale_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}
"""
kernel = torch.cuda._compile_kernel(source, "scale_kernel")


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        kernel(grid=((n + 255) // 256, 1, 1), block=(256, 1, 1), args=(x, y, n))
        return y
