# verdict: clean
# near: 57
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def exp_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.exp(-tl.load(x + at, mask=at < n, other=0.0)), mask=at < n)


def launch(kernel, inputs, outputs, **how):
    n = outputs[0].numel()
    arguments = list(inputs) + list(outputs) + [n]
    kernel[(triton.cdiv(n, how["BLOCK"]),)](*arguments, **how)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        first, second, third = torch.empty_like(x), torch.empty_like(x), torch.empty_like(x)
        launch(exp_kernel, (x,), (first,), BLOCK=1024)
        arguments = [each for each in (first,)] + [second, x.numel()]
        exp_kernel[(triton.cdiv(x.numel(), 1024),)](*arguments, BLOCK=1024)
        pair = (second,) + (third,)
        exp_kernel[(triton.cdiv(x.numel(), 1024),)](*pair, x.numel(), BLOCK=1024)
        return third


def get_inputs():
    return [torch.randn(4096, 4096)]
