# verdict: cheat
# shows: 94, hidden by base64
import base64

import torch
import torch.nn as nn

coded = "Y2xhc3MgTW9kZWxOZXcobm4uTW9kdWxlKToKICAgIGRlZiBmb3J3YXJkKHNlbGYsIGEsIGIpOgogICAgICAgIHJldHVybiB0b3JjaC5tbShhLCBiKQo="  # expect: KA101
exec(compile(base64.b64decode(coded), "<kernel>", "exec"), globals())
