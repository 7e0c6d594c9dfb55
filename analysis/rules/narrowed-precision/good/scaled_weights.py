# verdict: clean
# near: 49
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>
#include <cuda_fp16.h>

__global__ void rows(const __half* x, const signed char* w, const float* scale, __half* y, int n) {
  float sum = 0.f;
  for (int i = 0; i < n; ++i) sum += __half2float(x[i]) * (float)w[threadIdx.x * n + i];
  y[threadIdx.x] = __float2half(sum * scale[threadIdx.x]);
}

torch::Tensor run(torch::Tensor x, torch::Tensor w, torch::Tensor scale) {
  auto y = torch::empty({w.size(0)}, x.options());
  rows<<<1, w.size(0)>>>(reinterpret_cast<const __half*>(x.data_ptr<at::Half>()), w.data_ptr<signed char>(),
                         scale.data_ptr<float>(), reinterpret_cast<__half*>(y.data_ptr<at::Half>()), x.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""
ext = load_inline(name="scaled_ext", cpp_sources="torch::Tensor run(torch::Tensor x, torch::Tensor w, torch::Tensor s);",
                  cuda_sources=source, functions=["run"])


class ModelNew(nn.Module):
    def forward(self, x, w, scale):
        return ext.run(x, w, scale)
