# verdict: clean
# near: 49
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def weighted_kernel(s, v, o, N, BLOCK: tl.constexpr):
    m = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    n = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK, BLOCK), tl.float32)
    for start in range(0, N, BLOCK):
        k = start + tl.arange(0, BLOCK)
        weights = tl.exp(tl.load(s + m[:, None] * N + k[None, :]).to(tl.float32))
        values = tl.load(v + k[:, None] * BLOCK + n[None, :])
        total += tl.dot(weights.to(tl.float16), values)  # what was computed goes back to the type of the inputs
    tl.store(o + m[:, None] * BLOCK + n[None, :], total.to(tl.float16))


class ModelNew(nn.Module):
    def forward(self, s, v):
        o = torch.empty_like(v)
        weighted_kernel[(s.shape[0] // 64,)](s, v, o, s.shape[1], BLOCK=64)
        return o
