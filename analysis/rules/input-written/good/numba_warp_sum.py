# verdict: clean
# near: 60
import torch, math
import torch.nn as nn
from numba import cuda, float32

@cuda.jit(device=True)
def warp_sum(v):
    return v + cuda.shfl_xor_sync(0xffffffff, v, 16)

@cuda.jit
def rows(x, y):
    sums = cuda.shared.array(8, float32)
    row = cuda.blockIdx.x
    tid = cuda.threadIdx.x
    acc = float32(0.0)
    for k in range(8):
        v = x[row, tid + 256 * k]
        acc += v * v
    acc = warp_sum(acc)
    sums[tid // 32] = acc
    for k in range(8):
        y[row, tid + 256 * k] = x[row, tid + 256 * k] * sums[0]

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        rows[x.shape[0], 256](cuda.as_cuda_array(x), cuda.as_cuda_array(y))
        return y
