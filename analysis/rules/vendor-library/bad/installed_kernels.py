# verdict: review
# shows: 3, hidden by importlib
import importlib

import torch.nn as nn

attention = importlib.import_module("xformers" + ".ops")


class ModelNew(nn.Module):
    def forward(self, q, k, v):
        return attention.memory_efficient_attention(q, k, v)  # expect: KA104
