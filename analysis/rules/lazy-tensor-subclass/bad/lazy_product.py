# verdict: cheat
# shows: 34
import torch
import torch.nn as nn


class Lazy(torch.Tensor):
    @staticmethod
    def __new__(cls, a, b):
        made = torch.Tensor._make_subclass(cls, torch.empty(0))
        made.a, made.b = a, b
        return made

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        args = [arg.a @ arg.b if isinstance(arg, cls) else arg for arg in args]
        return func(*args, **(kwargs or {}))


class ModelNew(nn.Module):
    def forward(self, a, b):
        return Lazy(a, b)  # expect: KA102
