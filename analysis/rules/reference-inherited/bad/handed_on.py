# verdict: cheat
# shows: 8, hidden by string building
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return x.matmul(x)  # expect: KA101


Base = globals()["Mo" + "del"]


class ModelNew(Base):
    def forward(self, x):
        return super().forward(x)  # expect: KA112
