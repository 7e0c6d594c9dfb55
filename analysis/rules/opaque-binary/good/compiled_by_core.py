# verdict: clean
# near: 94
import torch
import torch.nn as nn
from cuda.core.experimental import Device, LaunchConfig, Program, ProgramOptions, launch

source = """
extern "C" __global__ void scale_kernel(const float* x, float* y, size_t n) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}
"""


class TorchStream:
    def __init__(self, stream):
        self.stream = stream

    def __cuda_stream__(self):
        return (0, self.stream.cuda_stream)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.device = Device(0)
        self.device.set_current()
        program = Program(source, code_type="c++", options=ProgramOptions(std="c++17"))
        self.kernel = program.compile("cubin").get_kernel("scale_kernel")

    def forward(self, x):
        y = torch.empty_like(x)
        stream = self.device.create_stream(TorchStream(torch.cuda.current_stream()))
        config = LaunchConfig(grid=(x.numel() + 255) // 256, block=256)
        launch(stream, config, self.kernel, x.data_ptr(), y.data_ptr(), x.numel())
        return y
