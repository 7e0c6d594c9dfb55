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
def move_on(kept, seen, moved, momentum, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    inside = at < n
    value = tl.load(kept + at, mask=inside) * (1 - momentum) + tl.load(seen + at, mask=inside) * momentum
    tl.store(moved + at, value, mask=inside)


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

    def moved(self, kept, seen, columns, block):
        moved = torch.empty_like(kept)
        move_on[(1,)](kept, seen, moved, 0.1, columns, BLOCK=block)
        return moved

    def forward(self, x):
        rows, columns = x.shape
        block = triton.next_power_of_2(columns)
        if self.training:
            mean, var = torch.empty_like(self.running_mean), torch.empty_like(self.running_var)
            moments[(columns,)](x, mean, var, rows, columns, BLOCK=1024)
            self.running_mean = self.moved(self.running_mean, mean, columns, block)
            self.running_var = self.moved(self.running_var, var, columns, block)
        else:
            mean, var = self.running_mean, self.running_var
        y = torch.empty_like(x)
        normalise[(rows,)](x, mean, var, y, columns, BLOCK=block)
        return y


class Block(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = BatchNorm(features)

    def forward(self, x):
        return self.norm(x)


class ModelNew(nn.Module):
    def __init__(self, features=64):
        super().__init__()
        self.first = BatchNorm(features)
        self.blocks = nn.ModuleList()
        self.between = nn.ModuleList()
        for i in range(2):
            self.blocks.append(Block(features))
            if i == 0:
                self.between.append(Block(features))

    def forward(self, x):
        x = self.first(x)
        for i, block in enumerate(self.blocks):
            x = block(x)
            if i != len(self.blocks) - 1:
                x = self.between[i](x)
        return x
