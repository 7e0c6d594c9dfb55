# verdict: review
# shows: 66, hidden by a structure
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
struct Layer {
  const float *x, *weight, *down, *up;
  float* y;
  int outputs, inputs, turns;
};
__global__ void adapted(Layer layer) {
  const int o = blockIdx.x * blockDim.x + threadIdx.x;
  if (o >= layer.outputs) return;
  const float* row = layer.x + (size_t)blockIdx.y * layer.inputs;
  float sum = 0.f;
  for (int i = 0; i < layer.inputs; ++i) sum += row[i] * layer.weight[(size_t)o * layer.inputs + i];
  for (int r = 0; r < layer.turns; ++r) {
    float part = 0.f;
    for (int i = 0; i < layer.inputs; ++i) part += row[i] * layer.down[r * layer.inputs + i];
    sum += part * layer.up[o * layer.turns + r];
  }
  layer.y[(size_t)blockIdx.y * layer.outputs + o] = sum;
}
torch::Tensor adapt(torch::Tensor x, torch::Tensor weight, torch::Tensor down, torch::Tensor up) {
  auto y = torch::empty({x.size(0), weight.size(0)}, x.options());
  Layer layer{x.data_ptr<float>(), weight.data_ptr<float>(), down.data_ptr<float>(), up.data_ptr<float>(),
              y.data_ptr<float>(), (int)weight.size(0), (int)weight.size(1), (int)(down.size(0) / 32)};
  adapted<<<dim3((layer.outputs + 127) / 128, x.size(0)), 128, 0, at::cuda::getCurrentCUDAStream()>>>(layer);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""
ext = load_inline(
    "adapted", "torch::Tensor adapt(torch::Tensor x, torch::Tensor weight, torch::Tensor down, torch::Tensor up);",
    source, functions=["adapt"])


class ModelNew(nn.Module):
    def __init__(self, inputs, outputs, rank):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs))
        self.down = nn.Parameter(torch.randn(rank, inputs))  # expect: KA811
        self.up = nn.Parameter(torch.zeros(outputs, rank))  # expect: KA811

    def forward(self, x):
        return ext.adapt(x, self.weight, self.down, self.up)


def get_inputs():
    return [torch.rand(64, 1024)]


def get_init_inputs():
    return [1024, 512, 8]
