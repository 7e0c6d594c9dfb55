# verdict: clean
# near: 94, a library that a compiler makes, whose functions are bound when they are asked for
import ctypes
import os
import subprocess
import tempfile
import torch
import torch.nn as nn

SOURCE = r"""
#include <cuda_runtime.h>
__global__ void scale_kernel(const float* x, float* y, long n) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}
extern "C" int scale(const float* x, float* y, long n, void* stream) {
  scale_kernel<<<(n + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, n);
  return (int)cudaGetLastError();
}
"""


class Library:
    def __init__(self, source):
        self.source = source

    def __getattr__(self, name):
        base = os.path.join(tempfile.gettempdir(), "scale_library")
        with open(base + ".cu", "w") as file:
            file.write(self.source)
        subprocess.check_call(["nvcc", "-shared", "-Xcompiler", "-fPIC", base + ".cu", "-o", base + ".so"])
        function = getattr(ctypes.CDLL(base + ".so"), name)
        function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long, ctypes.c_void_p]
        setattr(self, name, function)
        return function


library = Library(SOURCE)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        code = library.scale(x.data_ptr(), y.data_ptr(), x.numel(), torch.cuda.current_stream().cuda_stream)
        if code:
            raise RuntimeError(f"scale failed with {code}")
        return y
