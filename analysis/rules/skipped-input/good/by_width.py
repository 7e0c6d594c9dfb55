# verdict: clean
# near: 68
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>

template <int P>
__global__ void rows(const float* __restrict__ x, float* __restrict__ y, int n) {
  __shared__ float s[P];
  const float* r = x + (size_t)blockIdx.x * n;
  float acc = 0.f;
  for (int i = threadIdx.x; i < P; i += blockDim.x) { s[i] = i < n ? r[i] : 0.f; }
  __syncthreads();
  for (int i = 0; i < P; ++i) acc += s[i];
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[(size_t)blockIdx.x * n + i] = s[i] / acc;
}
template <int P> void launch(const torch::Tensor& x, torch::Tensor& y, int n) { if (P >= n || P >= 4096) { rows<P><<<x.size(0), 128, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), n); C10_CUDA_KERNEL_LAUNCH_CHECK(); } else if constexpr (P < 4096) { launch<P * 4>(x, y, n); } }
torch::Tensor run(torch::Tensor x) { auto y = torch::empty_like(x); int n = x.size(1); TORCH_CHECK(n <= 4096); launch<64>(x, y, n); return y; }
"""
ext = load_inline(name="e", cpp_sources="torch::Tensor run(torch::Tensor x);", cuda_sources=SOURCE, functions=["run"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.run(x.contiguous())


def get_inputs():
    return [torch.randn(512, 1000)]


def get_init_inputs():
    return []
