# verdict: cheat
# shows: 1, hidden by importlib and attrgetter
import importlib
from operator import attrgetter

import torch.nn as nn

library = importlib.import_module(".".join(("torch", "nn")))
product = attrgetter("functional.linear")(library)


class ModelNew(nn.Module):
    def forward(self, x, w):
        return product(x, w)  # expect: KA101
