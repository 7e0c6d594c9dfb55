"""How long `kernel-audit filter --preset robust-kbench` takes against a plain Python loop that computes the same four
flags from as many seeds, on this machine, in one run, as a ratio. Start-up of either is part of its time. Both run
once to warm up the page cache, then in turn; the median of each counts. Ends with 1 when a flag differs.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def timed(command):
    """Wall seconds of a command, and what it printed. Processor time is not compared: workers that are killed with
    their process tree leave none to read."""
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wall = time.perf_counter() - start
    return wall, done


def run_filter(options):
    with tempfile.TemporaryDirectory(prefix="kernel-audit-bench-") as out:
        command = [options.binary, "filter", options.tasks, "--preset", "robust-kbench", "--device", options.device,
                   "--out", out, "-q", "--seeds", str(options.seeds), "--time-limit", "600"]
        wall, done = timed(command + (["--ids", options.ids] if options.ids else []))
        if done.returncode == 2:
            raise SystemExit(done.stderr)
        with open(os.path.join(out, "manifest.json"), encoding="utf-8") as stream:
            tasks = json.load(stream)["tasks"]
    return wall, {task["key"]: task["flags"] for task in tasks if task["flags"]}


def run_loop(options):
    command = [options.python, os.path.join(HERE, "plain_filter_loop.py"), options.tasks, "--device", options.device,
               "--seeds", str(options.seeds)] + (["--ids", options.ids] if options.ids else [])
    wall, done = timed(command)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return wall, {line["key"]: line["flags"] for line in lines if "flags" in line}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tasks", help="KernelBench tree, .py file or JSON lines")
    parser.add_argument("--binary", default="build/bin/kernel-audit")
    parser.add_argument("--python", default=sys.executable, help="an interpreter that has torch")
    parser.add_argument("--ids", default="")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    run_filter(options)
    run_loop(options)
    ours, plain = [], []
    for _ in range(options.rounds):
        ours.append(run_filter(options))
        plain.append(run_loop(options))
    result = {"tasks": len(ours[0][1]), "rounds": options.rounds, "device": options.device, "seeds": options.seeds}
    mine, theirs = (statistics.median(wall for wall, _ in runs) for runs in (ours, plain))
    result["wall_s"] = {"filter": mine, "plain_loop": theirs, "ratio": theirs / mine}
    differing = [key for key, flags in ours[0][1].items() if plain[0][1].get(key, flags) != flags]
    result["only_one_ran"] = sorted(set(ours[0][1]) ^ set(plain[0][1]))
    result["flags_differ"] = differing
    print(json.dumps(result, indent=2))
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
