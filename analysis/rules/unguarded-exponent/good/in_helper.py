# verdict: clean
# near: 72, a helper that keeps the maximum
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_tile(scores, values, most, top, bottom, keep):
    scores = tl.where(keep[None, :], scores, -1e30)
    now = tl.maximum(most, tl.max(scores, axis=1))
    again = tl.exp2(most - now)
    weights = tl.where(keep[None, :], tl.exp2(scores - now[:, None]), 0.0)
    return now, top * again[:, None] + tl.dot(weights, values), bottom * again + tl.sum(weights, axis=1)


@triton.jit
def attend(Q, K, V, O, length, scale, WIDTH: tl.constexpr, ROWS: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.arange(0, WIDTH)
    q = tl.load(Q + row[:, None] * WIDTH + column[None, :], mask=row[:, None] < length, other=0.0) * scale
    most = tl.full((ROWS,), -1e30, tl.float32)
    top = tl.zeros((ROWS, WIDTH), tl.float32)
    bottom = tl.zeros((ROWS,), tl.float32)
    for start in range(0, length, ROWS):
        key = start + tl.arange(0, ROWS)
        inside = key < length
        k = tl.load(K + key[:, None] * WIDTH + column[None, :], mask=inside[:, None], other=0.0)
        v = tl.load(V + key[:, None] * WIDTH + column[None, :], mask=inside[:, None], other=0.0)
        most, top, bottom = add_tile(tl.dot(q, tl.trans(k)), v, most, top, bottom, inside)
    tl.store(O + row[:, None] * WIDTH + column[None, :], top / bottom[:, None], mask=row[:, None] < length)


class ModelNew(nn.Module):
    def forward(self, q, k, v):
        o = torch.empty_like(q)
        attend[(triton.cdiv(q.shape[0], 64),)](q, k, v, o, q.shape[0], 0.125, WIDTH=64, ROWS=64)
        return o
