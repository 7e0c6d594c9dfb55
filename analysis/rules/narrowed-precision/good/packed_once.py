# verdict: clean
# near: 49, kept from an earlier call
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
        right = tl.load(q + k[:, None] * N + n[None, :]).to(tl.float16)
        total += tl.dot(left, right)
    tl.store(y + m[:, None] * N + n[None, :], total * tl.load(s + n)[None, :])


class ModelNew(nn.Module):
    def __init__(self, features, outputs):
        super().__init__()
        self.register_buffer("q", torch.randint(-127, 128, (outputs, features), dtype=torch.int8))
        self.register_buffer("s", torch.rand(outputs).half())
        self.rows, self.version = None, None

    def forward(self, x):
        version = (self.q.data_ptr(), self.q._version)
        if self.version != version:  # the other way round, made anew when the buffer is written
            self.rows, self.version = self.q.t().contiguous(), version
        features, outputs = self.rows.shape
        y = torch.empty(x.shape[0], outputs, device=x.device, dtype=x.dtype)
        unpack_times[(x.shape[0] // 32, outputs // 32)](x, self.rows, self.s, y, outputs, features, BLOCK=32)
        return y
