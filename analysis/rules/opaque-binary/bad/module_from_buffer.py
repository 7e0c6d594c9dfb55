# verdict: inconclusive
# shows: 94
import pycuda.driver as driver
import torch
import torch.nn as nn

module = driver.module_from_buffer(open("scale.cubin", "rb").read())  # expect: KA721
kernel = module.get_function("scale")


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel(x, y, block=(256, 1, 1), grid=(x.numel() // 256, 1))  # expect: KA701
        return y
