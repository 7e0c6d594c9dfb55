# verdict: clean
# near: 68
import cupy
import torch
import torch.nn as nn

SRC = r"""
#define WIDTH %d
extern "C" __global__ void apply(const float* x, float* y) {
    const float* row = x + (long long)blockIdx.x * WIDTH;
    for (int c = threadIdx.x; c < WIDTH; c += blockDim.x) y[(long long)blockIdx.x * WIDTH + c] = row[c] * 2.0f;
}
"""
class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.kernels = {}
    def forward(self, x):
        x = x.contiguous()
        rows, width = x.shape
        if width not in self.kernels:
            self.kernels[width] = cupy.RawKernel(SRC % width, "apply")
        y = torch.empty_like(x)
        with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
            self.kernels[width]((rows,), (256,), (x.data_ptr(), y.data_ptr()))
        return y


def get_inputs():
    return [torch.randn(512, 1024)]


def get_init_inputs():
    return []
