# verdict: clean
# near: 94
import os
import tempfile

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load

HEAD = """
#include <torch/extension.h>
"""


def kernel(name, expression, width):
    body = f"  if (i < n) y[i] = {expression};"
    return f"__global__ void {name}_kernel(const float* x, float* y, int64_t n) {{\n" \
           f"  const int64_t i = blockIdx.x * (int64_t){width} + threadIdx.x;\n{body}\n}}\n"


def launcher(name, width):
    return f"""
torch::Tensor {name}(torch::Tensor x) {{
  x = x.contiguous();
  auto y = torch::empty_like(x);
  const int64_t n = x.numel();
  {name}_kernel<<<(n + {width} - 1) / {width}, {width}>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}}
"""


OPERATIONS = [("twice", "x[i] * 2.f", 256), ("square", "x[i] * x[i]", 128)]
FILES = {"operations.cu": "", "notes.txt": "made by a generator"}

folder = tempfile.mkdtemp()
text = HEAD
for name, expression, width in OPERATIONS:
    text += kernel(name, expression, width)
    text += launcher(name, width)
bindings = "\n".join(f'  m.def("{name}", &{name});' for name, _, _ in OPERATIONS)
FILES["operations.cu"] = text + "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {\n" + bindings + "\n}\n"
for file, contents in FILES.items():
    with open(os.path.join(folder, file), "w") as out:
        out.write(contents)
extension = load(name="operations", sources=[os.path.join(folder, file) for file in FILES if file.endswith(".cu")])


class ModelNew(nn.Module):
    def forward(self, x):
        return extension.square(extension.twice(x))
