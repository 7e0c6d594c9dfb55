# verdict: cheat
# shows: 2, hidden by a method of a class that is bound
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>

__global__ void scale_kernel(const float* x, float* y, float by, int n) {  // expect: KA115
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * by;
}

struct Scaler {
  double by;
  explicit Scaler(double factor) : by(factor) {}
  torch::Tensor run(torch::Tensor x) const {
    return torch::relu(x) * by;  // expect: KA101
  }
  torch::Tensor run(torch::Tensor x, torch::Tensor y) const { return x + y; }
  static torch::Tensor plain(torch::Tensor x) { return x; }
};

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  py::class_<Scaler>(m, "Scaler")
      .def(py::init<double>())
      .def("apply", static_cast<torch::Tensor (Scaler::*)(torch::Tensor) const>(&Scaler::run))
      .def_static("plain", &Scaler::plain);
}
"""
ext = load_inline(name="scaler_ext", cpp_sources="", cuda_sources=source)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.scaler = ext.Scaler(2.0)

    def forward(self, x):
        return self.scaler.apply(x)
