# verdict: clean
# near: 68
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <torch/extension.h>
__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

torch::Tensor run(torch::Tensor x, double share) {
  auto y = torch::empty_like(x);
  const int n = x.numel();
  const int blocks = (int)(share * ((n + 255) / 256));
  twice_kernel<<<blocks, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("run", &run, py::arg("x"), py::arg("share") = 1.0); }
"""
ext = load_inline("default_whole", "", SOURCE)


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.run(x.contiguous())


def get_inputs():
    return [torch.randn(64, 1024)]


def get_init_inputs():
    return []
