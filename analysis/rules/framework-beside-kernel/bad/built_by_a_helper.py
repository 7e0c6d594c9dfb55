# verdict: review
# shows: 4
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

HEAD = """#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
"""
DENSE = HEAD + r"""
torch::Tensor dense(torch::Tensor x, torch::Tensor w) { return at::matmul(x, w); }  // expect: KA103
"""
RELU = HEAD + r"""
__global__ void relu_kernel(const float* x, float* y, long n) {
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i < n) y[i] = fmaxf(x[i], 0.0f);
}
torch::Tensor relu(torch::Tensor x) {
    auto y = torch::empty_like(x);
    relu_kernel<<<(x.numel() + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}
"""


def build(name, source, given):
    return load_inline(name=f"native_{name}", cpp_sources=f"torch::Tensor {name}({given});", cuda_sources=source,
                       functions=[name])


first = build("dense", DENSE, "torch::Tensor x, torch::Tensor w")
second = build("relu", RELU, "torch::Tensor x")


class ModelNew(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(inner, outer))

    def forward(self, x):
        return second.relu(first.dense(x.contiguous(), self.weight))


def get_inputs():
    return [torch.randn(512, 1024)]


def get_init_inputs():
    return [1024, 2048]
