# verdict: review
# shows: 13
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mix_kernel(a, b, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, 0.5 * (tl.load(a + i, mask=keep) + tl.load(b + i, mask=keep)), mask=keep)


def mix(a, b):
    y = torch.empty_like(a)
    n = a.numel()
    mix_kernel[(triton.cdiv(n, 1024),)](a, b, y, n, BLOCK=1024)
    return y


class ModelNew(nn.Module):
    """Mixes the last two inputs. Which elements of the list those are is not told apart."""

    def __init__(self):
        super().__init__()
        self.last = []

    def forward(self, x):
        self.last.append(x)
        if len(self.last) > 2:
            self.last.pop(0)
            return mix(self.last[0], self.last[1])  # expect: KA201
        return mix(x, x)
