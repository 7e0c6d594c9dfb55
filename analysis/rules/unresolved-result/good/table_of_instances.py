# verdict: clean
# near: 94
import functools

import cupy
import torch
import torch.nn as nn

CODE = r"""
template <int THREADS, int EACH>
__global__ void scale_rows(const float* x, float* y, int width, float by) {
    const float* row = x + (long long)blockIdx.x * width;
    float held[EACH];
    for (int i = 0; i < EACH; ++i) {
        int c = i * THREADS + threadIdx.x;
        held[i] = c < width ? row[c] * by : 0.0f;
    }
    for (int i = 0; i < EACH; ++i) {
        int c = i * THREADS + threadIdx.x;
        if (c < width) y[(long long)blockIdx.x * width + c] = held[i];
    }
}
"""
TILES = [(64, 2), (64, 4), (128, 4), (128, 8), (256, 8), (256, 16), (512, 16), (1024, 16)]


@functools.lru_cache(maxsize=1)
def instances():
    names = tuple(f"scale_rows<{threads}, {each}>" for threads, each in TILES)
    module = cupy.RawModule(code=CODE, options=("--std=c++17",), name_expressions=names)
    return {tile: module.get_function(name) for tile, name in zip(TILES, names)}


class ModelNew(nn.Module):
    def __init__(self, by):
        super().__init__()
        self.by = by

    def forward(self, x):
        rows, width = x.shape
        tile = next((each for each in TILES if each[0] * each[1] >= width), None)
        if tile is None:
            raise ValueError("the rows are too long")
        x = x.contiguous()
        y = torch.empty_like(x)
        if y.numel() == 0:
            return y
        with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
            instances()[tile]((rows,), (tile[0],), (x.data_ptr(), y.data_ptr(), cupy.int32(width), cupy.float32(self.by)))
        return y


def get_inputs():
    return [torch.randn(512, 3000)]


def get_init_inputs():
    return [2.0]
