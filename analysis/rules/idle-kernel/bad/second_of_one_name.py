# verdict: review
# shows: 67
import cupy
import torch
import torch.nn as nn

SOURCE = r"""
extern "C" __global__ void apply(const float* x, float* y, long long n) {  // expect: KA832
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n) y[i] = RESULT;
}
"""


def make(result):
    return cupy.RawKernel(SOURCE.replace("RESULT", result), "apply")


doubled = make("2.0f * x[i]")
kept = make("x[i]")


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.kernel = kept

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
            self.kernel(((x.numel() + 255) // 256,), (256,), (x.data_ptr(), y.data_ptr(), cupy.int64(x.numel())))
        return y  # expect: KA501


def get_inputs():
    return [torch.randn(512, 1024)]


def get_init_inputs():
    return []
