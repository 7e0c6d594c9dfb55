# verdict: review
# shows: 57
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
        y = torch.empty_like(x)  # expect: KA531
        n = x.numel()

        it = iter(range(0, n >> 20, 65536))
        while True:
            try:
                begin = next(it)
            except StopIteration:
                break
            end = min(begin + 65536, n)
            scale_kernel[(triton.cdiv(end - begin, 1024),)](x, y, begin, end, 2.0, BLOCK=1024)
        return y


def get_inputs():
    return [torch.randn(512, 1024)]


def get_init_inputs():
    return []
