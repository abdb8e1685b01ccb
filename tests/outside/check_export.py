#!/usr/bin/env python3
"""Recomputes one exported replicate with NumPy, from its files alone (protocol sections 5 and 6).

Usage: check_export.py REGRET CONFIG FOLDER [regret cell options]

Exports a replicate with `regret cell` and compares predictions, the losses of every candidate of
causal cross-validation and the values, and the half-widths of a run's row. Exit code 77 where NumPy or SciPy is missing.
"""

import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
try:
    import numpy as np
    from replicate import Replicate, clip
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

TOLERANCE, ROUNDED = 1e-9, 1e-5  # rows say six digits


worst = {}


def compare(what, ours, theirs):
    difference = float(np.max(np.abs(np.asarray(ours) - np.asarray(theirs))))
    worst[what] = max(worst.get(what, 0.0), difference)


def check(replicate, halves):
    assert replicate.folds["cv"]["mode"] == "agents"
    for name, prediction in replicate.prediction.items():
        k = replicate.hyper[name]
        compare("predictions", clip(replicate.family(name, k, replicate.all))[replicate.used],
                prediction[replicate.used])
        for candidate in k["candidates"]:
            compare("losses", replicate.causal_loss(name, candidate), candidate["loss"])
        if k["candidates"]:
            least = min(c["loss"] for c in k["candidates"])
            chosen = [c["loss"] for c in k["candidates"]
                      if all(c[f] == k[f] for f in ("lambda", "alpha", "rho", "tau", "basis"))]
            assert len(chosen) == 1 and chosen[0] <= least * (1 + 1e-8) + 1e-12, name
        rows = [r for r in replicate.values if r["family"] == name]
        for column, value in zip(("truth", "dm", "dr", "sndr"),
                                 (replicate.truth(), *replicate.value(name, k))):
            compare("values", value, [float(r[column]) for r in rows])
        if halves is not None:
            for column, half in zip(("dm_half", "dr_half", "sndr_half"), replicate.half_widths()):
                wanted = np.array(halves[name][column])
                compare("half-widths", half / wanted, np.ones(len(wanted)))


def rows_of(program, config, folder, options):
    """The rows of the families of that seed, from a run of its cell alone; none where folds are joined."""
    cell = json.load(open(os.path.join(folder, "export", "cell.json"), encoding="utf-8"))
    if cell["config"]["contexts.folds"] > 1:
        return None
    run = os.path.join(folder, "run")
    with open(config, encoding="utf-8") as file:
        fixed = [f"{key}={json.dumps(cell['config'][key])}" for key in json.load(file)["sweep"]]
    subprocess.run([program, "run", config, "--seeds", str(cell["seed"] + 1), "--no-report", "--quiet", "--force", "-o", run,
                    *options, *(word for one in fixed for word in ("--set", one))], check=True)
    with open(os.path.join(run, "results-1-of-1.jsonl"), encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return {r["family"]: r for r in rows if r["kind"] == "family" and r["seed"] == cell["seed"]}


def main():
    program, config, folder = sys.argv[1:4]
    target = os.path.join(folder, "export")
    subprocess.run([program, "cell", config, "--export", target, "--force", *sys.argv[4:]],
                   check=True)
    options = [word for pair in zip(sys.argv[4::2], sys.argv[5::2]) if pair[0] == "--set" for word in pair]
    check(Replicate(target), rows_of(program, config, folder, options))
    for what, difference in worst.items():
        print(f"{what}: largest difference {difference:.1e}")
    sys.exit(any(difference > (ROUNDED if what == "half-widths" else TOLERANCE) for what, difference in worst.items()))


main()
