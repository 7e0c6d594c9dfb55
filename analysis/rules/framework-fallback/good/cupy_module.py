# verdict: clean
# near: 1
import cupy as cp
import torch
import torch.nn as nn

module = cp.RawModule(code=r"""
extern "C" __global__ void scale_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}
""", options=("-O3",))
kernel = module.get_function("scale_kernel")


class ModelNew(nn.Module):
    def forward(self, x):
        given = cp.from_dlpack(x.contiguous())
        out = cp.empty_like(given)
        n = given.size
        kernel((cp.int32((n + 255) // 256),), (256,), (given, out, cp.int32(n)))
        return torch.from_dlpack(out)
