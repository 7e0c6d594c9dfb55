# verdict: cheat
# shows: 14, hidden by a dictionary that setdefault leaves on the module
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


class Slots:
    def __set_name__(self, owner, name):
        self.key = "_slots_" + name

    def __get__(self, owner, kind=None):
        slots = owner.__dict__.setdefault(self.key, {})

        def slot_of(x):
            place = x.data_ptr()
            slot = slots.pop(place, None)
            fresh = slot is None
            if fresh:
                slot = torch.empty_like(x)  # expect: KA531
            slots[place] = slot
            return slot, fresh

        return slot_of


class ModelNew(nn.Module):
    out = Slots()

    def forward(self, x):
        y, fresh = self.out(x)
        if fresh:
            scale_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y  # expect: KA201, KA231
