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


def run(x, y):
    exp_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        buffers = [x] + [torch.empty_like(x), torch.empty_like(x), torch.empty_like(x)]
        for i in range(3):
            run(buffers[i], buffers[i + 1])
        plan = [(buffers[-1], torch.empty_like(x))]
        plan.append((plan[-1][1], torch.empty_like(x)))
        for i, (source, target) in enumerate(plan):
            run(source, target)
        return plan[-1][1]


def get_inputs():
    return [torch.randn(4096, 4096)]
