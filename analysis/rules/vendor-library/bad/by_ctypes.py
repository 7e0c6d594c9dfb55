# verdict: review
# shows: 3, hidden by ctypes
import ctypes

import torch
import torch.nn as nn

blas = ctypes.CDLL("libcublas.so.12")
handle = ctypes.c_void_p()
blas.cublasCreate_v2(ctypes.byref(handle))
multiply = getattr(blas, "cublas" + "Sgemm_v2")


class ModelNew(nn.Module):
    def forward(self, a, b):
        m, k = a.shape
        n = b.shape[1]
        c = torch.empty(m, n, device=a.device)
        one, zero = ctypes.c_float(1), ctypes.c_float(0)
        blas.cublasSetStream_v2(handle, ctypes.c_void_p(torch.cuda.current_stream().cuda_stream))
        multiply(handle, 0, 0, n, m, k, ctypes.byref(one), ctypes.c_void_p(b.data_ptr()), n,  # expect: KA104
                 ctypes.c_void_p(a.data_ptr()), k, ctypes.byref(zero), ctypes.c_void_p(c.data_ptr()), n)
        return c
