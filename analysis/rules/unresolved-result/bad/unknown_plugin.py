# verdict: inconclusive
# shows: 94
import torch.nn as nn
import company_plugin


class ModelNew(nn.Module):
    def forward(self, x):
        return company_plugin.run(x)  # expect: KA701
