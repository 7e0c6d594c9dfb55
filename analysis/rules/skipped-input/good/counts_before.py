# verdict: clean
# near: 68
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def count(kinds, counts, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(counts + tl.load(kinds + at, mask=at < n, other=0), 1, mask=at < n)


@triton.jit
def place(x, kinds, counts, cursors, y, n, KINDS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    kind = tl.load(kinds + at, mask=at < n, other=0)
    slot = tl.atomic_add(cursors + kind, 1, mask=at < n)
    which = tl.program_id(1)
    each = tl.arange(0, KINDS)
    before = tl.sum(tl.load(counts + each, mask=each < which, other=0), axis=0)
    tl.store(y + before + slot, tl.load(x + at, mask=at < n) * 2.0, mask=(at < n) & (kind == which))


class ModelNew(nn.Module):
    def forward(self, x, kinds):
        n = x.numel()
        y = torch.empty_like(x)
        counts = torch.zeros(8, device=x.device, dtype=torch.int32)
        cursors = torch.zeros(8, device=x.device, dtype=torch.int32)
        count[(triton.cdiv(n, 256),)](kinds, counts, n, BLOCK=256)
        place[(triton.cdiv(n, 256), 8)](x, kinds, counts, cursors, y, n, KINDS=8, BLOCK=256)
        return y


def get_inputs():
    return [torch.randn(4096), torch.randint(0, 8, (4096,))]
