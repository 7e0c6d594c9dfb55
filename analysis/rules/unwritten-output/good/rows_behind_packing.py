# verdict: clean
# near: 57
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <torch/extension.h>
__global__ void turn(const float* w, float* p, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * columns) p[i % columns * rows + i / columns] = w[i];
}
__global__ void multiply(const float* x, const float* p, float* y, int m, int k, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m * n) return;
  float sum = 0.f;
  for (int j = 0; j < k; ++j) sum += x[i / n * k + j] * p[j * n + i % n];
  y[i] = sum;
}
torch::Tensor turned(torch::Tensor w) {
  auto p = torch::empty({w.size(1), w.size(0)}, w.options());
  int all = w.numel();
  turn<<<(all + 255) / 256, 256>>>(w.data_ptr<float>(), p.data_ptr<float>(), w.size(0), w.size(1));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return p;
}
torch::Tensor product(torch::Tensor x, torch::Tensor p) {
  int m = x.size(0), k = x.size(1), n = p.size(1);
  auto y = torch::empty({m, n}, x.options());
  if (m) {
    multiply<<<(m * n + 255) / 256, 256>>>(x.data_ptr<float>(), p.data_ptr<float>(), y.data_ptr<float>(), m, k, n);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  }
  return y;
}
"""
packed = load_inline(
    "packed_product",
    "torch::Tensor turned(torch::Tensor w); torch::Tensor product(torch::Tensor x, torch::Tensor p);",
    SOURCE,
    functions=["turned", "product"],
)


class Turned:
    def __init__(self, path):
        self.path = path

    def __set_name__(self, owner, name):
        self.slot = "_held_" + name

    def __get__(self, obj, owner=None):
        w = obj.get_parameter(self.path)
        stamp = (w._version, w.data_ptr(), w.device)
        held = obj.__dict__.get(self.slot)
        if held is None or held[0] != stamp:
            held = (stamp, packed.turned(w.detach().contiguous()))
            obj.__dict__[self.slot] = held
        return held[1]


class ModelNew(nn.Module):
    panels = Turned("fc.weight")

    def __init__(self, inputs, outputs):
        super().__init__()
        self.fc = nn.Linear(inputs, outputs, bias=False)

    def forward(self, x):
        return packed.product(x.contiguous(), self.panels)
