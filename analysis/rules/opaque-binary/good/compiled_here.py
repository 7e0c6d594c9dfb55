# verdict: clean
# near: 94
import ctypes

import numpy as np
import torch
import torch.nn as nn
from cuda import cuda, nvrtc

source = r"""
extern "C" __global__ void scale_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}
"""


def build():
    torch.cuda.init()
    _, program = nvrtc.nvrtcCreateProgram(source.encode(), b"scale.cu", 0, [], [])
    nvrtc.nvrtcCompileProgram(program, 1, [b"--gpu-architecture=compute_80"])
    _, size = nvrtc.nvrtcGetPTXSize(program)
    ptx = b" " * size
    nvrtc.nvrtcGetPTX(program, ptx)
    _, module = cuda.cuModuleLoadData(np.char.array(ptx).ctypes.data)
    _, function = cuda.cuModuleGetFunction(module, b"scale_kernel")
    return function


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.kernel = build()

    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        args = ((x.data_ptr(), y.data_ptr(), n), (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int))
        cuda.cuLaunchKernel(
            self.kernel, (n + 255) // 256, 1, 1, 256, 1, 1, 0, torch.cuda.current_stream().cuda_stream, args, 0
        )
        return y
