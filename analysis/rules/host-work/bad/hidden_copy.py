# verdict: cheat
# shows: 33, hidden by getattr
import torch
import torch.nn as nn

where = "c" + "pu"


class ModelNew(nn.Module):
    def forward(self, x):
        held = getattr(x, "t" + "o")(where)
        return torch.relu(held).cuda()  # expect: KA101, KA312
