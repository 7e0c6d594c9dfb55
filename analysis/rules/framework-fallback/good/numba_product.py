# verdict: clean
# near: 1
import numba
import numba.cuda
import torch
import torch.nn as nn
from numba import float32

TILE = 16


@numba.cuda.jit("void(float32[:,:], float32[:,:], float32[:,:])")
def matmul(a, b, c):
    sa = numba.cuda.shared.array((TILE, TILE), float32)
    sb = numba.cuda.shared.array((TILE, TILE), float32)
    row, col = numba.cuda.grid(2)
    tx = numba.cuda.threadIdx.x
    ty = numba.cuda.threadIdx.y
    total = 0.0
    for k in range((a.shape[1] + TILE - 1) // TILE):
        sa[tx, ty] = a[row, ty + k * TILE] if row < a.shape[0] and ty + k * TILE < a.shape[1] else 0.0
        sb[tx, ty] = b[tx + k * TILE, col] if col < b.shape[1] and tx + k * TILE < b.shape[0] else 0.0
        numba.cuda.syncthreads()
        for j in range(TILE):
            total += sa[tx, j] * sb[j, ty]
        numba.cuda.syncthreads()
    if row < c.shape[0] and col < c.shape[1]:
        c[row, col] = total


class ModelNew(nn.Module):
    def forward(self, a, b):
        c = torch.empty((a.shape[0], b.shape[1]), device=a.device, dtype=a.dtype)
        grid = ((a.shape[0] + TILE - 1) // TILE, (b.shape[1] + TILE - 1) // TILE)
        stream = numba.cuda.external_stream(torch.cuda.current_stream().cuda_stream)
        matmul[grid, (TILE, TILE), stream](a, b, c)
        return c
