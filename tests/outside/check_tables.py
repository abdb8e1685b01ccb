#!/usr/bin/env python3
"""Recomputes the tables of a report with NumPy, from the rows in results.csv.

usage: check_tables.py PROGRAM ROOT FOLDER

Two runs: one over reward maps, β and budgets with every family, one over the reward design of coding. Every number of the
tables summary, budget, reward-shape, beta, sweep, values, agreement, winners, grounded, alignment and crossover is held
against means, errors, ranks and intervals taken here; of tuning the mean λ and the shares of ρ.
"""
import csv
import math
import pathlib
import re
import subprocess
import sys

try:
    import numpy as np
except ImportError:
    print("no NumPy here")
    sys.exit(77)

PROGRAM, ROOT, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3])
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "benchmarks"))
from paper_runs import OBS_BASED, VARIANTS, Paired, Run, adjusted, standings  # noqa: E402

SYMBOLS = {"β": "beta", "λ_fix": "reward.lambda_fix", "ω": "reward.omega"}
SMALL = ["--set", "contexts.hard=24", "--set", "cv.folds=2", "--set", "values.folds=2", "--set", "features.buckets=256", "-q"]
RUNS = {
    "maps": ["configs/smoke.json", "--seeds", "4", "--set", "sweep.n_obs=[60,120]", "--set", "sweep.n_exp=[30,50]", *SMALL,
             "--set", 'families=["exp-only","obs-only","representation-exp","grounded","grounded-linear","grounded-anchored",'
             '"cvci","cvci-residual"]'],
    "design": ["configs/patches.json", "--seeds", "3", "--set", "sweep.reward.lambda_fix=[0,0.5,1]", "--set",
               "sweep.reward.omega=[0,1]", "--set", "n_obs=100", "--set", "n_exp=40", *SMALL]}
AGREEMENT = {"Top-1": "top1", "Top-3": "top3", "Spearman": "spearman", "Kendall": "kendall", "Hit@1": "hit1", "Hit@3": "hit3"}
VALUES = {"DM RMSE": "dm_rmse", "DR RMSE": "dr_rmse", "SNDR RMSE": "sndr_rmse"}


class Table:
    """The records of a table, each of which must be looked at."""

    def __init__(self, run, name):
        text = subprocess.run([PROGRAM, "report", run.folder, "--table", name, "--format", "csv"], check=True,
                              capture_output=True, text=True).stdout
        self.name, self.run, self.seen = name, run, 0
        self.records = [r for r in csv.DictReader(text.splitlines()) if r["block"] not in ("title", "note")]
        self.notes = [r["text"] for r in csv.DictReader(text.splitlines()) if r["block"] == "note"]
        assert self.records, f"{name} says nothing"

    def near(self, record, value, se=None, tolerance=1e-9):
        for what, wanted in (("value", value), ("se", se)):
            if wanted is not None:
                found = float(record[what]) if record[what] else math.nan
                assert abs(found - wanted) <= tolerance or (math.isnan(found) and math.isnan(wanted)), \
                    (self.name, record, what, wanted)
        self.seen += 1

    def number(self, block, row, column):
        return float(next(r["value"] for r in self.records if (r["block"], r["row"], r["column"]) == (block, row, column)))


def cells_of(run, *texts):
    """Those that the words of a block and a column leave: "reward.map = smooth", "n_obs 60, n_exp 30", "β 0.2", "smooth"."""
    cells = run.all
    for text in texts:
        for word in filter(None, re.split(r", ", text)):
            if word in run.keys["reward.map"]:
                word = f"reward.map {word}"
            found = re.fullmatch(r"(\S+) (?:= )?(\S+)", word)
            key = found and SYMBOLS.get(found[1], found[1])
            if key in run.keys:
                cells = cells[run.place[key][cells] == run.keys[key].index(found[2])]
    return cells


def subject_of(run, row):
    """(measure, subject) of a row's name."""
    clipped = "clipped" in row
    name = re.sub(r"^clipped: |^clipped |R² (of the target )?on (the )?(raw )?|, clipped$", "", row)
    if "R²" in row or ("fit", row.replace("clipped: ", "")) in run.subjects:
        return "r2_clipped" if clipped else "r2", ("fit", name)
    return "regret", run.find(row, "family", "baseline")


def best_obs_based(run, cells):
    return run.lowest(cells, [("family", f) for f in run.families if f in OBS_BASED])


def estimate(run, cells, measure, who, minus=None, other=None):
    y = run.seed_means(cells, measure, who)
    y = y - run.seed_means(cells, other or measure, minus) if minus else y
    p = Paired.of(y)
    return p.mean, p.se


def check_pivots(run):
    """Tables whose rows are lines and whose columns are cells."""
    for name in ("budget", "reward-shape", "beta", "sweep", "alignment") if run.name == "maps" else ("alignment", "sweep"):
        if name == "alignment" and run.name == "maps":
            continue
        table = Table(run, name)
        for r in table.records:
            cells = cells_of(run, r["block"] if name != "sweep" else "", r["column"])
            if " − " in r["column"]:
                shift = [run.seed_means(cells_of(run, m), *subject_of(run, r["row"])) for m in r["column"].split(" − ")]
                table.near(r, Paired.of(shift[0] - shift[1]).mean)
            elif r["row"] == "best OBS-based method":
                table.near(r, *estimate(run, cells, "regret", best_obs_based(run, cells)))
            elif r["row"] == "exp-only minus best OBS-based":
                table.near(r, *estimate(run, cells, "regret", ("family", "exp-only"), best_obs_based(run, cells)))
            else:
                table.near(r, *estimate(run, cells, *subject_of(run, r["row"])))
    table = Table(run, "agreement")
    for r in table.records:
        table.near(r, *estimate(run, cells_of(run, r["block"]), AGREEMENT[r["column"]], ("family", r["row"])))


def check_values(run):
    table = Table(run, "values")
    for r in table.records:
        cells, who = cells_of(run, r["block"]), ("family", r["row"])
        if r["column"] in VALUES:
            table.near(r, *estimate(run, cells, VALUES[r["column"]], who))
        elif " − DM" in r["column"]:
            table.near(r, *estimate(run, cells, VALUES[r["column"][:-5] + " RMSE"], who, who, "dm_rmse"))
        else:
            assert r["column"] == "DR better (% of cells)", r
            better = run.cell_means(cells, "dr_rmse", who) < run.cell_means(cells, "dm_rmse", who)
            table.near(r, 100 * better.mean())


def check_summary(run):
    table, ranked = Table(run, "summary"), [("family", f) for f in run.families if f not in VARIANTS]
    means = np.array([run.cell_means(run.all, "regret", f) for f in ranked]).T
    rank, win = standings(means)
    best = run.lowest(run.all, ranked)
    for i, who in enumerate(ranked):
        own = {r["column"]: r for r in table.records if r["row"] == who[1]}
        table.near(own["Avg. rank"], rank[:, i].mean())
        table.near(own["Top-3"], (rank[:, i] <= 3).sum())
        table.near(own["Wins"], (win[:, i] > 0).sum())
        table.near(own["Excess (%)"], 100 * (means[:, i] / means.min(1) - 1).mean())
        table.near(own["Mean regret ± SE"], *estimate(run, run.all, "regret", who))
        d = Paired.of(run.seed_means(run.all, "regret", who) - run.seed_means(run.all, "regret", best))
        if who == best:
            assert own["Verdict"]["text"] == "best", own
            continue
        table.near(own["95 % low"], d.low)
        table.near(own["95 % high"], d.high)
        assert own["Verdict"]["text"] == ("separable" if d.separable() else "tied with best"), own
    order = sorted(ranked, key=lambda f: run.mean(run.all, "regret", f))

    def detectable(a, b, cells):
        return Paired.of(run.seed_means(cells, "regret", a) - run.seed_means(cells, "regret", b)).detectable()
    pairs = [detectable(a, b, run.all) for i, a in enumerate(order) for b in order[i + 1:]]
    each = []
    for c in run.all:
        first, second = np.argsort(means[c], kind="stable")[:2]
        each.append(detectable(ranked[first], ranked[second], np.array([c])))
    wanted = (f"{pairs[0]:.4f} between the best family and the second; over all {len(pairs)} pairs of families {min(pairs):.4f} "
              f"to {max(pairs):.4f}, median {np.median(pairs):.4f}. In one cell, best and second: median {np.median(each):.4f}.")
    assert any(wanted in note for note in table.notes), wanted


def check_winners(run):
    table, ranked = Table(run, "winners"), [("family", f) for f in run.families if f not in VARIANTS]
    by_block, p = {}, {}
    for r in (r for r in table.records if "cells won" not in r["block"]):
        cells = cells_of(run, r["block"], r["row"], r["column"])
        means = [run.mean(cells, "regret", f) for f in ranked]
        first, second = np.argsort(np.round(means, 12), kind="stable")[:2]
        d = Paired.of(run.seed_means(cells, "regret", ranked[second]) - run.seed_means(cells, "regret", ranked[first]))
        table.near(r, means[second] - means[first])
        names = [ranked[first][1]] + ([] if d.separable() else [ranked[second][1]])
        assert r["text"] == " ≈ ".join(names), (r, names)
        by_block.setdefault(r["block"], []).append((ranked[first][1], means[second] - means[first] > 1e-12, d))
    for block, cells in by_block.items():
        p = [d.p_value() for _, _, d in cells]
        kept = {"Of them separable from the second": [d.separable() for *_, d in cells],
                "Holm": [q <= .05 for q in adjusted(p, True)], "Benjamini–Hochberg": [q <= .05 for q in adjusted(p, False)]}
        for r in (r for r in table.records if r["block"] == (f"{block}: cells won" if block else "cells won")):
            mine = [i for i, (name, _, _) in enumerate(cells) if r["row"] in (name, "all")]
            if r["column"] in kept:
                table.near(r, sum(kept[r["column"]][i] for i in mine))
            elif all(alone for _, alone, _ in cells):
                table.near(r, len(mine))


def check_grounded(run):
    table, families = Table(run, "grounded"), ["grounded", *(f for f in run.families if f in VARIANTS)]
    means = np.array([run.cell_means(run.all, "regret", ("family", f)) for f in families])
    for i, family in enumerate(families):
        wins = (means[i] <= means.min(0) + 1e-12).sum()
        assert table.number("16 cells", family, "Wins (cells)") == wins, (family, wins)
        assert abs(table.number("16 cells", family, "Macro regret ± SE") - means[i].mean()) < 1e-12
    table = Table(run, "tuning")
    lam, rho = (run.of(m, ("family", f)) for m, f in (("lambda", "cvci"), ("rho", "grounded")))
    for beta in ("0", "1"):
        cells = cells_of(run, f"β {beta}")
        assert abs(table.number("cvci", "mean λ", f"β {beta}") - np.nanmean(lam[cells])) < 1e-12
        share = 100 * (rho[cells] == 10).mean()
        assert abs(table.number("grounded", "ρ = 10 (%)", f"β {beta}") - share) < 1e-9 if share else True


def check_crossover(run):
    table = Table(run, "crossover")
    for r in table.records:
        cells = cells_of(run, r["column"], *(re.findall(r"(?:ω|λ_fix) = 0$", r["block"])))
        by_omega = r["column"].startswith("ω")
        minuend = ("family", "grounded" if by_omega else "representation-exp")
        other = ("family", "obs-only") if by_omega else best_obs_based(run, cells)
        if r["row"] == "difference":
            table.near(r, *estimate(run, cells, "regret", minuend, other))
        else:
            table.near(r, *estimate(run, cells, "regret", minuend if r["row"] == minuend[1] else other))
            assert r["row"] != "best OBS-based method" or r["text"] == other[1], r


def main():
    for name, (config, *options) in RUNS.items():
        out = FOLDER / name
        subprocess.run([PROGRAM, "run", str(ROOT / config), "-o", str(out), "--force", "--no-report", *options], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        run = Run(str(out))
        check_pivots(run)
        check_summary(run)
        check_winners(run)
        check_values(run)
        if name == "maps":
            check_grounded(run)
        else:
            check_crossover(run)
    print("every table is what its rows say")


main()
