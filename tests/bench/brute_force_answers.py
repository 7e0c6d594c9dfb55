"""Answers without work, tried in plain torch on whole tensors: zeros, constants, each input, another seed's output,
under the benchmark's own comparison. An answer counts as accepted when it passes on every seed.

With --journal, lines go to a file as well, and tasks that it holds are not tried again. With --manifest, compares with what `kernel-audit filter` found (rule KA005) and ends with 1 when it missed a task.
Prints one JSON line per task. Slow and plain on purpose: it shares nothing with the filter.
"""
import argparse
import json
import os
import sys

import torch

from task_module import flatten, load_tasks, seed_everything, to_device

TOLERANCES = {"kernelbench": 1e-4, "kernelbench-v0": 1e-2, "robust-kbench": 1e-5}
CONSTANTS = [0.25, 0.5, 1.0, -1.0]


def tolerance_of(dtype, compat):
    if compat == "kernelbench" and dtype in (torch.float16, torch.bfloat16):
        return 1e-2
    return TOLERANCES[compat]


def accepts(expected, answers, compat):
    """Whether every output passes; False when a shape does not even broadcast."""
    for wanted, answer in zip(expected, answers):
        try:
            answer = torch.broadcast_to(answer.to(wanted.device), wanted.shape)
        except RuntimeError:
            return False
        tolerance = tolerance_of(wanted.dtype, compat)
        if not torch.allclose(wanted.float(), answer.float(), atol=tolerance, rtol=tolerance):
            return False
    return len(expected) == len(answers)


def constants_for(outputs):
    """One constant per output: the middle of its range over all seeds, then some round ones for all."""
    lows = [min(o[i].float().min().item() for o in outputs) for i in range(len(outputs[0]))]
    highs = [max(o[i].float().max().item() for o in outputs) for i in range(len(outputs[0]))]
    yield "middle of the range", [(low + high) / 2 for low, high in zip(lows, highs)]
    for value in CONSTANTS:
        yield "constant %g" % value, [value] * len(lows)


def accepted_answers(task, device, seeds, compat):
    inputs, outputs = [], []
    for seed in range(42, 42 + seeds):
        seed_everything(torch, seed)
        arguments = task.get_init_inputs() if hasattr(task, "get_init_inputs") else []
        model = task.Model(*arguments).to(device)
        seed_everything(torch, seed)
        drawn = [to_device(value, device) for value in task.get_inputs()]
        kept = [value.clone() if torch.is_tensor(value) else value for value in drawn]
        outputs.append([output.clone() for output in flatten(model(*drawn))])
        inputs.append(kept)

    def on_every_seed(answer_of):
        return all(accepts(expected, answer_of(k), compat) for k, expected in enumerate(outputs))

    found = []
    if on_every_seed(lambda k: [torch.zeros_like(o) for o in outputs[k]]):
        found.append("zeros")
    for name, values in constants_for(outputs):
        if on_every_seed(lambda k, v=values: [torch.full_like(o.float(), x) for o, x in zip(outputs[k], v)]):
            found.append(name)
    for index, value in enumerate(inputs[0]):
        if torch.is_tensor(value) and on_every_seed(lambda k, i=index: [inputs[k][i]] * len(outputs[k])):
            found.append("input %d" % index)
    if all(accepts(expected, outputs[k - 1], compat) for k, expected in enumerate(outputs) if k > 0):
        found.append("another seed's output")
    return found


def tried_before(path):
    if not path or not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as stream:
        return {line["key"]: line for line in map(json.loads, stream)}


def trivial_in_manifest(path):
    with open(path, encoding="utf-8") as stream:
        tasks = json.load(stream)["tasks"]
    found = {}
    for task in tasks:
        if task["decision"] != "not-run":
            found[task["key"]] = [r["message"] for r in task["reasons"] if r["rule"] == "KA005" and r["effect"] == "drop"]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tasks")
    parser.add_argument("--ids", default="")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--compat", default="kernelbench", choices=sorted(TOLERANCES))
    parser.add_argument("--journal", help="file of JSON lines, continued when it exists")
    parser.add_argument("--manifest", help="manifest.json of a filter run with the same --compat")
    options = parser.parse_args()
    judged = trivial_in_manifest(options.manifest) if options.manifest else {}
    known = tried_before(options.journal)
    missed = []
    with torch.no_grad():
        for task in load_tasks(options.tasks, [i for i in options.ids.split(",") if i]):
            line = known.get(task.key)
            if line is None:
                try:
                    found = accepted_answers(task.load(), options.device, options.seeds, options.compat)
                    line = {"key": task.key, "accepted": found}
                except Exception as error:
                    line = {"key": task.key, "error": "%s: %s" % (type(error).__name__, error)}
                if options.device == "cuda":
                    torch.cuda.empty_cache()
                if options.journal:
                    with open(options.journal, "a", encoding="utf-8") as journal:
                        journal.write(json.dumps(line) + "\n")
            found = line.get("accepted", [])
            if task.key in judged:
                line["filter"] = judged[task.key]
                if found and not judged[task.key]:
                    missed.append(task.key)
            print(json.dumps(line), flush=True)
    if options.manifest:
        print("missed by the filter: " + (", ".join(missed) or "none"), file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
