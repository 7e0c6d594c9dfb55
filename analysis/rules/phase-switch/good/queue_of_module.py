# verdict: clean
# near: 17
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <torch/extension.h>

__global__ void twice(const float* x, float* y, unsigned* next, unsigned tiles) {
  __shared__ unsigned tile;
  while (true) {
    __syncthreads();
    if (threadIdx.x == 0) tile = atomicAdd(next, 1u);
    __syncthreads();
    if (tile >= tiles) return;
    y[tile * 256 + threadIdx.x] = x[tile * 256 + threadIdx.x] * 2.f;
  }
}

void run(torch::Tensor x, torch::Tensor y, torch::Tensor next) {
  auto stream = at::cuda::getCurrentCUDAStream();
  auto* ticket = reinterpret_cast<unsigned*>(next.data_ptr<int>());
  C10_CUDA_CHECK(cudaMemsetAsync(ticket, 0, sizeof(unsigned), stream));
  twice<<<128, 256, 0, stream>>>(x.data_ptr<float>(), y.data_ptr<float>(), ticket, x.numel() / 256);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}
"""
extension = load_inline(
    name="tickets",
    cpp_sources="void run(torch::Tensor x, torch::Tensor y, torch::Tensor next);",
    cuda_sources=SOURCE,
    functions=["run"],
)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("next", torch.zeros(1, dtype=torch.int32), persistent=False)

    def forward(self, x):
        if x.numel() % 256:
            raise ValueError("whole tiles")
        x = x.contiguous()
        if self.next.device != x.device:
            self.next = self.next.to(x.device)
        y = torch.empty_like(x)
        extension.run(x, y, self.next)
        return y
