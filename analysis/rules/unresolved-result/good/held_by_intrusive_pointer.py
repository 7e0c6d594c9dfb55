# verdict: clean
# near: 94
import torch, torch.nn as nn
from torch.utils.cpp_extension import load_inline
SRC = r'''
#include <torch/extension.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/custom_class.h>
__global__ void twice(const float* x, float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = 2 * x[i]; }
struct Doubler : torch::CustomClassHolder {
  torch::Tensor run(torch::Tensor x) {
    const at::cuda::OptionalCUDAGuard guard(x.device());
    auto y = torch::empty_like(x);
    twice<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
    return y;
  }
};
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  py::class_<Doubler, c10::intrusive_ptr<Doubler>>(m, "Doubler").def(py::init([] { return c10::make_intrusive<Doubler>(); })).def("run", &Doubler::run);
}
'''
ext = load_inline(name="doubler", cpp_sources="", cuda_sources=SRC)
class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.op = ext.Doubler()
    def forward(self, x):
        return self.op.run(x)
