# verdict: review
# shows: 57, hidden by sizes
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def double(x, y, rows, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):  # expect: KA832
        value = tl.load(x + row * columns + at, mask=at < columns)
        tl.store(y + row * columns + at, value * 2.0, mask=at < columns)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        rows, columns = x.shape
        double[(64,)](x, y, rows // 4096, columns, BLOCK=triton.next_power_of_2(columns))  # expect: KA831
        return y


def get_inputs():
    return [torch.randn(1000, 300)]
