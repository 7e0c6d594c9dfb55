# verdict: clean
# near: 49
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def unpack_times(x, q, s, y, N, K, BLOCK: tl.constexpr):
    m = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    n = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK, BLOCK), tl.float32)
    for start in range(0, K, BLOCK):
        k = start + tl.arange(0, BLOCK)
        left = tl.load(x + m[:, None] * K + k[None, :])
        right = tl.load(q + n[None, :] * K + k[:, None])
        total += tl.dot(left, right.to(tl.float16))  # eight bits become sixteen
    scale = tl.load(s + n)
    tl.store(y + m[:, None] * N + n[None, :], (total * scale[None, :]).to(tl.float16))


class ModelNew(nn.Module):
    def __init__(self, features, outputs):
        super().__init__()
        self.register_buffer("q", torch.randint(-127, 128, (outputs, features), dtype=torch.int8))
        self.register_buffer("s", torch.rand(outputs).half())

    def forward(self, x):
        outputs, features = self.q.shape
        y = torch.empty(x.shape[0], outputs, device=x.device, dtype=x.dtype)
        grid = (x.shape[0] // 32, outputs // 32)
        unpack_times[grid](x, self.q.contiguous(), self.s, y, outputs, features, BLOCK=32)
        return y
