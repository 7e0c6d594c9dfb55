# verdict: clean
# near: 68
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_persistent(x, y, rows, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    keep = at < columns
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        tl.store(y + row * columns + at, tl.load(x + row * columns + at, mask=keep) * 2.0, mask=keep)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        rows, columns = x.shape
        programs = max(1, int(rows * 0.75))
        scale_persistent[(programs,)](x, y, rows, columns, BLOCK=triton.next_power_of_2(columns))
        return y
