# verdict: clean
# near: 68
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def last_norm(x, y, steps, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    keep = at < columns
    v = tl.load(x + (tl.program_id(0) * steps + steps - 1) * columns + at, mask=keep, other=0.0)
    tl.store(y + tl.program_id(0) * columns + at, v * tl.rsqrt(tl.sum(v * v, axis=0)), mask=keep)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        count, steps, columns = x.shape
        y = torch.empty(count, columns, device=x.device)
        last_norm[(count,)](x, y, steps, columns, BLOCK=triton.next_power_of_2(columns))
        return y


def get_inputs():
    return [torch.randn(8, 512, 256)]
