# verdict: inconclusive
# shows: 94
import base64

import cupy
import torch
import torch.nn as nn

CODE = base64.b64decode("f0VMRgIBAQAAAAAAAAAAAAIAvgABAAAA")
module = cupy.RawModule(code=CODE)  # expect: KA721
kernel = module.get_function("scale")


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel((x.numel() // 256,), (256,), (x.data_ptr(), y.data_ptr(), x.numel()))
        return y
