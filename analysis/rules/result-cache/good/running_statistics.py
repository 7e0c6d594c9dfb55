# verdict: clean
# near: 13
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def moments(x, mean, var, rows, columns, BLOCK: tl.constexpr):
    column = tl.program_id(0)
    total = 0.0
    squares = 0.0
    for start in range(0, rows, BLOCK):
        at = start + tl.arange(0, BLOCK)
        value = tl.load(x + at * columns + column, mask=at < rows, other=0.0)
        total += tl.sum(value)
        squares += tl.sum(value * value)
    tl.store(mean + column, total / rows)
    tl.store(var + column, squares / rows - (total / rows) * (total / rows))


@triton.jit
def move_on(kept, seen, momentum, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    inside = at < n
    value = tl.load(kept + at, mask=inside) * (1 - momentum) + tl.load(seen + at, mask=inside) * momentum
    tl.store(kept + at, value, mask=inside)


@triton.jit
def normalise(x, mean, var, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    value = tl.load(x + row * columns + at, mask=inside) - tl.load(mean + at, mask=inside)
    tl.store(y + row * columns + at, value / tl.sqrt(tl.load(var + at, mask=inside) + 1e-5), mask=inside)


class BatchNorm(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.register_buffer("running_mean", torch.zeros(features))
        self.register_buffer("running_var", torch.ones(features))

    def forward(self, x):
        rows, columns = x.shape
        block = triton.next_power_of_2(columns)
        if self.training:
            mean, var = torch.empty_like(self.running_mean), torch.empty_like(self.running_var)
            moments[(columns,)](x, mean, var, rows, columns, BLOCK=1024)
            move_on[(1,)](self.running_mean, mean, 0.1, columns, BLOCK=block)
            move_on[(1,)](self.running_var, var, 0.1, columns, BLOCK=block)
        else:
            mean, var = self.running_mean, self.running_var
        y = torch.empty_like(x)
        normalise[(rows,)](x, mean, var, y, columns, BLOCK=block)
        return y


class ModelNew(nn.Module):
    def __init__(self, features=64, norm_layer=BatchNorm, last=None):
        super().__init__()
        self.norms = nn.ModuleList(norm_layer(features) for _ in range(2))
        self.last = last(features) if last is not None else None

    def forward(self, x):
        for i, norm in enumerate(self.norms):
            x = norm(x)
            if i != len(self.norms) - 1:
                x = x.contiguous()
        return x
