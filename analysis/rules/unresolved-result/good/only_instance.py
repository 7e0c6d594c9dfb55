# verdict: clean
# near: 94
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <torch/extension.h>
__global__ void relu_kernel(const float* x, float* y, long n) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaxf(x[i], 0.0f);
}
torch::Tensor relu(torch::Tensor x) {
  auto y = torch::empty_like(x);
  relu_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""


class Kernels:
    _instance = None

    def __new__(cls):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
            cls._instance.module = load_inline(
                "relu_only", "torch::Tensor relu(torch::Tensor x);", SOURCE, functions=["relu"]
            )
        return cls._instance


class Job:
    @classmethod
    def of(cls, x):
        job = cls.__new__(cls)
        job.x = x
        return job

    def run(self):
        return Kernels().module.relu(self.x)


class ModelNew(nn.Module):
    def forward(self, x):
        return Job.of(x.contiguous()).run()


def get_inputs():
    return [torch.randn(4096, 4096)]
