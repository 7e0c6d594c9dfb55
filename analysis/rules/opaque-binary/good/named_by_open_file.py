# verdict: clean
# near: 94
import ctypes
import os
import subprocess
import tempfile

import torch
import torch.nn as nn

SOURCE = r"""
#include <cuda_runtime.h>
__global__ void negate(const float* x, float* y, long long n) {
  long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i < n) y[i] = -x[i];
}
extern "C" int negate_all(const float* x, float* y, long long n, cudaStream_t stream) {
  negate<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(x, y, n);
  return (int)cudaGetLastError();
}
"""


def launcher():
    folder = tempfile.mkdtemp()
    with open(os.path.join(folder, "negate.cu"), "w") as source:
        source.write(SOURCE)
    library = os.path.join(folder, "negate.so")
    subprocess.run(["nvcc", "-shared", "-Xcompiler", "-fPIC", source.name, "-o", library], check=True)
    return ctypes.CDLL(library).negate_all


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.launch = launcher()

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        status = self.launch(x.data_ptr(), y.data_ptr(), y.numel(), torch.cuda.current_stream().cuda_stream)
        if status:
            raise RuntimeError(status)
        return y
