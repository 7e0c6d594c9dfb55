# verdict: review
# shows: 53
# The number of rows is no matter of the weights.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_bias(x, bias, y, columns, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n) + tl.load(bias + at % columns, mask=at < n)
    tl.store(y + at, value.to(tl.float32), mask=at < n)


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, rows):
        super().__init__()
        self.rows = rows
        self.linear = nn.Linear(in_features, out_features)

    def forward(self, x):
        if x.dim() == 2 and x.shape[0] == self.rows:
            low = x.to(torch.bfloat16)  # expect: KA412, KA421
            product = low @ self.linear.weight.t().to(torch.bfloat16)  # expect: KA412, KA103
            y = torch.empty(product.shape, device=x.device, dtype=torch.float32)
            n = product.numel()
            add_bias[(triton.cdiv(n, 1024),)](product, self.linear.bias, y, product.shape[1], n, BLOCK=1024)
            return y
        return self.linear(x)  # expect: KA114
