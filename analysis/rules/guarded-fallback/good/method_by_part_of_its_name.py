# verdict: clean
# near: 7
import enum
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


def scale(x):
    y = torch.empty_like(x)
    scale_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
    return y


class Engine:
    def run_even(self, x):
        return scale(x)

    def run_ragged(self, x):
        return scale(x)

    def describe_ragged(self, x):
        return torch.cumsum(x, -1)

    def __call__(self, x):
        kind = Kind.of(x)
        return getattr(self, f"run_{kind.name}")(x)


class Kind(enum.Enum):
    even = 0
    ragged = 1

    @classmethod
    def of(cls, x):
        return cls.even if x.shape[-1] % 2 == 0 else cls.ragged


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.engine = Engine()

    def forward(self, x):
        return self.engine(x.contiguous())
