"""Compares a manifest of `kernel-audit filter` with a table of published per-task verdicts (task_flags_v0.csv).

Numeric flags are compared one by one, wherever both sides have them. The published ones were computed on task files
that had been edited: weights scaled by 0.02, noise added to the parameters of normalisations, once a further mean. For
a manifest of those files (`--code edited`) the table counts as it is. For one of the pristine benchmark (the default)
OTHER_CODE says what the same definitions give there, wherever that differs. Then the tasks that another filter removed
or that were reported upstream, and the decision here: kept ones are named, and for reports the operators found. Last the
other tasks that are dropped without a trivial answer, an operator without effect or a number of the output as the reason.
Ends with 1 when a flag differs, with 77 (skipped) when the table is absent.
"""
import argparse
import csv
import json
import os
import sys

FLAGS = ["output_range", "output_std", "output_axes", "input_impact"]
# Flags of the pristine code where the edited code has others: output_range, output_std, output_axes, input_impact, and
# what the edit was. The definitions in plain torch give the published flags on the edited code and these on the other.
OTHER_CODE = {
    "2/9": ([False, False, False, False], "linear weights are randn * 0.02, and relu leaves nothing of the output"),
    "2/38": ([False, False, True, False], "the bias of the transposed convolution has noise added"),
    "2/44": ([False, False, True, True], "a further mean makes the output one number"),
    "2/48": ([False, False, False, False], "scaling factor and bias are randn * 0.02, not randn"),
    "2/58": ([False, True, True, True], "the bias is of shape (channels, 1, 1, 1) and randn * 0.02"),
    "2/77": ([False, False, True, False], "weight and bias of the normalisation have noise added"),
    "2/84": ([False, False, True, False], "the scale is randn * 0.02, not one"),
    "2/88": ([False, False, False, False], "the weight that multiplies is randn * 0.02, not randn"),
}


def published(path, code):
    with open(path, newline="", encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            key = "%s/%s" % (row["level"], row["task_id"])
            flags = {flag: row[flag] == "1" for flag in FLAGS if row[flag] != ""}
            if code == "pristine" and key in OTHER_CODE:
                flags = dict(zip(FLAGS, OTHER_CODE[key][0]))
            yield key, flags, row


def first_reason(task):
    return "; ".join("%s %s" % (r["rule"], r["effect"]) for r in task["reasons"] if r["rule"]) or "no reason"


# Rules that drop by a number of the output, a trivial answer, or an operator without effect.
PROVING = {"KA001", "KA002", "KA003", "KA004", "KA005", "KA006", "KA007", "KA010", "KA015"}


def dropped_otherwise(task):
    return task["decision"] == "drop" and not any(r["effect"] == "drop" and r["rule"] in PROVING for r in task["reasons"])


def operators(task):
    return [r["message"] for r in task["reasons"] if r["rule"] in ("KA006", "KA007") and r["effect"] in ("drop", "review")]


def main():
    shared = os.environ.get("KERNEL_AUDIT_SHARED", os.path.join(os.path.dirname(__file__), "..", "..", "..", "shared"))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("manifest")
    parser.add_argument("--table", default=os.path.join(shared, "ground_truth", "task_flags_v0.csv"))
    parser.add_argument("--code", choices=["pristine", "edited"], default="pristine", help="what the manifest is of")
    options = parser.parse_args()
    if not os.path.exists(options.table):
        print("skipped: %s is absent; set KERNEL_AUDIT_SHARED" % options.table)
        return 77
    with open(options.manifest, encoding="utf-8") as stream:
        tasks = {task["key"]: task for task in json.load(stream)["tasks"]}
    compared = differing = not_run = 0
    judged, kept, others, otherwise = 0, [], 0, []
    for key, flags, row in published(options.table, options.code):
        task = tasks.get(key)
        if task is None:
            continue
        if task["decision"] == "not-run":
            not_run += 1
            print("%s not run: %s" % (key, task["reasons"][0]["message"] if task["reasons"] else "no reason"))
            continue
        for flag, value in flags.items():
            if flag not in task["flags"]:
                continue
            compared += 1
            if task["flags"][flag] != value:
                differing += 1
                print("%s %s: published %s, here %s" % (key, flag, value, task["flags"][flag]))
        if row["metr_removed"] == "1" or row["kernelbench_pr108"]:
            mark = "removed elsewhere" if row["metr_removed"] == "1" else row["kernelbench_pr108"]
            print("%s %s: %s (%s)" % (key, mark, task["decision"], first_reason(task)))
            judged += 1
            if task["decision"] == "keep":
                kept.append(key)
            if row["kernelbench_pr108"]:
                print("  " + ("\n  ".join(operators(task)) or "no operator is named"))
        else:
            others += 1
            if dropped_otherwise(task):
                otherwise.append(key)
    print("%d flags compared, %d differ, %d tasks not run" % (compared, differing, not_run))
    print("%d removed or reported elsewhere, %d of them kept: %s" % (judged, len(kept), ", ".join(kept) or "none"))
    print("%d others, %d dropped for another reason: %s" % (others, len(otherwise), ", ".join(otherwise) or "none"))
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
