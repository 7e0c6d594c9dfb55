# verdict: clean
# near: 57
import cupy
import torch
import torch.nn as nn

CODE = r"""
template <int W>
__global__ void scale_rows(const float* x, float* y, int n, int) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) * W;
  for (int k = 0; k < W; ++k)
    if (i + k < n) y[i + k] = 2.0f * x[i + k];
}
template <int UNUSED>
__global__ void scale_any(const float* x, float* y, int n, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.0f * x[i];
}
"""
WIDTHS = (2, 4, 8)
MODULE = cupy.RawModule(code=CODE, name_expressions=[f"scale_rows<{w}>" for w in WIDTHS] + ["scale_any<0>"])


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        n, width = x.numel(), x.shape[-1]
        name = f"scale_rows<{width}>" if width in WIDTHS else "scale_any<0>"
        kernel = MODULE.get_function(name)
        with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
            kernel(((n + 127) // 128,), (128,), (x.data_ptr(), y.data_ptr(), cupy.int32(n), cupy.int32(width)))
        return y
