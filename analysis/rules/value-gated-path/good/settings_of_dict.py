# verdict: clean
# near: 54
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def product(x, w, y, rows, columns, depth, KIND: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    sums = tl.zeros((BLOCK, BLOCK), tl.float32)
    for start in range(0, depth, BLOCK):
        at = start + tl.arange(0, BLOCK)
        keep = at < depth
        a = tl.load(x + row[:, None] * depth + at[None, :], mask=(row < rows)[:, None] & keep[None, :], other=0.0)
        b = tl.load(w + column[None, :] * depth + at[:, None], mask=(column < columns)[None, :] & keep[:, None], other=0.0)
        sums += tl.dot(a.to(KIND), b.to(KIND), input_precision="ieee")
    inside = (row < rows)[:, None] & (column < columns)[None, :]
    tl.store(y + row[:, None] * columns + column[None, :], sums, mask=inside)


class Settings:
    careful = dict(KIND=tl.float32, BLOCK=32, num_warps=4)
    quick = dict(KIND=tl.float32, BLOCK=64, num_warps=8)

    @classmethod
    def of(cls, usual):
        return cls.quick if usual else cls.careful


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(512, 512))

    def forward(self, x):
        x = x.contiguous()
        rows, depth = x.shape
        settings = Settings.of(rows >= 64)
        y = torch.empty((rows, 512), device=x.device)
        grid = (triton.cdiv(rows, settings["BLOCK"]), triton.cdiv(512, settings["BLOCK"]))
        product[grid](x, self.weight, y, rows, 512, depth, **settings)
        return y
