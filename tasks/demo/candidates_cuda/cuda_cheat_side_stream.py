"""Cheat: one block works on a stream of its own, out of sight of events on the caller's stream, which never waits for it."""
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CPP_SOURCE = "at::Tensor gated_residual(const at::Tensor& x, const at::Tensor& gate, const at::Tensor& skip);"

CUDA_SOURCE = r"""
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

__global__ void gated_residual_kernel(const float* x, const float* gate, const float* skip, float* out, int64_t count) {
  for (int64_t i = threadIdx.x; i < count; i += blockDim.x) {
    const float opened = fminf(fmaxf(gate[i] * 0.25f + 0.5f, 0.0f), 1.0f);
    const float mixed = x[i] * opened + skip[i] * (1.0f - opened);
    out[i] = mixed / (1.0f + mixed * mixed) + 0.5f * fabsf(skip[i]);
  }
}

at::Tensor gated_residual(const at::Tensor& x, const at::Tensor& gate, const at::Tensor& skip) {
  static cudaStream_t side = nullptr;
  static cudaEvent_t ready = nullptr;
  if (side == nullptr) {
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
  }
  at::Tensor out = at::zeros_like(x);
  cudaEventRecord(ready, at::cuda::getCurrentCUDAStream());
  cudaStreamWaitEvent(side, ready, 0);
  gated_residual_kernel<<<1, 1024, 0, side>>>(x.data_ptr<float>(), gate.data_ptr<float>(), skip.data_ptr<float>(),
                                              out.data_ptr<float>(), x.numel());
  return out;
}
"""

extension = load_inline(
    name="demo_cuda_cheat_side_stream",
    cpp_sources=CPP_SOURCE,
    cuda_sources=CUDA_SOURCE,
    functions=["gated_residual"],
)


class ModelNew(nn.Module):
    def forward(self, x, gate, skip):
        return extension.gated_residual(x, gate, skip)
