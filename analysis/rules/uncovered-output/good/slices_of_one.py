# verdict: clean
# near: 68, the slices are all there is
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
    relu_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        half = x.shape[0] // 2
        launch(x[:half], y[:half])
        launch(x[half:], y[half:])
        shifted = torch.zeros_like(x)
        launch(x[:-1], shifted[1:])
        framed = torch.zeros(x.shape[0] + 8, x.shape[1], device=x.device)
        launch(x, framed[: x.shape[0]])
        cut = x.new_empty(x.shape[0] + 8, x.shape[1])
        launch(x, cut[: x.shape[0]])
        return y, shifted, framed, cut[: x.shape[0]]


def get_inputs():
    return [torch.randn(256, 1024, device="cuda")]


def get_init_inputs():
    return []
