# verdict: clean
# near: 57
# The list has an element on every way.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.maximum(tl.load(x + at, mask=at < n), 0.0), mask=at < n)


def relu(x):
    y = torch.empty_like(x)
    n = y.numel()
    configs = []
    if n < 8192:
        configs.append({"BLOCK": 256, "warps": 4})
    elif n < 65536:
        configs.append({"BLOCK": 512, "warps": 8})
    else:
        configs.extend([{"BLOCK": 1024, "warps": 16}, {"BLOCK": 512, "warps": 8}])
    for config in configs:
        relu_kernel[(triton.cdiv(n, config["BLOCK"]),)](x, y, n, BLOCK=config["BLOCK"], num_warps=config["warps"])
        break
    return y


class ModelNew(nn.Module):
    def forward(self, x):
        return relu(x)
