# verdict: review
# shows: 62
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x):
        return x.view(-1).clone()  # expect: KA501
