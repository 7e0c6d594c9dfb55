# verdict: clean
# near: 57
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def group_kernel(inputs, outputs, n, BLOCK: tl.constexpr):
    x = tl.load(inputs + tl.program_id(1)).to(tl.pointer_type(tl.float32))
    y = tl.load(outputs + tl.program_id(1)).to(tl.pointer_type(tl.float32))
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


class ModelNew(nn.Module):
    def forward(self, a, b):
        y, z = torch.empty_like(a), torch.empty_like(b)
        rows = [[t.data_ptr() for t in group] for group in ((a, b), (y, z))]
        table = torch.tensor(rows, dtype=torch.int64).cuda()
        group_kernel[(triton.cdiv(a.numel(), 1024), 2)](table[0], table[1], a.numel(), BLOCK=1024)
        return y, z
