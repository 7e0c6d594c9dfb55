# verdict: clean
# near: 19, weights of a recurrent module as they are
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def pack_kernel(a, b, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(b + i, tl.load(a + i, mask=i < n), mask=i < n)


@triton.jit
def cell_kernel(x, w, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * tl.load(w + i, mask=keep), mask=keep)


def packed(w):
    out = torch.empty(w.numel() * 2, device=w.device)
    pack_kernel[(triton.cdiv(w.numel(), 1024),)](w, out, w.numel(), BLOCK=1024)
    return out


def cell(x, w):
    y = torch.empty_like(x)
    cell_kernel[(triton.cdiv(x.numel(), 1024),)](x, w, y, x.numel(), BLOCK=1024)
    return y


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(64, 64, num_layers=2)
        self.packed = None

    def forward(self, x):
        y = x
        for layer in self.lstm.all_weights:
            for w in layer:
                y = cell(y, packed(w))
        return y
