# verdict: inconclusive
# shows: 94, the launcher of kernels that a compiler cached
import torch
import torch.nn as nn
from torch._C import _StaticCudaLauncher

function = _StaticCudaLauncher._load_kernel("scale.cubin", "scale", 0, 0)  # expect: KA721, KA701


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        _StaticCudaLauncher._launch_kernel(function[0], 64, 1, 1, 4, 0, "OO", (x, y), 0)  # expect: KA701
        return y
