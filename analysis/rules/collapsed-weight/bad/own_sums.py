# verdict: review
# shows: 65, hidden by a kernel that folds the weight
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def fold(w, s, rows, columns, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for row in range(0, rows):
        total += tl.load(w + row * columns + at, mask=at < columns, other=0.0)
    tl.store(s + at, total, mask=at < columns)


@triton.jit
def row_times(x, w, y, k, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    keep = at < k
    v = tl.load(x + tl.program_id(0) * k + at, mask=keep, other=0.0)
    tl.store(y + tl.program_id(0), tl.sum(v * tl.load(w + at, mask=keep, other=0.0), axis=0))


class ModelNew(nn.Module):
    def __init__(self, features, outputs):
        super().__init__()
        self.fc = nn.Linear(features, outputs, bias=False)

    def forward(self, x):
        w = self.fc.weight
        outputs, features = w.shape
        folded = torch.empty(features, device=x.device)
        y = torch.empty(x.shape[0], 1, device=x.device)
        fold[(triton.cdiv(features, 128),)](w, folded, outputs, features, BLOCK=128)  # expect: KA817
        row_times[(x.shape[0],)](x.contiguous(), folded, y, features, BLOCK=1024)
        return y


def get_inputs():
    return [torch.randn(64, 1024)]


def get_init_inputs():
    return [1024, 512]
