# verdict: clean
# near: 2, a class that is bound, with a kernel in its method
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>

__global__ void scale_kernel(const float* x, float* y, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * by;
}

struct Scaler {
  double by;
  explicit Scaler(double factor) : by(factor) {}
  torch::Tensor run(torch::Tensor x) const {
    auto y = torch::empty_like(x);
    scale_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), by, x.numel());
    return y;
  }
  torch::Tensor run(torch::Tensor x, torch::Tensor y) const { return torch::relu(x) + y; }
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
