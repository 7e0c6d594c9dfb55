# verdict: clean
# near: 94
import cupy
import torch
import torch.nn as nn

squares = cupy.ReductionKernel("T x", "T y", "x * x", "a + b", "y = a", "0", "squares")
scaled = cupy.ElementwiseKernel("T x, raw T total", "T y", "y = x / sqrt(total[0])", "scaled")


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
            source, target = cupy.from_dlpack(x.detach().contiguous()), cupy.from_dlpack(y)
            scaled(source, squares(source).reshape(1), target)
        return y


def get_inputs():
    return [torch.rand(64, 128, 256)]
