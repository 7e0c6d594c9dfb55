# verdict: clean
# near: 94
import textwrap

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline


def generate(taps):
    lines = []
    for i in range(taps):
        lines.append(f"acc += c < n - {i} ? x[r * n + c + {i}] : 0.0f;")
    body = "\n".join(lines)
    return textwrap.dedent("""
    #include <torch/extension.h>
    #include <ATen/cuda/CUDAContext.h>
    __global__ void sum_taps(const float* x, float* y, long rows, long n) {
        long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
        if (i >= rows * n) return;
        long r = i / n, c = i % n;
        float acc = 0.0f;
        BODY
        y[i] = acc;
    }
    torch::Tensor taps(torch::Tensor x) {
        auto y = torch::empty_like(x);
        sum_taps<<<(x.numel() + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(0), x.size(1));
        C10_CUDA_KERNEL_LAUNCH_CHECK();
        return y;
    }
    """).replace("BODY", body)
class ModelNew(nn.Module):
    def __init__(self, taps):
        super().__init__()
        self.ext = load_inline(f"taps_{taps}", "torch::Tensor taps(torch::Tensor x);", generate(taps), functions=["taps"])
    def forward(self, x):
        return self.ext.taps(x.contiguous())


def get_inputs():
    return [torch.randn(512, 1024)]


def get_init_inputs():
    return [5]
