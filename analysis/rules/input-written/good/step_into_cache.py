# verdict: clean
# near: 60
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def append(step, cache, place, width, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(cache + place * width + at, tl.load(step + at, mask=at < width), mask=at < width)


@triton.jit
def mean_so_far(cache, y, place, width, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for t in range(0, place + 1):
        total += tl.load(cache + t * width + at, mask=at < width, other=0.0)
    tl.store(y + at, total / (place + 1), mask=at < width)


class ModelNew(nn.Module):
    def forward(self, step, cache, place: int):
        width = step.numel()
        y = torch.empty_like(step)
        append[(triton.cdiv(width, 256),)](step, cache, place, width, BLOCK=256)  # expect: KA532
        mean_so_far[(triton.cdiv(width, 256),)](cache, y, place, width, BLOCK=256)
        return y
