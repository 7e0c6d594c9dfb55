# verdict: clean
# near: 94
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CU = r"""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
__global__ void scale(const float* x, float* y, long n, float by) {
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * by;
}
torch::Tensor scaled(torch::Tensor x, double by) {
    auto y = torch::empty_like(x);
    scale<<<(x.numel() + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), by);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}
"""
DECL = "torch::Tensor scaled(torch::Tensor x, double by);"

class Natives:
    def __getattr__(self, name):
        made = load_inline("p1_" + name, DECL, CU, functions=[name])
        fn = getattr(made, name)
        setattr(self, name, fn)
        return fn
natives = Natives()
class ModelNew(nn.Module):
    def forward(self, x):
        return natives.scaled(x.contiguous(), 2.0)


def get_inputs():
    return [torch.randn(512, 1024)]


def get_init_inputs():
    return []
