# verdict: review
# shows: 4
import torch
import torch.nn as nn
import triton
import triton.language as tl
from torch._C import _cuda_getCurrentRawStream as get_raw_stream
from torch._inductor.runtime.triton_heuristics import grid
from torch._inductor.select_algorithm import extern_kernels

assert_size_stride = torch._C._dynamo.guards.assert_size_stride
empty_strided_cuda = torch._C._dynamo.guards._empty_strided_cuda
reinterpret_tensor = torch._C._dynamo.guards._reinterpret_tensor


@triton.jit
def add_bias(in_out_ptr, bias_ptr, total, XBLOCK: tl.constexpr):
    index = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)
    inside = index < total
    value = tl.load(in_out_ptr + index, inside) + tl.load(bias_ptr + index % 64, inside)
    tl.store(in_out_ptr + index, value, inside)


def call(args):
    weight, bias, x = args
    args.clear()
    assert_size_stride(weight, (64, 64), (64, 1))
    with torch.cuda._DeviceGuard(0):
        torch.cuda.set_device(0)
        product = empty_strided_cuda((128, 64), (64, 1), torch.float32)
        extern_kernels.mm(x, reinterpret_tensor(weight, (64, 64), (1, 64), 0), out=product)  # expect: KA103
        result = product
        del product
        get_raw_stream(0)
        add_bias[grid(8192)](result, bias, 8192, XBLOCK=256, num_warps=4, num_stages=1)
    return reinterpret_tensor(result, (128, 64), (64, 1), 0), weight


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(64, 64)

    def forward(self, x):
        return call([self.linear.weight, self.linear.bias, x])[0]
