# verdict: clean
# near: 94
import ctypes

import torch
import torch.nn as nn

SOURCE = r"""
extern "C" __global__ void swish(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] / (1.0f + expf(-x[i]));
}
"""


def first_of(names):
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise OSError(names)


class Compiled:
    def __init__(self):
        self.compiler = first_of(["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"])
        self.driver = first_of(["libcuda.so.1", "libcuda.so"])
        self.kernels = {}

    def kernel(self, source, name, device):
        if (source, device) in self.kernels:
            return self.kernels[source, device]
        program = ctypes.c_void_p()
        self.compiler.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"k.cu", 0, None, None)
        self.compiler.nvrtcCompileProgram(program, 0, None)
        size = ctypes.c_size_t()
        self.compiler.nvrtcGetPTXSize(program, ctypes.byref(size))
        image = ctypes.create_string_buffer(size.value)
        self.compiler.nvrtcGetPTX(program, image)
        module, kernel = ctypes.c_void_p(), ctypes.c_void_p()
        self.driver.cuModuleLoadData(ctypes.byref(module), image)
        self.driver.cuModuleGetFunction(ctypes.byref(kernel), module, name.encode())
        self.kernels[source, device] = kernel
        return kernel


compiled = Compiled()


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        given = [ctypes.c_void_p(x.data_ptr()), ctypes.c_void_p(y.data_ptr()), ctypes.c_int(x.numel())]
        places = (ctypes.c_void_p * 3)(*[ctypes.cast(ctypes.pointer(each), ctypes.c_void_p) for each in given])
        kernel = compiled.kernel(SOURCE, "swish", x.device.index)
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        compiled.driver.cuLaunchKernel(kernel, x.numel() // 256 + 1, 1, 1, 256, 1, 1, 0, stream, places, None)
        return y
