# verdict: clean
# near: 94
import torch
import torch.nn as nn
import warp


@warp.kernel(enable_backward=False)
def relu_kernel(x: warp.array2d(dtype=float), y: warp.array2d(dtype=float)):
    i, j = warp.tid()
    y[i, j] = warp.max(x[i, j], 0.0)


class ModelNew(nn.Module):
    def forward(self, x):
        source = warp.from_torch(x.contiguous(), requires_grad=False)
        target = warp.empty_like(source)
        stream = warp.stream_from_torch(torch.cuda.current_stream())
        warp.launch(relu_kernel, dim=source.shape, inputs=[source], outputs=[target], stream=stream)
        return warp.to_torch(target)


def get_inputs():
    return [torch.randn(4096, 4096)]
