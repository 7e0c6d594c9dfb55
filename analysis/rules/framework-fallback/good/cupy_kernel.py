# verdict: clean
# near: 1
import cupy
import torch
import torch.nn as nn

source = r"""
extern "C" __global__ void scale_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}
"""
scale_kernel = cupy.RawKernel(source, "scale_kernel")


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        n = x.numel()
        stream = cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream)
        with stream:
            scale_kernel(((n + 255) // 256,), (256,), (x.data_ptr(), y.data_ptr(), n))
        return y
