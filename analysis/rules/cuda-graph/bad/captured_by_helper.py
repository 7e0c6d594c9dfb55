# verdict: review
# shows: 47
# The helper captures where there is no graph for the shape, not in every call.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.graph = None
        self.shape = None

    def capture(self, x):
        self.input = torch.empty_like(x)
        self.output = torch.empty_like(x)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):  # expect: KA314; says: in calls that find none
            n = x.numel()
            scale_kernel[(triton.cdiv(n, 1024),)](self.input, self.output, n, BLOCK=1024)
        self.shape = x.shape

    def forward(self, x):
        if self.shape is None or x.shape != self.shape:
            self.capture(x)
        self.input.copy_(x)
        self.graph.replay()
        return self.output.clone()
