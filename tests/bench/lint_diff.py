#!/usr/bin/env python3
"""Shows how what lint says of a corpus differs between two builds of kernel-audit.

    lint_diff.py OLD NEW CORPUS... [--limit N] [-- LINT OPTIONS]

OLD and NEW are kernel-audit binaries (with kernel-audit-extract beside them), their folders, or results.json files that
one of them wrote. Prints verdicts that changed, and findings that came or went, by candidate; exit code 1 when anything
differs.
"""
import argparse
import collections
import json
import os
import subprocess
import sys


def results(source, corpora, options):
    if os.path.isdir(source):
        source = os.path.join(source, "kernel-audit")
    if source.endswith(".json"):
        try:
            with open(source, encoding="utf-8") as file:
                return json.load(file)
        except (OSError, ValueError) as problem:
            sys.exit(f"{source} is no results.json that can be read: {problem}")
    command = [source, "lint", *corpora, "--quiet", "--format", "json", *options]
    environment = {key: value for key, value in os.environ.items() if key != "KERNEL_AUDIT_BIN"}
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, env=environment, check=False)
    except OSError as problem:
        sys.exit(f"{source} is no kernel-audit that can be run: {problem.strerror}")
    if done.returncode not in (0, 1, 3):
        sys.exit(f"{source} lint ended with exit code {done.returncode}")
    return json.loads(done.stdout)


def findings_of(item):
    """Each finding as (code, effect, line, file), counted: the message may be reworded."""
    found = collections.Counter()
    for stage in item["stages"]:
        for finding in stage["findings"]:
            span = finding["span"]
            found[(finding["code"], finding["effect"], span["line"], span["file"])] += 1
    return found


def main():
    arguments, options = sys.argv[1:], []
    if "--" in arguments:
        cut = arguments.index("--")
        arguments, options = arguments[:cut], arguments[cut + 1 :]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("corpus", nargs="*")
    parser.add_argument("--limit", type=int, default=0, help="show at most this many candidates (0: all)")
    given = parser.parse_args(arguments)
    if not given.corpus and not (given.old.endswith(".json") and given.new.endswith(".json")):
        parser.error("name a corpus, or two results.json files")

    old, new = (results(source, given.corpus, options) for source in (given.old, given.new))
    before = {item["candidate"]: item for item in old["items"]}
    after = {item["candidate"]: item for item in new["items"]}
    moves, came, went, changed = (collections.Counter() for _ in range(4))
    shown = []
    for name in sorted(before.keys() | after.keys()):
        if name not in before or name not in after:
            shown.append(f"{name}: only in the {'new' if name in after else 'old'} results")
            changed["candidates"] += 1
            continue
        first, second = before[name], after[name]
        lines = []
        if first["verdict"] != second["verdict"]:
            moves[(first["verdict"], second["verdict"])] += 1
            lines.append(f"  verdict {first['verdict']} -> {second['verdict']}: {second['reason']}")
        old_findings, new_findings = findings_of(first), findings_of(second)
        for (code, effect, line, _), count in sorted((new_findings - old_findings).items()):
            came[code] += count
            lines.append(f"  + {code} ({effect}) at line {line}")
        for (code, effect, line, _), count in sorted((old_findings - new_findings).items()):
            went[code] += count
            lines.append(f"  - {code} ({effect}) at line {line}")
        if lines:
            changed["candidates"] += 1
            shown.append("\n".join([f"{name}:", *lines]))
    for text in shown[: given.limit or None]:
        print(text)
    if given.limit and len(shown) > given.limit:
        print(f"... and {len(shown) - given.limit} more")
    print(f"{changed['candidates']} of {len(before.keys() | after.keys())} candidates differ")
    for (first, second), count in sorted(moves.items()):
        print(f"  {count:4} {first} -> {second}")
    for code in sorted(came.keys() | went.keys()):
        print(f"  {code}: {came[code]} came, {went[code]} went")
    return 1 if shown else 0


if __name__ == "__main__":
    sys.exit(main())
