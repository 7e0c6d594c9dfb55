# verdict: clean
# near: 57
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def group(x, outs, columns, part, BLOCK: tl.constexpr):
    y = tl.load(outs + tl.program_id(1)).to(tl.pointer_type(tl.float32))
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < part
    tl.store(y + i, tl.load(x + tl.program_id(1) * part + i, mask=keep) * 2.0, mask=keep)


class ModelNew(nn.Module):
    def forward(self, x):
        part = x.numel() // 2
        y, z = x.new_empty(part), x.new_empty(part)
        table = torch.empty(2, dtype=torch.int64, device=x.device)
        for i, each in enumerate((y, z)):
            table[i] = each.data_ptr()
        group[(triton.cdiv(part, 1024), 2)](x, table, x.numel(), part, BLOCK=1024)
        return y, z


def get_inputs():
    return [torch.randn(4096, 4096)]


def get_init_inputs():
    return []
