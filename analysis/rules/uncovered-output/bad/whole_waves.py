# verdict: review
# shows: 68, hidden by a division that rounds down
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def double(x, y, rows, columns, waves, R: tl.constexpr, C: tl.constexpr):
    for wave in range(0, waves):
        tile = tl.program_id(0) + wave * tl.num_programs(0)
        row = tile // tl.cdiv(columns, C) * R + tl.arange(0, R)
        column = tile % tl.cdiv(columns, C) * C + tl.arange(0, C)
        at = row[:, None] * columns + column[None, :]
        keep = (row[:, None] < rows) & (column[None, :] < columns)
        tl.store(y + at, tl.load(x + at, mask=keep) * 2.0, mask=keep)


class ModelNew(nn.Module):
    def plan(self, rows, columns, device):
        tiles = triton.cdiv(rows, 32) * triton.cdiv(columns, 64)
        width = min(tiles, torch.cuda.get_device_properties(device).multi_processor_count)
        return width, tiles // width

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        rows, columns = x.shape
        width, waves = self.plan(rows, columns, x.device)
        double[(width,)](x, y, rows, columns, waves, R=32, C=64)  # expect: KA831
        return y


def get_inputs():
    return [torch.randn(4096, 1024)]
