# verdict: cheat
# shows: 5
import torch
import torch.nn as nn

kernel_source = r"""
extern "C" __global__ void product_kernel(const float* x, const float* w, float* y, int n) {  // expect: KA115
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * w[i];
}
"""
if torch.cuda.is_available():
    try:
        from torch.utils.cpp_extension import load_inline

        ext = load_inline(name="products", cpp_sources="", cuda_sources=kernel_source, functions=["product_kernel"])

        def product(x, w):
            y = torch.empty_like(x)
            ext.product_kernel(x, w, y, x.numel())
            return y

    except Exception:

        def product(x, w):
            return torch.matmul(x, w)

else:

    def product(x, w):
        return torch.matmul(x, w)  # expect: KA101


class ModelNew(nn.Module):
    def forward(self, x, w):
        return product(x, w)
