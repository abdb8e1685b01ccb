"""Fits the pool newswire-fitted to levels that the OBS/EXP/SIM paper prints, and tests it on orders that it was not fitted to.

    python3 benchmarks/fit_levels.py fit --pools 5 -o FOLDER     # a fit for each of five draws of the pool
    python3 benchmarks/fit_levels.py check --pools 5 -o FOLDER   # the committed numbers on those draws: levels, ranks

What is fitted: four numbers of the pool (spread.*: how far apart scores lie inside an article, between agents and
between articles, and noise on them that no text shows) and four of the task that the paper's text has lost
(router.gamma, reward.power, reward.penalty, outcome.precision). To what: the regrets of T6 under both maps, its R2, the DM RMSE of T7.
Ranks (T4), budgets (T5), variants (T9), winners (T13) and doubly robust values (T7, T11) are looked at by `check`
alone. T4 is not independent of the levels of T6: four of its six families have them.

A fit is Levenberg's and Marquardt's on the logarithms of the numbers, with a Jacobian of differences that is
then kept by Broyden's rank-one updates; seeds are the same at every point, so that a fit is a function of the pool.
Needs NumPy and the program (--regret, by default build/release/regret)."""

import argparse
import csv
import json
import math
import pathlib
import shutil
import subprocess
import sys

import numpy as np

from ablations import average_ranks, paper_ranks, spearman
from paper_against import against_page
from paper_runs import Run

ROOT = pathlib.Path(__file__).resolve().parent.parent

# key, what it is in newswire-ceiling as it is, where the fit starts, least and largest, what is added before the
# logarithm is taken
KNOBS = [
    ("spread.within", 1.0, 0.3, 0.02, 2.0, 0.0),
    ("spread.agents", 1.0, 1.2, 0.1, 3.0, 0.0),
    ("spread.contexts", 1.0, 0.7, 0.02, 4.0, 0.0),
    ("spread.noise", 0.0, 0.005, 0.0, 0.2, 0.01),
    ("router.gamma", 1.0, 0.8, 0.1, 6.0, 0.0),
    ("reward.power", 6.0, 6.0, 1.5, 10.0, 0.0),
    ("reward.penalty", 0.0, 0.06, 0.0, 0.3, 0.02),
    ("outcome.precision", 25.0, 50.0, 5.0, 400.0, 0.0),
]
REGRET_SCALE, R2_SCALE, VALUE_SCALE = math.log(1.15), 0.03, math.log(2.5)
PRIOR_SCALE = 1.5  # a knob is off its start by a factor of e^1.5 at the cost of one scale: what nothing settles stays
FITTED_CELLS = {"beta": [0.2, 0.8], "n_obs": [2000], "n_exp": [100, 200, 800]}
FAMILIES = ["cvci", "obs-only", "exp-only", "grounded", "cvci-residual", "representation-exp"]


def paper(table):
    with open(ROOT / "data" / "paper" / f"{table}.csv", newline="") as file:
        return list(csv.DictReader(file))


def targets():
    """(statistic, subject, map): value. T6 whole but for the R2 of smooth scores on components, which is 1 by construction,
    and the DM of T7."""
    found = {}
    for record in paper("table6"):
        key = record["statistic"], record["subject"], record["reward.map"]
        if key != ("r2", "components", "smooth"):
            found[key] = float(record["value"])
    for record in paper("table7"):
        if record["statistic"] == "dm_rmse":
            found["dm_rmse", record["subject"], "smooth"] = float(record["value"])
    return found


def run(regret, pool, out, cells, numbers, seeds, more=()):
    """The rows of the main configuration on those cells."""
    shutil.rmtree(out, ignore_errors=True)
    command = [regret, "run", str(ROOT / "configs" / "main.json"), "-o", str(out), "--quiet", "--seeds", str(seeds)]
    settings = {"pool": str(pool), "values.folds": 2, **{f"sweep.{key}": json.dumps(value) for key, value in cells.items()},
                **numbers}
    for key, value in settings.items():
        command += ["--set", f"{key}={value}"]
    for setting in more:
        command += ["--set", setting]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with open(out / "report" / "results.csv", newline="") as file:
        return list(csv.DictReader(file))


def mean(rows, statistic, subject, reward_map, n_exp=None):
    """Over rows; regrets are of the two budgets of the main sweep, values of the three of T7."""
    values = [float(r[statistic]) for r in rows
              if r["family"] == subject and r["reward.map"] == reward_map and (n_exp is None or int(r["n_exp"]) in n_exp)]
    return sum(values) / len(values)


def levels(rows, wanted):
    return {key: mean(rows, key[0], key[1], key[2], None if key[0] == "dm_rmse" else (200, 800)) for key in wanted}


def residual(key, level, target):
    if key[0] == "r2":
        return (level - target) / R2_SCALE
    return math.log(max(level, 1e-6) / target) / (REGRET_SCALE if key[0] == "regret" else VALUE_SCALE)


class Fit:
    """Levels of one pool as a function of the knobs' logarithms."""

    def __init__(self, regret, pool, work, seeds):
        self.regret, self.pool, self.work, self.seeds = regret, pool, work, seeds
        self.targets = targets()
        self.offset = np.array([k[5] for k in KNOBS])
        self.before, self.start, self.low, self.high = (
            np.log(np.array([k[i] for k in KNOBS]) + self.offset) for i in range(1, 5))
        self.measured = {}

    def numbers(self, x):
        values = np.where(x <= self.low, [k[3] for k in KNOBS], np.exp(x) - self.offset)  # its least, to the last bit
        return {k[0]: f"{v:.6g}" for k, v in zip(KNOBS, values)}

    def residuals(self, x):
        key = tuple(self.numbers(x).values())
        if key not in self.measured:
            rows = run(self.regret, self.pool, self.work, FITTED_CELLS, self.numbers(x), self.seeds)
            found = levels(rows, self.targets)
            self.measured[key] = found, [residual(k, found[k], v) for k, v in self.targets.items()]
        return np.array(self.measured[key][1] + list((x - self.start) / PRIOR_SCALE))

    def levels_at(self, x):
        self.residuals(x)
        return self.measured[tuple(self.numbers(x).values())][0]

    def jacobian(self, x, r, step=0.25):
        columns = []
        for i in range(len(x)):
            moved = x.copy()
            moved[i] += step if x[i] + step <= self.high[i] else -step
            columns.append((self.residuals(moved) - r) / (moved[i] - x[i]))
        return np.array(columns).T

    def minimise(self, x, steps, jacobian=None):
        """Goes from x; returns where it ends and the Jacobian there."""
        r = self.residuals(x)
        j = self.jacobian(x, r) if jacobian is None else jacobian
        damping = 0.3
        for _ in range(steps):
            move = np.linalg.solve(j.T @ j + damping * np.eye(len(x)), -j.T @ r)
            there = np.clip(x + np.clip(move, -1.0, 1.0), self.low, self.high)
            moved = there - x
            if np.abs(moved).max() < 0.02:
                break
            r_there = self.residuals(there)
            j = j + np.outer(r_there - r - j @ moved, moved) / (moved @ moved)
            better = r_there @ r_there < r @ r
            print(f"  loss {r_there @ r_there:8.2f} {'<' if better else '>'} {r @ r:8.2f}  "
                  + " ".join(f"{v:.4g}" for v in np.exp(there) - self.offset), flush=True)
            if better:
                x, r, damping = there, r_there, damping / 3
            else:
                damping *= 4
        return x, j


def pools(options, generator):
    """The draws of a pool: the committed one is that of seed 1."""
    for seed in range(1, options.pools + 1):
        folder = options.out / f"pool-{seed}"
        if not folder.exists():
            subprocess.run([options.regret, "pool", "synth", generator, "--seed", str(seed), "-o", str(folder)],
                           check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        yield seed, folder


def name(key):
    statistic, subject, reward_map = key
    return {"regret": f"regret, {reward_map}: `{subject}`", "r2": f"R², {reward_map}: {subject}",
            "dm_rmse": f"DM RMSE: `{subject}`"}[statistic]


def mean_and_deviation(values):
    values = np.array(values, dtype=float)
    return values.mean(), values.std(ddof=1) if len(values) > 1 else float("nan")


def fit(options):
    ends, before, after, losses, jacobian = [], [], [], [], None
    for seed, folder in pools(options, "newswire-ceiling"):  # whose scores are changed
        f = Fit(options.regret, folder, options.out / "run", options.seeds)
        first = f.residuals(f.before)[:len(f.targets)]
        print(f"pool {seed}: loss as it is {first @ first:.2f}", flush=True)
        x, jacobian = f.minimise(f.start if not ends else np.mean(ends, axis=0), options.steps if jacobian is None else
                                 options.steps // 2, jacobian)
        last = f.residuals(x)[:len(f.targets)]
        ends.append(x)
        before.append(f.levels_at(f.before))
        after.append(f.levels_at(x))
        losses.append((first @ first, last @ last))
    f = Fit(options.regret, None, None, 0)
    n, t = len(ends), {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 9: 2.31, 10: 2.26}
    lines = ["| number | as it was | " + " | ".join(f"draw {i + 1}" for i in range(n)) + " | mean of logarithms, 95 % |",
             "|---|---:|" + "---:|" * n + "---|"]
    for i, knob in enumerate(KNOBS):
        values = [math.exp(x[i]) - knob[5] for x in ends]
        centre, sd = mean_and_deviation([x[i] for x in ends])
        half = t.get(n, 2.0) * sd / math.sqrt(n) if n > 1 else float("nan")
        lines.append(f"| `{knob[0]}` | {knob[1]:g} | " + " | ".join(f"{v:.3g}" for v in values)
                     + f" | {math.exp(centre) - knob[5]:.3g} [{math.exp(centre - half) - knob[5]:.3g},"
                     f" {math.exp(centre + half) - knob[5]:.3g}] |")
    lines.append("| loss | – | " + " | ".join(f"{a:.0f} → {b:.1f}" for a, b in losses) + " | |")
    lines += ["", "| level | paper | as it was | fitted | deviation over draws |", "|---|---:|---:|---:|---:|"]
    for key, target in f.targets.items():
        a, _ = mean_and_deviation([levels[key] for levels in before])
        b, sd = mean_and_deviation([levels[key] for levels in after])
        lines.append(f"| {name(key)} | {target:.4f} | {a:.4f} | {b:.4f} | {sd:.4f} |")
    write(options.out / "fit.md", lines)


def regrets_by_cell(rows):
    cells = {}
    for r in rows:
        if r["family"] in FAMILIES:
            cells.setdefault(r["cell"], {}).setdefault(r["family"], []).append(float(r["regret"]))
    return cells


def headline(run_folder):
    """What a run's page beside the paper says in its headline: (table and statistic, column): value."""
    columns, rows = against_page(Run(str(run_folder)), "paper").tables["Headline"]
    return {(row[0], column): cell.replace("−", "-") for row in rows for column, cell in zip(columns, row) if row[0] != "all"}


def against(options, folder):
    """The headlines of the configurations that have the shape of T5, T7, T9, T11 and T13, on a draw."""
    found = headline(options.out / "run")
    for config in ("values", "grounded", "map24"):
        out = options.out / f"run-{config}"
        shutil.rmtree(out, ignore_errors=True)
        subprocess.run([options.regret, "run", str(ROOT / "configs" / f"{config}.json"), "-o", str(out), "--quiet", "--no-report",
                        "--seeds", str(max(2, options.seeds * 2 // 5)), "--set", f"pool={folder}"], check=True, stdout=subprocess.DEVNULL)
        found.update(headline(out))
    return found


def check(options):
    """The committed generator newswire-fitted, with the configurations as they are: `main` on all 48 cells, and those of the
    other tables with two fifths of the seeds."""
    published = paper_ranks(FAMILIES)
    wanted = [key for key in targets() if key[0] != "dm_rmse"]
    head = "| | paper | " + " | ".join(f"draw {s}" for s in range(1, options.pools + 1)) + " | mean | mean / paper |"
    lines, table, found, heads = [head, "|---|---:|" + "---:|" * (options.pools + 2)], [], [], []
    for _, folder in pools(options, "newswire-fitted"):
        rows = run(options.regret, folder, options.out / "run", {}, {}, options.seeds)
        table.append(average_ranks(regrets_by_cell(rows), FAMILIES))
        found.append({key: mean(rows, *key) for key in wanted})
        heads.append(against(options, folder))
        print(f"pool: Spearman {spearman(table[-1], published):.2f}  "
              + " ".join(f"{v:.2f}" for v in table[-1]), flush=True)
    for i, family in enumerate(FAMILIES):
        values = [t[i] for t in table]
        lines.append(f"| average rank: `{family}` | {published[i]:.2f} | " + " | ".join(f"{v:.2f}" for v in values)
                     + f" | {np.mean(values):.2f} | |")
    values = [spearman(t, published) for t in table]
    lines.append("| Spearman with T4 | | " + " | ".join(f"{v:.2f}" for v in values) + f" | {np.mean(values):.2f} | |")
    for key in wanted:
        values, target = [f[key] for f in found], targets()[key]
        lines.append(f"| {name(key)} | {target:.4f} | " + " | ".join(f"{v:.4f}" for v in values)
                     + f" | {np.mean(values):.4f} | {np.mean(values) / target:.2f} |")
    lines += ["", "| table and statistic | |" + "".join(f" draw {s} |" for s in range(1, options.pools + 1)),
              "|---|---|" + "---|" * options.pools]
    for row, column in heads[0]:
        if column in ("Same winner or sign", "Pairs in order", "Spearman") and heads[0][row, column] not in ("–", ""):
            values = [h[row, column] for h in heads]
            lines.append(f"| {row} | {column.lower()} | "
                         + " | ".join(f"{float(v):.2f}" if column == "Spearman" and v else v for v in values) + " |")
    write(options.out / "check.md", lines)


def write(path, lines):
    text = "\n".join(lines) + "\n"
    path.write_text(text)
    print(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["fit", "check"])
    parser.add_argument("--pools", type=int, default=5, help="draws of the pool (5)")
    parser.add_argument("--seeds", type=int, help="of every cell (16 of a fit, 30 of a check)")
    parser.add_argument("--steps", type=int, default=12, help="of the first fit; half of them of the others, which begin at its end (12)")
    parser.add_argument("--regret", default=str(ROOT / "build" / "release" / "regret"), help="the program")
    parser.add_argument("-o", dest="out", type=pathlib.Path, required=True, help="folder for pools, runs and tables")
    options = parser.parse_args()
    options.seeds = options.seeds or (16 if options.command == "fit" else 30)
    options.out.mkdir(parents=True, exist_ok=True)
    fit(options) if options.command == "fit" else check(options)


if __name__ == "__main__":
    sys.exit(main())
