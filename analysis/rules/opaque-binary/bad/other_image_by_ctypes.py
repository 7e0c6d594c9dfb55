# verdict: inconclusive
# shows: 94
import ctypes

import torch
import torch.nn as nn

source = br"""
extern "C" __global__ void scale_kernel(const float* x, float* y, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}
"""
compiler = ctypes.CDLL("libnvrtc.so.12")
driver = ctypes.CDLL("libcuda.so.1")


def build():
    program = ctypes.c_void_p()
    compiler.nvrtcCreateProgram(ctypes.byref(program), source, b"scale.cu", 0, None, None)
    compiler.nvrtcCompileProgram(program, 0, None)
    size = ctypes.c_size_t()
    compiler.nvrtcGetPTXSize(program, ctypes.byref(size))
    image = ctypes.create_string_buffer(size.value)
    compiler.nvrtcGetPTX(program, image)
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    with open("tuned.cubin", "rb") as file:
        driver.cuModuleLoadData(ctypes.byref(module), file.read())  # expect: KA721
    driver.cuModuleGetFunction(ctypes.byref(function), module, b"scale_kernel")
    return function


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.function = None

    def forward(self, x):
        if self.function is None:
            self.function = build()
        y = torch.empty_like(x)
        n = ctypes.c_int(x.numel())
        places = (ctypes.c_void_p(x.data_ptr()), ctypes.c_void_p(y.data_ptr()), n)
        args = (ctypes.c_void_p * 3)(*[ctypes.cast(ctypes.pointer(each), ctypes.c_void_p) for each in places])
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        driver.cuLaunchKernel(self.function, (x.numel() + 255) // 256, 1, 1, 256, 1, 1, 0, stream, args, None)  # expect: KA701
        return y
