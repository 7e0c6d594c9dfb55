# verdict: review
# shows: 26, 27
import ctypes

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <torch/extension.h>
#include <cstring>
__global__ void scale_kernel(const float* x, float* y, long n) {
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * 2.0f;
}
struct Plan { int64_t threads; int64_t queue; };
torch::Tensor scaled(torch::Tensor x, torch::Tensor plan) {
    Plan p;
    std::memcpy(&p, plan.data_ptr<int64_t>(), sizeof p);
    auto y = torch::empty_like(x);
    scale_kernel<<<(x.numel() + p.threads - 1) / p.threads, p.threads, 0, reinterpret_cast<cudaStream_t>(p.queue)>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());  // expect: KA301
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}
"""
native = load_inline("scaled_on", "torch::Tensor scaled(torch::Tensor x, torch::Tensor plan);", SOURCE, functions=["scaled"])


def queue():
    handle = ctypes.c_void_p()
    ctypes.CDLL("libcudart.so").cudaStreamCreateWithFlags(ctypes.byref(handle), 1)
    return handle.value or 0


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.plan = None

    def forward(self, x):
        if self.plan is None:
            self.plan = torch.tensor([256, queue()], dtype=torch.int64)
        return native.scaled(x.contiguous(), self.plan)


def get_inputs():
    return [torch.randn(512, 1024)]


def get_init_inputs():
    return []
