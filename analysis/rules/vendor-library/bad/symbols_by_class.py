# verdict: review
# shows: 3, hidden by names put together
import ctypes

import torch
import torch.nn as nn


def first_of(name, versions):
    for version in versions:
        try:
            return ctypes.CDLL("lib" + name + ".so." + version)
        except OSError:
            continue
    raise RuntimeError("not installed")


class Library:
    prefix = "cub" + "las"

    def __init__(self, versions):
        self.loaded = first_of(self.prefix, versions)
        self.handle = ctypes.c_void_p()
        self.find("Create_v2")(ctypes.byref(self.handle))

    def find(self, name):
        return getattr(self.loaded, self.prefix + name)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.library = None

    def forward(self, a, b):
        if self.library is None:
            self.library = Library(("12", "11"))
        m, k = a.shape
        n = b.shape[1]
        c = torch.empty(m, n, device=a.device)
        one, zero = ctypes.c_float(1), ctypes.c_float(0)
        self.library.find("Sgemm_v2")(  # expect: KA104
            self.library.handle, 0, 0, n, m, k, ctypes.byref(one), ctypes.c_void_p(b.data_ptr()), n,
            ctypes.c_void_p(a.data_ptr()), k, ctypes.byref(zero), ctypes.c_void_p(c.data_ptr()), n)
        return c
