# verdict: clean
# near: 94
import cupy
import torch
import torch.nn as nn

SRC = r"""
extern "C" __global__ void apply(const float* a, const float* b, float* y, long long n) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n) y[i] = OP;
}
"""

def make(op):
    source = SRC.replace("OP", op)
    return cupy.RawKernel(source, "apply")

add = make("a[i] + b[i]")
mul = make("a[i] * b[i]")

def run(kernel, a, b):
    y = torch.empty_like(a)
    with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
        kernel(((a.numel() + 255) // 256,), (256,), (a.data_ptr(), b.data_ptr(), y.data_ptr(), cupy.int64(a.numel())))
    return y

class ModelNew(nn.Module):
    def forward(self, a, b):
        a, b = a.contiguous(), b.contiguous()
        return run(mul, run(add, a, b), b)

def get_inputs():
    return [torch.randn(64, 1024), torch.randn(64, 1024)]

def get_init_inputs():
    return []
