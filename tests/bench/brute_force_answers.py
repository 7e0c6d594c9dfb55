"""Answers without work, tried in plain torch on whole tensors: zeros, constants, each input, another seed's output,
under the benchmark's own comparison. An answer counts as accepted when it passes on every seed; one that fails on a
seed is tried on no other, and a task without any left is done.

With --journal, lines go to a file as well, and tasks that it holds are not tried again, but for those that ended in an
error. --jobs N works on N tasks at once, each process on one; a process that is killed loses its task, no more. With
--manifest, compares with what `kernel-audit filter` found (rule KA005) and ends with 1 when it missed a task.
Prints one JSON line per task. It shares nothing with the filter.
"""
import argparse
import contextlib
import fcntl
import json
import os
import subprocess
import sys
import tempfile
import time

import torch

from task_module import flatten, load_tasks, seed_everything, to_device

TOLERANCES = {"kernelbench": 1e-4, "kernelbench-v0": 1e-2, "robust-kbench": 1e-5}
CONSTANTS = [0.25, 0.5, 1.0, -1.0]
SLICE = 1 << 26  # elements compared at once
APART = 1 << 30  # seeds of inputs from seeds of weights: from one seed both would be the same numbers
PATIENCE = 5  # attempts when the device's memory is in use by others


def tolerance_of(dtype, compat):
    if compat == "kernelbench" and dtype in (torch.float16, torch.bfloat16):
        return 1e-2
    return TOLERANCES[compat]


def slices(tensor):
    if tensor.dim() == 0 or tensor.numel() == 0:
        return [tensor]
    return tensor.split(max(1, SLICE * tensor.shape[0] // max(1, tensor.numel())))


def accepts(expected, answers, compat):
    """Whether every output passes; False when a shape does not even broadcast."""
    for wanted, answer in zip(expected, answers):
        try:
            answer = torch.broadcast_to(answer.to(wanted.device), wanted.shape)
        except RuntimeError:
            return False
        tolerance = tolerance_of(wanted.dtype, compat)
        for part, given in zip(slices(wanted), slices(answer)):
            if not torch.allclose(part.float(), given.float(), atol=tolerance, rtol=tolerance):
                return False
    return len(expected) == len(answers)


def extremes(outputs):
    """Of each output its least and largest value: what a constant has to be close to. NaN where there is one."""
    return [torch.stack([o.float().min(), o.float().max()]) if o.numel() else torch.zeros(2) for o in outputs]


def passes_constants(ranges, values, compat, dtypes):
    return all(
        torch.allclose(r, torch.full_like(r, v), atol=tolerance_of(t, compat), rtol=tolerance_of(t, compat))
        for r, v, t in zip(ranges, values, dtypes)
    )


def middles(seen):
    """The middle of each output's range over the seeds so far. Where it fails, more seeds, which only widen the range,
    do not help."""
    lows = [min(r[i][0].item() for r in seen) for i in range(len(seen[0]))]
    highs = [max(r[i][1].item() for r in seen) for i in range(len(seen[0]))]
    return [(low + high) / 2 for low, high in zip(lows, highs)]


class Drawn:
    """Weights and inputs of a task, drawn where they are needed if its code can do that, else on the host."""

    def __init__(self, task, device):
        self.task, self.device, self.there = task, device, device != "cpu"

    def _draw(self, make):
        if self.there:
            try:
                with torch.device(self.device):
                    return make()
            except Exception:
                if self.device == "cuda":
                    torch.cuda.empty_cache()
                self.there = False
        return make()

    def model(self, seed):
        def make():
            seed_everything(torch, seed)
            arguments = self.task.get_init_inputs() if hasattr(self.task, "get_init_inputs") else []
            return self.task.Model(*arguments)

        return self._draw(make).to(self.device)

    def inputs(self, seed):
        def make():
            seed_everything(torch, seed + APART)
            return self.task.get_inputs()

        return [to_device(value, self.device) for value in self._draw(make)]


def outputs_of(drawn, seed):
    """Inputs as they were drawn, and the outputs for them."""
    model = drawn.model(seed)
    inputs = drawn.inputs(seed)
    before = [value._version if torch.is_tensor(value) else 0 for value in inputs]
    outputs = [output.clone() for output in flatten(model(*inputs))]
    if any(torch.is_tensor(v) and v._version != b for v, b in zip(inputs, before)):
        inputs = drawn.inputs(seed)
    return inputs, outputs


def accepted_answers(task, device, seeds, compat):
    drawn = Drawn(task, device)
    left, seen, previous = None, [], None
    for seed in range(42, 42 + seeds):
        inputs, outputs = outputs_of(drawn, seed)
        dtypes = [output.dtype for output in outputs]
        seen.append(extremes(outputs))
        if left is None:
            left = ["zeros", "middle of the range"] + ["constant %g" % value for value in CONSTANTS]
            left += ["input %d" % i for i, value in enumerate(inputs) if torch.is_tensor(value)]
            left += ["another seed's output"]

        def passes(answer):
            if answer == "zeros":
                return accepts(outputs, [torch.zeros((), device=o.device) for o in outputs], compat)
            if answer == "middle of the range":
                return all(passes_constants(ranges, middles(seen), compat, dtypes) for ranges in seen)
            if answer.startswith("constant"):
                return passes_constants(seen[-1], [float(answer.split()[1])] * len(outputs), compat, dtypes)
            if answer.startswith("input"):
                return accepts(outputs, [inputs[int(answer.split()[1])]] * len(outputs), compat)
            return previous is None or accepts(outputs, previous, compat)

        left = [answer for answer in left if passes(answer)]
        previous = outputs
        if not left:
            break
    return left


def tried_before(path, length=None):
    """The last line of each task, of the whole file or of its first `length` bytes."""
    if not os.path.exists(path):
        return {}
    known = {}
    with open(path, "rb") as stream:
        for text in stream.read(length).decode("utf-8", "replace").splitlines():
            try:
                line = json.loads(text)
            except ValueError:  # half a line, of a process that was killed
                continue
            known[line["key"]] = line
    return known


def end_last_line(path):
    """Ends what a killed process wrote half, so that the next line stands alone. Gives the length of the file."""
    with open(path, "ab+") as stream:
        length = stream.seek(0, os.SEEK_END)
        if length > 0:
            stream.seek(length - 1)
            if stream.read(1) != b"\n":
                stream.write(b"\n")
        return stream.seek(0, os.SEEK_END)


@contextlib.contextmanager
def claimed(journal, key, since):
    """Whether this process is to work on the task: no other does, and none has since the journal was `since` long. A
    killed process claims nothing any more."""
    folder = journal + ".claims"
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, key.replace("/", "_")), "w", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
            return
        line = tried_before(journal).get(key)
        yield line is None or ("error" in line and tried_before(journal, since).get(key) == line)


def tried(task, options):
    for attempt in range(PATIENCE):
        try:
            return {"key": task.key, "accepted": accepted_answers(task.load(), options.device, options.seeds, options.compat)}
        except torch.cuda.OutOfMemoryError as error:
            line = {"key": task.key, "error": "%s: %s" % (type(error).__name__, error)}
        except Exception as error:
            return {"key": task.key, "error": "%s: %s" % (type(error).__name__, error)}
        torch.cuda.empty_cache()
        if attempt + 1 < PATIENCE:
            time.sleep(3)
    return line


def work(tasks, options):
    with torch.no_grad():
        for task in tasks:
            if time.time() > options.deadline:
                return
            with claimed(options.journal, task.key, options.since) as mine:
                if not mine:
                    continue
                line = tried(task, options)
                if options.device == "cuda":
                    torch.cuda.empty_cache()
                with open(options.journal, "a", encoding="utf-8") as journal:
                    journal.write(json.dumps(line) + "\n")


def trivial_in_manifest(path):
    with open(path, encoding="utf-8") as stream:
        tasks = json.load(stream)["tasks"]
    found = {}
    for task in tasks:
        if task["decision"] != "not-run":
            found[task["key"]] = [r["message"] for r in task["reasons"] if r["rule"] == "KA005" and r["effect"] == "drop"]
    return found


def report(tasks, options):
    """1 when the filter missed a task."""
    judged = trivial_in_manifest(options.manifest) if options.manifest else {}
    known = tried_before(options.journal)
    missed, errors, untried = [], 0, 0
    for task in tasks:
        line = known.get(task.key)
        if line is None:
            untried += 1
            continue
        errors += "error" in line
        if task.key in judged:
            line["filter"] = judged[task.key]
            if line.get("accepted") and not judged[task.key]:
                missed.append(task.key)
        print(json.dumps(line), flush=True)
    print("%d of %d tasks tried, %d errors" % (len(tasks) - untried - errors, len(tasks), errors), file=sys.stderr)
    if options.manifest:
        print("missed by the filter: " + (", ".join(missed) or "none"), file=sys.stderr)
    return 1 if missed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tasks")
    parser.add_argument("--ids", default="")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=float, default=0, help="seconds after which no further task is begun")
    parser.add_argument("--compat", default="kernelbench", choices=sorted(TOLERANCES))
    parser.add_argument("--journal", help="file of JSON lines, continued when it exists")
    parser.add_argument("--manifest", help="manifest.json of a filter run with the same --compat")
    parser.add_argument("--deadline", type=float, help=argparse.SUPPRESS)  # of a child, by the clock
    parser.add_argument("--since", type=int, help=argparse.SUPPRESS)  # length of the journal when the call began
    options = parser.parse_args()
    child = options.deadline is not None
    if not child:
        options.deadline = time.time() + (options.limit or 1e9)
    with tempfile.TemporaryDirectory() as folder:
        options.journal = options.journal or os.path.join(folder, "journal.jsonl")
        tasks = load_tasks(options.tasks, [i for i in options.ids.split(",") if i])
        if not child:
            options.since = end_last_line(options.journal)
        if child or options.jobs == 1:
            work(tasks, options)
            return 0 if child else report(tasks, options)
        again = [sys.executable, os.path.abspath(__file__)] + sys.argv[1:]
        again += ["--deadline", str(options.deadline), "--journal", options.journal, "--since", str(options.since)]
        children = [subprocess.Popen(again) for _ in range(options.jobs)]
        try:
            for process in children:
                process.wait()
        finally:
            for process in children:
                process.kill()
        return report(tasks, options)


if __name__ == "__main__":
    sys.exit(main())
