"""The four numeric flags of robust-kbench as a plain loop in Python would compute them: five seeds, all outputs kept.

Prints one JSON line per task: {"key": "1/9", "flags": {…}, "seconds": 1.2} or {"key": …, "error": "…"}.
Used by filter_speed.py as the yardstick; stands alone as a second opinion on the flags.
"""
import argparse
import json
import time

import torch

from task_module import flatten, load_tasks, seed_everything, to_device

FIRST_SEED = 42
LIMIT = 0.01


def forward(task, model, device, seed):
    seed_everything(torch, seed)
    inputs = [to_device(value, device) for value in task.get_inputs()]
    return [output.float().cpu() for output in flatten(model(*inputs))]


def build(task, device, seed):
    seed_everything(torch, seed)
    arguments = task.get_init_inputs() if hasattr(task, "get_init_inputs") else []
    return task.Model(*arguments).to(device)


def all_outputs(flag, stacks):
    return all(bool(flag(stack)) for stack in stacks)


def flags_of(task, device, seeds):
    drawn = [forward(task, build(task, device, FIRST_SEED + k), device, FIRST_SEED + k) for k in range(seeds)]
    model = build(task, device, FIRST_SEED)
    fixed = [forward(task, model, device, FIRST_SEED + k) for k in range(seeds)]
    stacks = [torch.stack(outputs) for outputs in zip(*drawn)]
    fixed_stacks = [torch.stack(outputs) for outputs in zip(*fixed)]
    return {
        "output_range": all_outputs(lambda o: ((o > -LIMIT) & (o < LIMIT)).all(), stacks),
        "output_std": all_outputs(lambda o: (o.std(dim=0) < LIMIT).all(), stacks),
        "output_axes": all_outputs(lambda o: any((o.std(dim=axis) < LIMIT).all() for axis in range(o.ndim)), stacks),
        "input_impact": all_outputs(lambda o: (o.std(dim=0) < LIMIT).all(), fixed_stacks),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tasks")
    parser.add_argument("--ids", default="")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    with torch.no_grad():
        for task in load_tasks(options.tasks, [i for i in options.ids.split(",") if i]):
            start = time.perf_counter()
            try:
                line = {"key": task.key, "flags": flags_of(task.load(), options.device, options.seeds)}
            except Exception as error:  # a task that fails is a result of this loop, too
                line = {"key": task.key, "error": "%s: %s" % (type(error).__name__, error)}
            line["seconds"] = time.perf_counter() - start
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
