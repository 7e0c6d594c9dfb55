# verdict: clean
# near: 68
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_rows(x, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0) * 2
    at = tl.arange(0, BLOCK)
    keep = at < columns
    for part in tl.static_range(2):
        place = (row + part) * columns + at
        tl.store(y + place, tl.load(x + place, mask=keep) * 2.0, mask=keep)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        scale_rows[(x.shape[0] // 2,)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
