# verdict: review
# shows: 4, 12
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def bias_relu(x_ptr, b_ptr, y_ptr, channels, area, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    b = tl.load(b_ptr + offs // area % channels, mask=mask)
    tl.store(y_ptr + offs, tl.maximum(tl.load(x_ptr + offs, mask=mask) + b, 0.0), mask=mask)


class ModelNew(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.bank = nn.ModuleDict({"taps": nn.Sequential(nn.Conv2d(inputs, outputs, 3, bias=False))})
        self.bias = nn.Parameter(torch.randn(outputs))
        self.where = "bank.taps.0"

    def forward(self, x):
        x = self.get_submodule(self.where)(x)  # expect: KA103
        y = torch.empty_like(x)
        n = x.numel()
        grid = (triton.cdiv(n, 1024),)
        bias_relu[grid](x, self.get_parameter("bias"), y, x.shape[1], x.shape[2] * x.shape[3], n, BLOCK=1024)
        return y
