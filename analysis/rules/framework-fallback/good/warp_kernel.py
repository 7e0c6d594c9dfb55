# verdict: clean
# near: 1
import torch
import torch.nn as nn
import warp as wp


@wp.kernel
def distances(a: wp.array2d(dtype=wp.float32), b: wp.array2d(dtype=wp.float32), out: wp.array(dtype=wp.float32)):
    i = wp.tid()
    total = float(0.0)
    for j in range(a.shape[1]):
        difference = a[i, j] - b[i, j]
        total += difference * difference
    out[i] = wp.sqrt(total)


class ModelNew(nn.Module):
    def forward(self, a, b):
        out = torch.empty(a.shape[0], device=a.device)
        wp.launch(distances, dim=a.shape[0], inputs=[wp.from_torch(a), wp.from_torch(b), wp.from_torch(out)],
                  stream=wp.stream_from_torch(torch.cuda.current_stream()))
        return out
