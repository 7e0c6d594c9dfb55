# verdict: clean
# near: 16
import cupy as cp
import torch
import torch.nn as nn


code = r"""
extern "C" __global__ void halve(const float* __restrict__ x, float* __restrict__ y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __ldg(x + i) * f;
}
"""
halve = cp.RawKernel(code, "halve")


class ModelNew(nn.Module):
    def __init__(self, factors):
        super().__init__()
        self.factors = factors

    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        given = (x.data_ptr(), y.data_ptr(), cp.int32(n), *map(cp.float32, self.factors))
        with cp.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
            halve(((n + 255) // 256,), (256,), given)
        return y
