# verdict: clean
# near: 94
import functools
from dataclasses import astuple, dataclass

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

TEMPLATE = r"""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
constexpr int WINDOW = %(window)d, STEP = %(step)d;
__global__ void slide(const float* x, float* y, int rows, int width, int out) {
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i >= (long)rows * out) return;
    const float* from = x + (i / out) * width + (i %% out) * STEP;
    float sum = 0.0f;
    for (int k = 0; k < WINDOW; ++k) sum += from[k];
    y[i] = sum / WINDOW;
}
torch::Tensor slid(torch::Tensor x) {
    int rows = x.size(0), width = x.size(1), out = (width - WINDOW) / STEP + 1;
    TORCH_CHECK(out > 0, "the window is wider than the rows");
    auto y = torch::empty({rows, out}, x.options());
    slide<<<((long)rows * out + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), rows, width, out);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}
"""


@dataclass(frozen=True)
class Window:
    size: int
    step: int

    @property
    def tag(self):
        return "slide_" + "_".join(map(str, astuple(self)))


@functools.lru_cache(maxsize=None)
def build(window):
    source = TEMPLATE % {"window": window.size, "step": window.step}
    return load_inline(window.tag, "torch::Tensor slid(torch::Tensor x);", source, functions=["slid"])


class ModelNew(nn.Module):
    def __init__(self, size, step):
        super().__init__()
        self.window = Window(size, step)

    def forward(self, x):
        return build(self.window).slid(x.contiguous())


def get_inputs():
    return [torch.randn(512, 4096)]


def get_init_inputs():
    return [5, 2]
