#!/usr/bin/env python3
"""Recomputes one exported replicate with NumPy, from its files alone (protocol sections 5 and 6).

Usage: check_export.py REGRET CONFIG FOLDER [regret cell options]

Exports a replicate with `regret cell` and compares predictions, the losses of every candidate of
causal cross-validation and the values. Exit code 77 where NumPy or SciPy is missing.
"""

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

TOLERANCE = 1e-9


worst = {}


def compare(what, ours, theirs):
    difference = float(np.max(np.abs(np.asarray(ours) - np.asarray(theirs))))
    worst[what] = max(worst.get(what, 0.0), difference)


def check(replicate):
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


def main():
    program, config, folder = sys.argv[1:4]
    target = os.path.join(folder, "export")
    subprocess.run([program, "cell", config, "--export", target, "--force", *sys.argv[4:]],
                   check=True)
    check(Replicate(target))
    for what, difference in worst.items():
        print(f"{what}: largest difference {difference:.1e}")
    sys.exit(any(difference > TOLERANCE for difference in worst.values()))


main()
