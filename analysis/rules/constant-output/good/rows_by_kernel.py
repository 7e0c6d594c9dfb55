# verdict: clean
# near: 64
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax_rows(x, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    keep = at < columns
    tl.store(y + row * columns + at, tl.zeros((BLOCK,), tl.float32), mask=keep)
    value = tl.load(x + row * columns + at, mask=keep, other=-float("inf"))
    value = tl.exp(value - tl.max(value, axis=0))
    total = tl.sum(value, axis=0)
    tl.store(y + row * columns + at, value / total, mask=keep)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, columns = x.shape
        y = torch.empty_like(x)
        softmax_rows[(rows,)](x, y, columns, BLOCK=triton.next_power_of_2(columns))
        return y


def get_inputs():
    return [torch.rand(512, 40000)]
