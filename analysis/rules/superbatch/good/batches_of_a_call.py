# verdict: clean
# near: 24, rows of one call in batches, and the rest of them
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def twice_many(inputs, outputs, n, BLOCK: tl.constexpr):
    job = tl.program_id(1)
    x = tl.load(inputs + job).to(tl.pointer_type(tl.float32))
    y = tl.load(outputs + job).to(tl.pointer_type(tl.float32))
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2.0, mask=i < n)


def addresses(tensors):
    return torch.tensor([each.data_ptr() for each in tensors], dtype=torch.int64, device=tensors[0].device)


def launch(inputs, outputs):
    n = inputs[0].numel()
    twice_many[(triton.cdiv(n, 1024), len(inputs))](addresses(inputs), addresses(outputs), n, BLOCK=1024)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)  # expect: KA531
        jobs = []
        for row in range(x.shape[0]):
            jobs.append((x[row], y[row]))
            if len(jobs) == 512:
                launch([job[0] for job in jobs], [job[1] for job in jobs])
                jobs = []
        if jobs:
            launch([job[0] for job in jobs], [job[1] for job in jobs])
        return y
