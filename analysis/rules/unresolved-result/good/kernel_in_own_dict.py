# verdict: clean
# near: 94
import functools

import cupy
import torch
import torch.nn as nn

CODE = r"""
extern "C" __global__ void gather(const float* rows, const long long* index, float* y, int width, long long count) {
    long long row = index[blockIdx.x];
    for (int c = threadIdx.x; c < width; c += blockDim.x) {
        float v;
        if (row >= 0 && row < count) v = rows[row * width + c];
        else v = __int_as_float(0x7fc00000);
        y[(long long)blockIdx.x * width + c] = v;  // expect: KA816
    }
}
"""


def on_callers_stream(launcher):
    @functools.wraps(launcher)
    def inner(*args, **options):
        with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
            return launcher(*args, **options)

    return inner


class ModelNew(nn.Module):
    def __init__(self, count, width):
        super().__init__()
        self.rows = nn.Parameter(torch.randn(count, width))

    @property
    def kernel(self):
        kept = self.__dict__.get("_kernel")
        if kept is None:
            kept = self.__dict__["_kernel"] = cupy.RawKernel(CODE, "gather")
        return kept

    @on_callers_stream
    def _gather(self, rows, index, y):
        if index.numel():
            self.kernel((index.numel(),), (128,), (rows.data_ptr(), index.data_ptr(), y.data_ptr(),
                                                  cupy.int32(rows.shape[1]), cupy.int64(rows.shape[0])))
        return y

    def forward(self, index):
        index = index.contiguous()
        rows = self.rows.detach()
        y = torch.empty(index.numel(), rows.shape[1], device=rows.device, dtype=rows.dtype)  # expect: KA531
        return self._gather(rows, index, y)


def get_inputs():
    return [torch.randint(0, 1000, (4096,))]


def get_init_inputs():
    return [1000, 128]
