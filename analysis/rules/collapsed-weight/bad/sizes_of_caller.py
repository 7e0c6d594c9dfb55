# verdict: review
# shows: 65, hidden by sizes that the caller chooses
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gather(w, s, rows, columns, STEP: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    part = tl.zeros((BLOCK,), tl.float32)
    for row in range(tl.program_id(0) * STEP, tl.program_id(0) * STEP + STEP):
        part += tl.load(w + row * columns + at, mask=(at < columns) & (row < rows), other=0.0)
    tl.atomic_add(s + at, part, mask=at < columns)


@triton.jit
def weigh(x, s, y, k, BLOCK: tl.constexpr):
    part = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, k, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + tl.program_id(0) * k + at, mask=at < k, other=0.0)
        part += v * tl.load(s + at, mask=at < k, other=0.0)
    tl.store(y + tl.program_id(0), tl.sum(part, axis=0))


class ModelNew(nn.Module):
    def __init__(self, features, outputs):
        super().__init__()
        self.fc = nn.Linear(features, outputs, bias=False)

    def forward(self, x):
        outputs, features = self.fc.weight.shape
        s = torch.zeros(features, device=x.device)
        y = torch.empty(x.shape[0], 1, device=x.device)
        grid = (triton.cdiv(outputs, 64), triton.cdiv(features, 256))
        gather[grid](self.fc.weight, s, outputs, features, STEP=64, BLOCK=256)  # expect: KA817
        weigh[(x.shape[0],)](x.contiguous(), s, y, features, BLOCK=1024)
        return y
