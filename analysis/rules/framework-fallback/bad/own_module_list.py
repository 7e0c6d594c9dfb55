# verdict: cheat
# shows: 1, hidden by an own class of nn.ModuleList that runs itself
import torch.nn as nn


class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Linear(width, width)

    def forward(self, t):
        return self.inner(t)  # expect: KA101


class Stack(nn.ModuleList):
    def run(self, t):
        for layer in self:
            t = layer(t)
        return t


class ModelNew(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.stack = Stack()
        for _ in range(depth):
            self.stack.append(Layer(width))

    def forward(self, x):
        return self.stack.run(x)
