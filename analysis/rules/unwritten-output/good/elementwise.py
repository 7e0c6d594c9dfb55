# verdict: clean
# near: 18
import cupy
import torch
import torch.nn as nn
from torch.utils.dlpack import to_dlpack

clamp = cupy.ElementwiseKernel("float32 x, T limit", "float32 y", "y = x > limit ? limit : x", "clamp")


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
            clamp(cupy.from_dlpack(to_dlpack(x)), 1.0, cupy.from_dlpack(to_dlpack(y)))
        return y
