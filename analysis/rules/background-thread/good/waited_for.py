# verdict: clean
# near: 30
from concurrent.futures import ThreadPoolExecutor

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def double(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, 2.0 * tl.load(x + at, mask=at < n), mask=at < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.pool = ThreadPoolExecutor(1)

    def issue(self, x, y, stream):
        with torch.cuda.stream(stream):
            double[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)

    def forward(self, x):
        y = torch.empty_like(x)
        self.pool.submit(self.issue, x, y, torch.cuda.current_stream()).result()  # expect: KA311
        return y
