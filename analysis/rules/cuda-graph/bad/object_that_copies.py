# verdict: review
# shows: 43, hidden by an object that stands for forward
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


def scale(x):
    y = torch.empty_like(x)
    scale_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
    return y


class Recorded:
    def __init__(self, function):
        self.function, self.kept = function, {}

    def __get__(self, owner, kind):
        return lambda *tensors: self.run(owner, *tensors)

    def run(self, owner, x):
        key = tuple(x.shape)
        if key not in self.kept:
            fixed = x.clone()
            self.function(owner, fixed)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):  # expect: KA314
                made = self.function(owner, fixed)
            self.kept[key] = (graph, fixed, made)
        graph, fixed, made = self.kept[key]
        fixed.copy_(x)
        graph.replay()
        return made.clone()


class ModelNew(nn.Module):
    @Recorded
    def forward(self, x):
        return scale(x)
