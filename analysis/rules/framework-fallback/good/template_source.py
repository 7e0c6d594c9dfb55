# verdict: clean
# near: 1
import pathlib
import string
import tempfile

import torch.nn as nn
from torch.utils.cpp_extension import load

SOURCE = string.Template(r"""
#include <torch/extension.h>
__global__ void scaled(const float* x, float* y, int n) {
  int i = blockIdx.x * $threads + threadIdx.x;
  if (i < n) y[i] = x[i] * ${factor}f;
}
torch::Tensor run(torch::Tensor x) {
  auto y = torch::empty_like(x);
  scaled<<<(x.numel() + $threads - 1) / $threads, $threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("run", &run); }
""")


def build():
    folder = pathlib.Path(tempfile.gettempdir()) / "scaled"
    folder.mkdir(exist_ok=True)
    files = []
    for name, text in (("scaled.cu", SOURCE.substitute(threads=256, factor=2.0)),):
        path = folder / name
        path.write_text(text)
        files.append(str(path))
    return load(name="scaled", sources=files)


extension = build()


class ModelNew(nn.Module):
    def forward(self, x):
        return extension.run(x)
