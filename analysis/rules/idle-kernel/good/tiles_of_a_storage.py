# verdict: clean
# near: 57, tiles between two places of a storage: where the tensor begins, and where it ends
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def twice_tiles(x, y, n, first, tiles, BLOCK: tl.constexpr):
    for tile in range(first + tl.program_id(0), tiles, tl.num_programs(0)):
        at = tile * BLOCK + tl.arange(0, BLOCK)
        tl.store(y + at, tl.load(x + at, mask=at < n) * 2.0, mask=at < n)


class Span:
    __slots__ = ("first", "end")

    def __init__(self, tensor, block):
        offset = tensor.storage_offset()
        whole = tensor.untyped_storage().nbytes() // tensor.element_size()
        self.first = triton.cdiv(offset, block)
        self.end = triton.cdiv(min(tensor.numel(), whole - offset), block)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        span = Span(x, 1024)
        twice_tiles[(132,)](x, y, x.numel(), span.first, span.end, BLOCK=1024)
        return y


def get_inputs():
    return [torch.rand(4096, 4096)]
