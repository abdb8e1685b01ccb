#!/usr/bin/env python3
"""Recomputes with NumPy, from the rows of runs alone, the intervals for new contexts (protocol section 7).

Usage: check_new_contexts.py REGRET PROJECT FOLDER

Runs a small configuration with single splits, on other contexts, with folds of contexts, with one held-out
context a seed and without lists, and leaves out each context, seed and pair of both in turn: every mean is taken
anew from the losses. Compared are the tables summary and compare, and the verdicts. Exit code 77 where NumPy or SciPy is missing.
"""

import csv
import io
import json
import pathlib
import subprocess
import sys

try:
    import numpy as np
    from scipy.stats import t as student
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

SMALL = ["--seeds", "11", "--set", "contexts.hard=20", "--set", "n_obs=200", "--set", "n_exp=60",
         "--set", "features.buckets=512", "--set", "values.enabled=false", "--set", "sweep.beta=[0,1]",
         "--set", "sweep.reward.map=[\"smooth\"]"]
RUNS = {
    "split": [],
    "other": ["--set", "obs_only.rho=30", "--set", "contexts.hard=24"],  # other contexts are held out
    "folds": ["--set", "contexts.folds=4"],
    "single": ["--seeds", "24", "--set", "contexts.train_share=0.95"],  # a seed holds out one context
    "bare": ["--set", "details=false"],
}
TOLERANCE = 2e-6  # losses have six digits in the rows
worst = 0.0
compared = 0


def run(regret, project, folder, name):
    out = folder / name
    subprocess.run([regret, "run", str(project / "configs/smoke.json"), "-o", str(out), "--force", "-q",
                    "--no-report", *SMALL, *RUNS[name]], check=True, stdout=subprocess.DEVNULL)
    return out


class Rows:
    """losses[family][cell, seed] = {context: loss}"""

    def __init__(self, folder):
        grids = json.loads((folder / "run.json").read_text())
        self.cells, self.seeds, contexts, self.losses = set(), set(), {}, {}
        rows = [json.loads(line) for line in open(folder / "results-1-of-1.jsonl", encoding="utf-8")]
        for row in rows:
            if row["family"] == "oracle":
                grid = grids["grids"][grids["cells"][row["cell"]].get("grid", 0)]
                contexts[row["cell"], row["seed"]] = [grid["contexts"][k] for k in row["context"]]
        for row in rows:
            if row["kind"] != "fit":
                place = row["cell"], row["seed"]
                self.cells.add(row["cell"])
                self.seeds.add(row["seed"])
                self.losses.setdefault(row["family"], {})[place] = dict(zip(contexts[place], row["loss"]))


def mean(sides, gone):
    """The sum of the sides, each the mean over seeds of means over cells of means over what is left. A side is
    a sign and losses; `gone` says of a seed and a context whether they are left out."""
    seeds = sorted({seed for _, seed in sides[0][1]})
    kept = []
    for seed in seeds:
        parts = [sign * np.mean([np.mean([x for c, x in held.items() if not gone(seed, c)] or [np.nan])
                                 for (_, s), held in losses.items() if s == seed])
                 for sign, losses in sides]
        kept += [sum(parts)] if np.isfinite(sum(parts)) else []
    return np.mean(kept)


def jackknife(sides, whole, keys, gone):
    squares = [(mean(sides, lambda s, c, k=k: gone(k, s, c)) - whole) ** 2 for k in keys]
    return (len(keys) - 1) / len(keys) * sum(squares)


def parts(sides):
    """Their sum, the three variances of the jackknife, and how many seeds and contexts there are."""
    pairs = sorted({(seed, c) for _, losses in sides for (_, seed), held in losses.items() for c in held})
    seeds, contexts = sorted({s for s, _ in pairs}), sorted({c for _, c in pairs})
    whole = mean(sides, lambda s, c: False)
    v_seeds = jackknife(sides, whole, seeds, lambda k, s, c: s == k)
    v_contexts = jackknife(sides, whole, contexts, lambda k, s, c: c == k)
    v_both = jackknife(sides, whole, pairs, lambda k, s, c: (s, c) == k)
    return whole, (v_seeds, v_contexts, v_both), (len(seeds), len(contexts))


def variance(v):
    return max(v[0] + v[1] - v[2], v[0], v[1])


def interval(sides, level=0.05):
    whole, v, n = parts(sides)
    half = student.ppf(1 - level / 2, min(n) - 1) * np.sqrt(variance(v))
    return whole - half, whole + half


def close(what, ours, theirs):
    global worst, compared
    difference = float(np.max(np.abs(np.subtract(ours, [float(x) for x in theirs]))))
    worst = max(worst, difference)
    compared += 1
    assert difference < TOLERANCE, f"{what}: {ours} here, {theirs} there"


def table(regret, *arguments):
    """{row: {column: (value, text)}} of a long CSV."""
    text = subprocess.run([regret, *map(str, arguments), "--format", "csv"], check=True, capture_output=True,
                          text=True).stdout
    rows = {}
    for r in csv.DictReader(io.StringIO(text)):
        if r["row"]:
            rows.setdefault(r["row"], {})[r["column"]] = r["value"], r["text"]
    return rows


def ends(row):
    return row["New contexts, low"][0], row["New contexts, high"][0]


def verdict(row, names):
    seeds, both = ([float(row[n][0]) for n in pair] for pair in (names, ("New contexts, low", "New contexts, high")))
    apart = [low > 0 or high < 0 for low, high in (seeds, both)]
    return "not separable" if not apart[0] else "would hold" if apart[1] else "these contexts only"


def check_summary(regret, folder):
    rows, shown = Rows(folder), table(regret, "report", folder, "--table", "summary")
    (best,) = [name for name, row in shown.items() if row["Verdict"][1] == "best"]
    for name, row in shown.items():
        if name == best:
            assert row["On new contexts"][1] == "–"
            continue
        close(f"{folder.name}, {name}",
              interval([(1, rows.losses[name]), (-1, rows.losses[best])]), ends(row))
        assert row["On new contexts"][1] == verdict(row, ("95 % low", "95 % high")), name


def check_compare(regret, a, b):
    of_a, of_b = Rows(a), Rows(b)
    for name, row in table(regret, "compare", a, b).items():
        close(f"compare, {name}", interval([(1, of_b.losses[name]), (-1, of_a.losses[name])]), ends(row))


def main():
    regret, project, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    runs = {name: run(regret, project, folder, name) for name in RUNS}
    for name in ("split", "folds", "single"):
        check_summary(regret, runs[name])
    check_compare(regret, runs["split"], runs["other"])
    for row in table(regret, "report", runs["bare"], "--table", "summary").values():
        assert ends(row) == ("", "") and row["On new contexts"][1] in ("–", "not known")
    print(f"{compared} intervals, largest difference {worst:.1e}")


main()
