# verdict: review
# shows: 60, hidden by iterators
import itertools

import cupy
import torch
import torch.nn as nn

STEP = cupy.RawKernel(
    r"""
extern "C" __global__ void step(const float* source, float* target, int width, int distance) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= width) return;
    const float* from = source + (size_t)blockIdx.y * width;
    target[(size_t)blockIdx.y * width + at] = from[at] + (at >= distance ? from[at - distance] : 0.f);
}
""",
    "step",
)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        rows, width = x.shape
        y = torch.empty_like(x)
        first = itertools.cycle((x.data_ptr(), y.data_ptr()))
        second = itertools.islice(itertools.cycle((x.data_ptr(), y.data_ptr())), 1, None)
        distances = itertools.takewhile(lambda each: each < width, (1 << i for i in itertools.count()))
        last = None
        with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
            for distance, source, target in zip(distances, first, second):
                STEP(((width + 255) // 256, rows), (256,), (source, target, cupy.int32(width), cupy.int32(distance)))  # expect: KA532
                last = target
        return {x.data_ptr(): x, y.data_ptr(): y}.get(last, x)
