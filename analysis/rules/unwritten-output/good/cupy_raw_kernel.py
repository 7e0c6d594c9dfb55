# verdict: clean
# near: 57
import cupy
import torch
import torch.nn as nn
from cupyx import jit


@jit.rawkernel()
def relu_kernel(x, y, n):
    at = jit.blockIdx.x * jit.blockDim.x + jit.threadIdx.x
    if at < n:
        y[at] = max(x[at], cupy.float32(0))


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        n = x.numel()
        with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
            relu_kernel[(n + 255) // 256, 256](cupy.from_dlpack(x.view(-1)), cupy.from_dlpack(y.view(-1)), n)
        return y


def get_inputs():
    return [torch.randn(4096, 4096)]
