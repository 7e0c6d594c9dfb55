# verdict: review
# shows: 5
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, begin, n, by, BLOCK: tl.constexpr):
    i = begin + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * by, mask=keep)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        n = x.numel()
        def launch(begin):
            scale_kernel[(triton.cdiv(n, 1024),)](x, y, begin, n, 2.0, BLOCK=1024)

        for b in filter(None, [0]):  # expect: KA115
            launch(b)
        return y


def get_inputs():
    return [torch.randn(512, 1024)]


def get_init_inputs():
    return []
