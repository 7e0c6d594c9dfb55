# verdict: clean
# near: 94, 38
import ctypes
import os
import subprocess
import tempfile

import torch
import torch.nn as nn

SOURCE = r"""
#include <cuda_runtime.h>
__global__ void scale(const float* x, float* y, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}
extern "C" int launch_scale(const void* x, void* y, size_t n, void* stream) {
  scale<<<(n + 255) / 256, 256, 0, (cudaStream_t)stream>>>((const float*)x, (float*)y, n);
  return (int)cudaGetLastError();
}
"""


def build():
    folder = tempfile.mkdtemp()
    library = os.path.join(folder, "libscale.so")
    source = os.path.join(folder, "scale.cu")
    with open(source, "w") as file:
        file.write(SOURCE)
    unfinished = library + f".{os.getpid()}"
    subprocess.run(["nvcc", "-O3", "-Xcompiler", "-fPIC", "-shared", source, "-o", unfinished], check=True)
    os.replace(unfinished, library)
    return ctypes.CDLL(library)


library = build()


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        stream = torch.cuda.current_stream().cuda_stream
        if library.launch_scale(x.data_ptr(), y.data_ptr(), x.numel(), stream) != 0:
            raise RuntimeError("the launch failed")
        return y
