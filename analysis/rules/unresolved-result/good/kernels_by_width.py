# verdict: clean
# near: 94
import cupy
import torch
import torch.nn as nn


class KernelsByWidth(dict):
    """A kernel for each width, compiled when it is asked for first."""

    def __missing__(self, width):
        code = """
        extern "C" __global__ void reverse_rows(const float* x, float* y, int n) {
            __shared__ float held[WIDTH];
            const float* row = x + (size_t)blockIdx.x * n;
            for (int i = threadIdx.x; i < n; i += blockDim.x) held[i] = row[i];
            __syncthreads();
            for (int i = threadIdx.x; i < n; i += blockDim.x) y[(size_t)blockIdx.x * n + i] = held[n - 1 - i];
        }
        """.replace("WIDTH", str(width))
        self[width] = kernel = cupy.RawKernel(code, "reverse_rows")
        return kernel


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.kernels = KernelsByWidth()

    def forward(self, x):
        if x.dim() != 2 or not 0 < x.shape[1] <= 8192:
            raise NotImplementedError("rows of at most 8192 elements")
        x = x.contiguous()
        y = torch.empty_like(x)
        rows, n = x.shape
        width = max(32, 1 << (n - 1).bit_length())
        if rows:
            with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
                self.kernels[width]((rows,), (256,), (x.data_ptr(), y.data_ptr(), cupy.int32(n)))
        return y


def get_inputs():
    return [torch.randn(1024, 1000)]


def get_init_inputs():
    return []
