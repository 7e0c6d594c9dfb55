# verdict: review
# shows: 63, hidden by a difference
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def centre(x, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    value = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf"))
    top = tl.max(value, 0)
    value = tl.where(at < columns, top - top, 0.0)
    tl.store(y + row * columns + at, value, mask=at < columns)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, columns = x.shape
        y = torch.empty_like(x)
        centre[(rows,)](x, y, columns, BLOCK=triton.next_power_of_2(columns))  # expect: KA801
        return y


def get_inputs():
    return [torch.rand(512, 30000)]
