# verdict: clean
# near: 57
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def by_methods(x, y, rows, width, TALL: tl.constexpr, WIDE: tl.constexpr):
    source = tl.make_tensor_descriptor(x, shape=[rows, width], strides=[width, 1], block_shape=[TALL, WIDE])
    target = tl.make_tensor_descriptor(y, shape=[rows, width], strides=[width, 1], block_shape=[TALL, WIDE])
    at = [tl.program_id(0) * TALL, tl.program_id(1) * WIDE]
    target.store(at, tl.exp(source.load(at)))


@triton.jit
def by_functions(x, y, rows, width, TALL: tl.constexpr, WIDE: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [rows, width], [width, 1], [TALL, WIDE])
    target = tl.make_tensor_descriptor(y, [rows, width], [width, 1], [TALL, WIDE])
    at = [tl.program_id(0) * TALL, tl.program_id(1) * WIDE]
    tl.store_tensor_descriptor(target, at, tl.sigmoid(tl.load_tensor_descriptor(source, at)))


@triton.jit
def into_blocks(x, y, rows, width, TALL: tl.constexpr, WIDE: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [rows, width], [width, 1], [TALL, WIDE])
    row, column = tl.program_id(0) * TALL, tl.program_id(1) * WIDE
    target = tl.make_block_ptr(y, (rows, width), (width, 1), (row, column), (TALL, WIDE), (1, 0))
    tl.store(target, tl.sin(source.load([row, column])), boundary_check=(0, 1))


@triton.jit
def added_up(x, y, rows, width, TALL: tl.constexpr, WIDE: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [rows, width], [width, 1], [TALL, WIDE])
    total = tl.make_tensor_descriptor(y, [TALL, width], [width, 1], [TALL, WIDE])
    row, column = tl.program_id(0) * TALL, tl.program_id(1) * WIDE
    total.atomic_add([0, column], source.load([row, column]))


def space(size, alignment, stream):
    return torch.empty(size, device="cuda", dtype=torch.int8)


class ModelNew(nn.Module):
    def forward(self, x):
        triton.set_allocator(space)
        x = x.contiguous()
        rows, width = x.shape
        grid = (triton.cdiv(rows, 64), triton.cdiv(width, 64))
        outputs = [torch.empty_like(x) for _ in range(3)]
        total = torch.zeros(64, width, device=x.device)
        by_methods[grid](x, outputs[0], rows, width, 64, 64)
        by_functions[grid](x, outputs[1], rows, width, 64, 64)
        into_blocks[grid](x, outputs[2], rows, width, 64, 64)
        added_up[grid](x, total, rows, width, 64, 64)
        return outputs[0], outputs[1], outputs[2], total


def get_inputs():
    return [torch.randn(4096, 4096)]
