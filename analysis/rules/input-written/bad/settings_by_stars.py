# verdict: review
# shows: 60, hidden among settings by name
import dataclasses

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def halve(y, x, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < count)
    tl.store(y + at, value * 0.5, mask=at < count)
    tl.store(x + at, value * 0.0, mask=at < count)


@dataclasses.dataclass
class Settings:
    BLOCK: int = 1024

    def shown(self):
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.settings = Settings()

    def forward(self, x):
        y = torch.empty_like(x)
        grid = (triton.cdiv(x.numel(), 1024),)
        halve[grid](count=x.numel(), x=x, y=y, **self.settings.shown())  # expect: KA532
        return y
