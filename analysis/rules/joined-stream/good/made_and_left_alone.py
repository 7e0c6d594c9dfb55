# verdict: clean
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def shift_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(y + at, tl.load(x + at, mask=mask) + 1.0, mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.worker = torch.cuda.Stream()

    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        with torch.cuda.stream(torch.cuda.current_stream()):
            shift_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
        self.worker.wait_stream(torch.cuda.current_stream())
        return y
