# verdict: clean
# near: 94
import cupy
import torch
import torch.nn as nn

CODE = r"""
extern "C" __global__ void pool(const float* x, float* y, int width) {
  __shared__ float row[COLUMNS * TILE];
  const int tap = threadIdx.x;
  row[tap] = x[blockIdx.x * width + tap];
  __syncthreads();
  float sum = BIASED ? 1.0f : 0.0f;
  for (int k = 0; k < WINDOW; ++k) sum += row[tap + k];
  if (tap + WINDOW <= COLUMNS) y[blockIdx.x * COLUMNS + tap] = sum / WINDOW;
}
"""


def compiled(window, columns, biased):
    macros = dict(WINDOW=window, COLUMNS=columns, BIASED=int(biased), TILE=2)
    return cupy.RawKernel(CODE, "pool", options=tuple(f"-D{name}={value}" for name, value in macros.items()))


class ModelNew(nn.Module):
    def __init__(self, window, columns, biased):
        super().__init__()
        self.layer = (window, columns, biased)

    def forward(self, x):
        y = torch.empty_like(x)
        with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
            compiled(*self.layer)((x.shape[0],), (x.shape[1],), (x.data_ptr(), y.data_ptr(), cupy.int32(x.shape[1])))
        return y
