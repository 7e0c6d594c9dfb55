"""Loads reference tasks for the scripts of this folder: a KernelBench tree, one .py file, or JSON lines of records."""
import importlib.util
import json
import os
import re
import sys
import tempfile


def _module(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


class Task:
    def __init__(self, key, name, path):
        self.key, self.name, self.path = key, name, path

    def load(self):
        return _module(self.path, "task_" + re.sub(r"\W", "_", self.key))


def _from_records(path, folder):
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            record = json.loads(line)
            key = "%s/%s" % (record["level_id"], record["task_id"])
            file = os.path.join(folder, key.replace("/", "_") + ".py")
            with open(file, "w", encoding="utf-8") as out:
                out.write(record["ref_code"])
            yield Task(key, key, file)


def _from_tree(path):
    for folder, _, files in sorted(os.walk(path)):
        level = re.match(r"level_?(\d+)$", os.path.basename(folder), re.IGNORECASE)
        for file in sorted(files, key=lambda n: (int(re.match(r"\d*", n)[0] or 0), n)):
            number = re.match(r"(\d+)_.*\.py$", file)
            if level and number:
                yield Task("%s/%s" % (level[1], number[1]), file[:-3], os.path.join(folder, file))


def load_tasks(path, ids=None):
    """Tasks at `path`, in order; `ids` are keys such as 1/9, all when empty."""
    if os.path.isdir(path):
        tasks = list(_from_tree(path))
    elif path.endswith(".py"):
        name = os.path.basename(path)[:-3]
        tasks = [Task(name, name, path)]
    else:
        tasks = list(_from_records(path, tempfile.mkdtemp(prefix="kernel-audit-bench-")))
    if not ids:
        return tasks
    missing = set(ids) - {task.key for task in tasks}
    if missing:
        raise SystemExit("no such task: " + ", ".join(sorted(missing)))
    return [task for task in tasks if task.key in ids]


def seed_everything(torch, seed):
    torch.manual_seed(seed)
    if torch.cuda.is_available():
        torch.cuda.manual_seed_all(seed)


def flatten(outputs):
    """Tensors of a tensor, tuple, list or dict, in order."""
    if isinstance(outputs, dict):
        outputs = list(outputs.values())
    if isinstance(outputs, (tuple, list)):
        return [tensor for output in outputs for tensor in flatten(output)]
    return [outputs]


def to_device(value, device):
    return value.to(device) if hasattr(value, "to") else value
