# verdict: inconclusive
# shows: 94
import ctypes

import torch
import torch.nn as nn


def launcher():
    found = ctypes.CDLL("libprepared.so").scale
    found.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_longlong]
    return found


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.launch = launcher()

    def forward(self, x):
        y = torch.empty_like(x)
        self.launch(x.data_ptr(), y.data_ptr(), y.numel())  # expect: KA701
        return y
