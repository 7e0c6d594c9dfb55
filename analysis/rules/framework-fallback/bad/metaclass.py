# verdict: cheat
# shows: 1, hidden by a metaclass
import torch
import torch.nn as nn


class Complete(type):
    def __new__(mcs, name, bases, names):
        names["forward"] = lambda self, a, b: torch.einsum("ik,kj->ij", a, b)  # expect: KA101
        return super().__new__(mcs, name, bases, names)


class ModelNew(nn.Module, metaclass=Complete):  # expect: KA701
    pass
