# verdict: clean
# near: 68
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_row(x, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    keep = at < columns
    tl.store(y + row * columns + at, tl.load(x + row * columns + at, mask=keep) * 2.0, mask=keep)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        rows, columns = x.shape
        programs = max(1, min(rows, 2147483647))
        scale_row[(programs,)](x, y, columns, BLOCK=triton.next_power_of_2(columns))
        return y
