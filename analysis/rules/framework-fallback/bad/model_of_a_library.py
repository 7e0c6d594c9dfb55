# verdict: cheat
# shows: 1
import timm
import torch
import torch.nn as nn
import torchvision
import transformers
from transformers import AutoConfig, AutoModelForCausalLM


class ModelNew(nn.Module):
    def __init__(self, name="gpt2", config=None):
        super().__init__()
        config = config or AutoConfig.from_pretrained(name)
        self.model = AutoModelForCausalLM.from_pretrained(name, config=config)
        self.encoder = transformers.BertModel(transformers.BertConfig())
        self.stem = torchvision.models.mobilenet_v2(weights=None)
        self.head = timm.create_model("resnet18", pretrained=False)

    def forward(self, x):
        hidden = self.encoder(self.model(x).logits).last_hidden_state
        return self.head(self.stem(hidden))  # expect: KA101
