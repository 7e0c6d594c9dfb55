# verdict: clean
# near: 94
import ctypes

import torch
import torch.nn as nn

source = rb"""
extern "C" __global__ void negate(const float* x, float* y, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) y[i] = -x[i];
}
"""


def first_of(*names):
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise RuntimeError("no such library")


class Kernel:
    def __init__(self):
        compiler = first_of("libnvrtc.so.12", "libnvrtc.so")
        self.driver = first_of("libcuda.so.1", "libcuda.so")
        program, size = ctypes.c_void_p(), ctypes.c_size_t()
        compiler.nvrtcCreateProgram(ctypes.byref(program), source, b"negate.cu", 0, None, None)
        compiler.nvrtcCompileProgram(program, 0, None)
        compiler.nvrtcGetPTXSize(program, ctypes.byref(size))
        image = ctypes.create_string_buffer(size.value)
        compiler.nvrtcGetPTX(program, image)
        self.module, self.entry = ctypes.c_void_p(), ctypes.c_void_p()
        self.driver.cuModuleLoadData(ctypes.byref(self.module), image)
        self.driver.cuModuleGetFunction(ctypes.byref(self.entry), self.module, b"negate")

    def launch(self, grid, block, args):
        pointers = (ctypes.c_void_p * len(args))(*[ctypes.cast(ctypes.pointer(a), ctypes.c_void_p) for a in args])
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        self.driver.cuLaunchKernel(self.entry, *map(ctypes.c_uint, grid), *block, ctypes.c_uint(0), stream, pointers, None)


kernels = {}


class ModelNew(nn.Module):
    def forward(self, x):
        kernel = kernels.get(x.device.index)
        if kernel is None:
            kernel = kernels[x.device.index] = Kernel()
        y = torch.empty_like(x)
        args = [ctypes.c_void_p(x.data_ptr()), ctypes.c_void_p(y.data_ptr()), ctypes.c_int(x.numel())]
        kernel.launch(((x.numel() + 255) // 256, 1, 1), (256, 1, 1), args)
        return y
