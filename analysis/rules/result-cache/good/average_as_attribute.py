# verdict: review
# near: 13
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def normalise(x, mean, var, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    value = tl.load(x + row * columns + at, mask=inside) - tl.load(mean + at, mask=inside)
    tl.store(y + row * columns + at, value / tl.sqrt(tl.load(var + at, mask=inside) + 1e-5), mask=inside)


class ModelNew(nn.Module):
    def __init__(self, features=64, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.rounds = (0, 1)
        self.running_mean = torch.zeros(features)
        self.running_var = torch.ones(features)

    def forward(self, x):
        for _ in self.rounds:
            if self.training:
                mean, var = x.mean(dim=0), x.var(dim=0)
                self.running_mean = (1 - self.momentum) * self.running_mean + self.momentum * mean
                self.running_var = (1 - self.momentum) * self.running_var + self.momentum * var  # expect: KA103
            else:
                mean, var = self.running_mean, self.running_var
            y = torch.empty_like(x)
            normalise[(x.shape[0],)](x, mean, var, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
            x = y
        return x
