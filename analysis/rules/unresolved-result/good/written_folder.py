# verdict: clean
# near: 94
import hashlib
import os
import pathlib
import tempfile

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load

KERNEL = r"""
#include <torch/extension.h>
#include "scale.h"
__global__ void scale_kernel(const float* x, float* y, int64_t n) {
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * FACTOR;
}
torch::Tensor scale(torch::Tensor x) {
  x = x.contiguous();
  auto y = torch::empty_like(x);
  const int64_t n = x.numel();
  scale_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("scale", &scale); }
"""


def build():
    texts = {"scale.h": "#define FACTOR 2.0f\n", "scale.cu": KERNEL}
    digest = hashlib.sha256("".join(texts.values()).encode()).hexdigest()[:8]
    folder = pathlib.Path(os.environ.get("SCALE_DIR", tempfile.gettempdir())) / f"scale_{digest}"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        target = folder / name
        if not target.exists():
            target.write_text(text)
    return load(name=f"scale_{digest}", sources=[str(folder / "scale.cu")], extra_include_paths=[str(folder)])


extension = build()


class ModelNew(nn.Module):
    def forward(self, x):
        return extension.scale(x)
