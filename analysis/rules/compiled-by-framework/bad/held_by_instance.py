# verdict: cheat
# shows: 11, hidden by getattr
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, size):
        super().__init__()
        package = __import__("torch")
        self.linear = nn.Linear(size, size)
        self.forward = getattr(package, "com" + "pile")(self.run)  # expect: KA111

    def run(self, x):
        return self.linear(x)  # expect: KA101
