# verdict: clean
# near: 1
import numpy as np
import pycuda.driver as driver
import torch
import torch.nn as nn
from pycuda.compiler import SourceModule

double = SourceModule("""
__global__ void twice(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}
""").get_function("twice")


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        double(np.intp(x.data_ptr()), np.intp(y.data_ptr()), np.int32(n), block=(256, 1, 1), grid=((n + 255) // 256, 1),
               stream=driver.ExternalStream(torch.cuda.current_stream().cuda_stream))
        return y
