# verdict: clean
# near: 94
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

HEAD = """#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
"""
BODY = r"""
__global__ void {name}_kernel(const float* x, float* y, long n, float by) {{
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i < n) y[i] = {expression};
}}
torch::Tensor {name}(torch::Tensor x, double by) {{
    auto y = torch::empty_like(x);
    {name}_kernel<<<(x.numel() + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), by);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}}
"""


def build(name, expression):
    return load_inline(name=f"native_{name}", cpp_sources=f"torch::Tensor {name}(torch::Tensor x, double by);",
                       cuda_sources=HEAD + BODY.format(name=name, expression=expression), functions=[name])


scale = build("scaled", "x[i] * by")
shift = build("shifted", "x[i] + by")


class ModelNew(nn.Module):
    def forward(self, x):
        return shift.shifted(scale.scaled(x.contiguous(), 2.0), 1.0)


def get_inputs():
    return [torch.randn(64, 1024)]


def get_init_inputs():
    return []
