# verdict: review
# shows: 3, hidden by names that are put together
import ctypes
import torch
import torch.nn as nn


class Runtime:
    family: str = "".join(("cu", "b", "las"))

    def __init__(self):
        self.library = ctypes.CDLL("lib%s.so.12" % self.family)

    def function(self, stem):
        return self.library[self.family + stem + "_v2"]

    def multiply(self, handle, a, b, c):
        one, zero = ctypes.c_float(1.0), ctypes.c_float(0.0)
        (m, k), n = a.shape, b.shape[1]
        self.function("S" + "gemm")(handle, 0, 0, n, m, k, ctypes.byref(one), b.data_ptr(), n, a.data_ptr(), k,  # expect: KA104
                                    ctypes.byref(zero), c.data_ptr(), n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.runtime = Runtime()
        self.handle = ctypes.c_void_p()
        self.runtime.function("Create")(ctypes.byref(self.handle))

    def forward(self, a, b):
        c = torch.empty(a.shape[0], b.shape[1], device=a.device)
        self.runtime.multiply(self.handle, a, b, c)
        return c
