# verdict: clean
# near: 1
import ctypes

import numpy as np
import torch
import torch.nn as nn
from cuda.bindings import driver, nvrtc

CODE = rb"""
extern "C" __global__ void scale(const float* x, float* y, long long n) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}
"""


def checked(answer):
    status, *values = answer
    if int(status) != 0:
        raise RuntimeError(f"failed: {status}")
    return values[0] if len(values) == 1 else values


kernels = {}


def kernel_on(index):
    if index not in kernels:
        program = checked(nvrtc.nvrtcCreateProgram(CODE, b"scale.cu", 0, [], []))
        checked(nvrtc.nvrtcCompileProgram(program, 0, []))
        image = b" " * checked(nvrtc.nvrtcGetCUBINSize(program))
        checked(nvrtc.nvrtcGetCUBIN(program, image))
        module = checked(driver.cuModuleLoadData(np.char.array(image)))
        kernels[index] = checked(driver.cuModuleGetFunction(module, b"scale"))
    return kernels[index]


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        n = x.numel()
        values = ((x.data_ptr(), y.data_ptr(), n), (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_longlong))
        stream = driver.CUstream(torch.cuda.current_stream().cuda_stream)
        checked(driver.cuLaunchKernel(kernel_on(0), (n + 255) // 256, 1, 1, 256, 1, 1, 0, stream, values, 0))
        return y
