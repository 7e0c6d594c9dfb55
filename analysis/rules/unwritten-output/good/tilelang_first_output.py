# verdict: clean
# near: 57
import tilelang
import tilelang.language as T
import torch.nn as nn


def scaled(n, block=256, dtype="float32"):
    @T.prim_func
    def main(Y: T.Tensor((n,), dtype), X: T.Tensor((n,), dtype), factor: T.float32):
        with T.Kernel(T.ceildiv(n, block), threads=256) as bx:
            for i in T.Parallel(block):
                Y[bx * block + i] = X[bx * block + i] * factor

    return tilelang.compile(main, out_idx=[0], target="cuda")


def summed(n, block=256, dtype="float32"):
    @T.prim_func
    def main(X: T.Tensor((n,), dtype), Z: T.Tensor((n,), dtype), Y: T.Tensor((n,), dtype)):
        with T.Kernel(T.ceildiv(n, block), threads=256) as bx:
            for i in T.Parallel(block):
                Y[bx * block + i] = X[bx * block + i] + Z[bx * block + i]

    return tilelang.compile(main, out_idx=-1, target="cuda")


@tilelang.jit(out_idx=[1])
def absolute(n, block=256, dtype="float32"):
    @T.prim_func
    def main(X: T.Tensor((n,), dtype), Y: T.Tensor((n,), dtype), low: T.float32):
        with T.Kernel(T.ceildiv(n, block), threads=256) as bx:
            for i in T.Parallel(block):
                Y[bx * block + i] = T.max(X[bx * block + i], low - X[bx * block + i])

    return main


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.kernels = {}

    def kernel(self, name, n):
        key = (name, n)
        if key not in self.kernels:
            self.kernels[key] = scaled(n) if name == "scaled" else summed(n)
        return self.kernels[key]

    def forward(self, x):
        flat = x.contiguous().view(-1)
        y = self.kernel("scaled", flat.numel())(flat, 2.0)
        z = self.kernel("summed", flat.numel())(flat, y)
        return absolute(flat.numel())(z, 0.0).view_as(x)
