# verdict: cheat
# shows: 8
import torch.nn as nn


class ModelNew(nn.Linear):  # expect: KA112
    def __init__(self, size=64):
        super().__init__(size, size, bias=False)
