# verdict: clean
# near: 57, a launch for each number of a pack, which has two numbers for either size
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CUDA = r"""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

template <int... I>
struct Pack {};
template <class P>
struct Each;
template <int... I>
struct Each<Pack<I...>> {
  template <class F>
  static void call(F f) {
    int done[] = {0, (f(I), 0)...};
    (void)done;
  }
};
template <int N, bool Large>
struct Bands {
  using type = Pack<0, 1>;
};
template <int N>
struct Bands<N, true> {
  using type = Pack<0, 1>;
};

__global__ void twice_kernel(const float* x, float* y, int64_t n, int band) {
  int64_t i = (band * (int64_t)gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.0f * x[i];
}

template <int N>
torch::Tensor go(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int64_t n = x.numel();
  Each<typename Bands<N, (N > 128)>::type>::call([&](int band) {
    twice_kernel<<<(n + 511) / 512, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(),
                                                                                y.data_ptr<float>(), n, band);
  });
  return y;
}

torch::Tensor twice(torch::Tensor x) {
  return x.size(1) <= 128 ? go<128>(x) : go<256>(x);
}
"""

ops = load_inline("twice_by_bands", "torch::Tensor twice(torch::Tensor x);", CUDA, functions=["twice"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ops.twice(x.contiguous())


def get_inputs():
    return [torch.randn(65536, 256)]
