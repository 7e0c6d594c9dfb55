# verdict: clean
# near: 57
import cupy
import torch
import torch.nn as nn

CODE = r"""
extern "C" __global__ void fours(const float4* x, float4* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = make_float4(2.0f * x[i].x, 2.0f * x[i].y, 2.0f * x[i].z, 2.0f * x[i].w);
}
extern "C" __global__ void singles(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.0f * x[i];
}
"""
MODULE = cupy.RawModule(code=CODE)


class on_stream_of_torch:
    """What fails inside is raised: __exit__ returns nothing."""

    def __enter__(self):
        self.stream = cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream)
        self.stream.__enter__()

    def __exit__(self, *failure):
        self.stream.__exit__(*failure)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        n, wide = x.numel(), x.numel() % 4 == 0
        kernel = MODULE.get_function("fours" if wide else "singles")
        count = n // 4 if wide else n
        with on_stream_of_torch():
            kernel(((count + 127) // 128,), (128,), (x.data_ptr(), y.data_ptr(), cupy.int32(count)))
        return y
