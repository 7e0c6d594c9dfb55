# verdict: clean
# near: 94
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

HEAD = r"""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
"""
SCALE = HEAD + r"""
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
SHIFT = HEAD + r"""
__global__ void shift(const float* x, float* y, long n, float by) {
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] + by;
}
torch::Tensor shifted(torch::Tensor x, double by) {
    auto y = torch::empty_like(x);
    shift<<<(x.numel() + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), by);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}
"""


class BuiltOnDemand:
    """Builds on the first access and puts the module in its own place."""

    def __init__(self, source, function):
        self.source, self.function = source, function
        self.declared = f"torch::Tensor {function}(torch::Tensor x, double by);"

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner):
        built = load_inline(name="native_" + self.name, cpp_sources=self.declared, cuda_sources=self.source, functions=[self.function])
        setattr(owner, self.name, built)
        return built


class Native:
    scale = BuiltOnDemand(SCALE, "scaled")


class ModelNew(nn.Module):
    moved = BuiltOnDemand(SHIFT, "shifted")

    def forward(self, x):
        return self.moved.shifted(Native.scale.scaled(x.contiguous(), 2.0), 1.0)


def get_inputs():
    return [torch.randn(64, 1024)]


def get_init_inputs():
    return []
