# verdict: clean
# near: 65
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def matrix_vector(w, x, y, k, BLOCK: tl.constexpr):
    part = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, k, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(w + tl.program_id(0) * k + at, mask=at < k, other=0.0)
        part += v * tl.load(x + at, mask=at < k, other=0.0)
    tl.store(y + tl.program_id(0), tl.sum(part, axis=0))


@triton.jit
def spread(w, f, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    kept = tl.load(f + at, mask=at < n, other=0.0)
    tl.store(f + at, kept + tl.load(w + at, mask=at < n, other=0.0), mask=at < n)


class ModelNew(nn.Module):
    """A weight that is added, element by element, to a table of as many elements, and a product with a vector."""

    def __init__(self, features, outputs):
        super().__init__()
        self.fc = nn.Linear(features, outputs, bias=False)

    def forward(self, x):
        outputs, features = self.fc.weight.shape
        table = torch.zeros(outputs * features, device=x.device)
        y = torch.empty(outputs, device=x.device)
        spread[(triton.cdiv(outputs * features, 256),)](self.fc.weight, table, outputs * features, BLOCK=256)
        matrix_vector[(outputs,)](table, x.contiguous(), y, features, BLOCK=1024)
        return y
