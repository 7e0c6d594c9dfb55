# verdict: clean
# near: 83, a finalizer that closes a file, and a list of the own folder
import os
import weakref

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
    n = x.numel()
    scale_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y


HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = {}
for name in os.listdir(HERE):
    if name.endswith(".cuh"):
        with open(os.path.join(HERE, name)) as file:
            SOURCES[name] = file.read()


class Log:
    def __init__(self):
        self.file = open("/tmp/scale.log", "a")
        weakref.finalize(self, self.file.close)

    def __del__(self):
        self.file.close()


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.log = Log()

    def forward(self, x):
        return scale(x)
