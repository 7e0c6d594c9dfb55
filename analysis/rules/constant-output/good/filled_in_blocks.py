# verdict: cheat
# near: 63, 64
# The result is filled block by block: a loop that may run no time does not make it constant.
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, a, b):
        out = torch.zeros((a.shape[0], b.shape[1]), dtype=a.dtype, device=a.device)
        for begin in range(0, a.shape[0], 1024):
            end = min(begin + 1024, a.shape[0])
            out[begin:end] = torch.matmul(a[begin:end], b)  # expect: KA101
        return out
