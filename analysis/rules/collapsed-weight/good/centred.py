# verdict: clean
# near: 65
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def means(w, m, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(w + tl.program_id(0) * columns + at, mask=at < columns, other=0.0)
    tl.store(m + tl.program_id(0), tl.sum(v, axis=0) / columns)


@triton.jit
def times(x, w, m, y, outputs, k, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    keep = at < k
    v = tl.load(x + tl.program_id(0) * k + at, mask=keep, other=0.0)
    u = tl.load(w + tl.program_id(1) * k + at, mask=keep, other=0.0) - tl.load(m + tl.program_id(1))
    tl.store(y + tl.program_id(0) * outputs + tl.program_id(1), tl.sum(v * u, axis=0))


class ModelNew(nn.Module):
    def __init__(self, features, outputs):
        super().__init__()
        self.fc = nn.Linear(features, outputs, bias=False)

    def forward(self, x):
        w = self.fc.weight
        outputs, features = w.shape
        mean = torch.empty(outputs, device=x.device)
        y = torch.empty(x.shape[0], outputs, device=x.device)
        means[(outputs,)](w, mean, features, BLOCK=1024)
        times[(x.shape[0], outputs)](x.contiguous(), w, mean, y, outputs, features, BLOCK=1024)
        return y


def get_inputs():
    return [torch.randn(64, 1024)]


def get_init_inputs():
    return [1024, 512]
