# verdict: review
# shows: 68, hidden by pointers to blocks
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_sums(x, y, rows, columns, R: tl.constexpr, C: tl.constexpr):
    tile = tl.make_block_ptr(x, (rows, columns), (columns, 1), (tl.program_id(0) * R, 0), (R, C), (1, 0))
    sums = tl.zeros((R,), tl.float32)
    for _ in range(0, columns * 7 // 8, C):
        sums += tl.sum(tl.load(tile, boundary_check=(0, 1)), axis=1)  # expect: KA833
        tile = tl.advance(tile, (0, C))
    row = tl.program_id(0) * R + tl.arange(0, R)
    tl.store(y + row, sums, mask=row < rows)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        rows, columns = x.shape
        y = torch.empty(rows, device=x.device)
        row_sums[(triton.cdiv(rows, 16),)](x, y, rows, columns, R=16, C=64)
        return y


def get_inputs():
    return [torch.randn(1024, 2048)]
