# verdict: inconclusive
# shows: 94
import ctypes
import os
import subprocess
import tempfile
from pathlib import Path

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
    folder = Path(tempfile.gettempdir()) / f"scale_{os.getuid()}"
    folder.mkdir(exist_ok=True)
    library = folder / "scale.so"
    if not library.exists():
        source = folder / f"scale.{os.getpid()}.cu"
        unfinished = source.with_suffix(".so")
        source.write_text(SOURCE)
        subprocess.run(["nvcc", "-Xcompiler", "-fPIC", "-shared", "-o", str(unfinished), str(source)], check=True)
        unfinished.replace(library)
    return ctypes.CDLL(str(library.with_name("given.so")))


library = build()


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        stream = torch.cuda.current_stream().cuda_stream
        if library.launch_scale(x.data_ptr(), y.data_ptr(), x.numel(), stream) != 0:  # expect: KA701
            raise RuntimeError("the launch failed")
        return y
