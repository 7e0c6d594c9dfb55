# verdict: clean
# near: 94
import pathlib
import tempfile

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load

HEAD = """
#include <torch/extension.h>
"""
KERNEL = """
__global__ void {name}_kernel(const float* x, float* y, int64_t n) {{
  const int64_t i = (blockIdx.x * (int64_t)blockDim.x + threadIdx.x) * 4;
{body}
}}
torch::Tensor {name}(torch::Tensor x) {{
  x = x.contiguous();
  auto y = torch::empty_like(x);
  const int64_t n = x.numel();
  {name}_kernel<<<(n / 4 + 256) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}}
"""
TABLE = [dict(name="twice", factor="2.f"), dict(name="thrice", factor="3.f")]


class Generator:
    def __init__(self, table):
        self.table = table

    def source(self):
        parts = [HEAD]
        for row in self.table:
            body = "\n".join(f"  if (i + {k} < n) y[i + {k}] = x[i + {k}] * {row['factor']};" for k in range(4))
            parts.append(KERNEL.format(name=row["name"], body=body))
        names = [row["name"] for row in self.table]
        bindings = "\n".join(map(lambda name: f'  m.def("{name}", &{name});', names))
        return "\n".join(parts) + "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {\n" + bindings + "\n}\n"


folder = pathlib.Path(tempfile.mkdtemp())
(folder / "operations.cu").write_text(Generator(TABLE).source())
extension = load(name="operations", sources=[str(path) for path in folder.glob("*.cu")])


class ModelNew(nn.Module):
    def forward(self, x):
        return extension.thrice(extension.twice(x))
