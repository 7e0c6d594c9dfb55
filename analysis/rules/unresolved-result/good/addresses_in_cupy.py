# verdict: clean
# near: 1
import functools

import cupy as cp
import torch
import torch.nn as nn

CODE = r"""
extern "C" __global__ void scale(const float* x, float* y, const long long n) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}
"""


@functools.lru_cache(maxsize=8)
def kernel_on(device):
    with cp.cuda.Device(device):
        return cp.RawModule(code=CODE).get_function("scale")


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        n = x.numel()
        stream = cp.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream)
        with stream:
            kernel_on(x.device.index)(((n + 255) // 256,), (256,), (cp.uintp(x.data_ptr()), cp.uintp(y.data_ptr()), cp.int64(n)))
        return y
