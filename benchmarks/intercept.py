#!/usr/bin/env python3
"""A reading of the paper's appendix C: the intercept penalised as all other coefficients, beside the free one.

usage: intercept.py REGRET CONFIG WORK [--cells 0,5,…] [--seeds N]     needs NumPy and SciPy

Exports replicates (`regret cell --export`), refits all six families in both readings by dense matrices (tests/outside/replicate.py),
hyper-parameters chosen anew in each, and writes WORK/intercept.csv: of every cell, seed and family the regret in both readings and
the share of held-out contexts in which another agent is named. Prints means over the cells, with the standard error over seeds.
"""
import argparse
import csv
import functools
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "outside"))
import numpy as np
import replicate as outside

FAMILIES = ("exp-only", "obs-only", "representation-exp", "grounded", "cvci", "cvci-residual")
factors = {}  # of the matrices of products that are of low rank, by what they are of


def factor(gram):
    """Few columns whose products are the matrix, or None."""
    key = gram.shape, float(gram[0, 0]), float(gram[-1, 0]), float(gram.sum())
    if key not in factors:
        value, vector = np.linalg.eigh(gram)
        some = value > 1e-10 * value[-1]
        factors[key] = vector[:, some] * np.sqrt(value[some]) if some.sum() < 0.25 * len(gram) else None
    return factors[key]


def fit(free, gram, rows, y, weight, rho):
    """min sum w (y - b - f)^2 + rho |f|^2, with b free, or with rho b^2 as of a feature that is always 1; at every pair.
    Rows of one pair are one of their mean outcome and whole weight, which changes no fit."""
    pairs, place = np.unique(rows, return_inverse=True)
    whole = np.bincount(place, weight)
    y = np.bincount(place, weight * y) / whole
    x = factor(gram)
    if x is None and free:
        return free_ridge(gram, pairs, y, whole, rho)
    if x is None:
        of = gram[:, pairs] + 1.0
        return of @ (whole * np.linalg.solve(of[pairs] * whole[None, :] + rho * np.eye(len(pairs)), y))
    x = np.c_[x, np.ones(len(x))]
    penalty = np.full(x.shape[1], rho)
    penalty[-1] = 0.0 if free else rho
    of = x[pairs]
    return x @ np.linalg.solve(of.T @ (whole[:, None] * of) + np.diag(penalty), of.T @ (whole * y))


free_ridge = outside.ridge


def chosen(replicate, name):
    candidates = replicate.hyper[name]["candidates"]
    if not candidates:
        return replicate.hyper[name]
    return min(candidates, key=lambda k: replicate.causal_loss(name, k))


def held_out_choice(replicate, prediction):
    """The agent of the greatest prediction in every held-out context, and the regret of naming it."""
    shape = (len(replicate.cell["contexts"]), replicate.n_agents, replicate.cell["draws"])
    value, mu = prediction.reshape(shape).mean(axis=2), replicate.mu.reshape(shape[:2])
    contexts = np.array(replicate.cell["test"])
    agent = np.argmax(value[contexts], axis=1)
    return agent, np.mean(mu[contexts].max(axis=1) - mu[contexts, agent])


def read_both(folder):
    rows = []
    read = {}
    for reading in ("free", "penalised"):
        factors.clear()
        outside.ridge = functools.partial(fit, reading == "free")
        replicate = outside.Replicate(folder)
        read[reading] = {name: held_out_choice(replicate, replicate.family(name, chosen(replicate, name), replicate.all))
                         for name in FAMILIES}
    for name in FAMILIES:
        (free, regret_free), (other, regret) = read["free"][name], read["penalised"][name]
        rows.append({"family": name, "regret_free": regret_free, "regret_penalised": regret, "other_agent": np.mean(free != other)})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("config")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--cells", default="0")
    parser.add_argument("--seeds", type=int, default=1)
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    rows = []
    for seed in range(args.seeds):
        for cell in map(int, args.cells.split(",")):
            export = args.work / "export"
            subprocess.run([args.program, "cell", args.config, "--cell", str(cell), "--seed", str(seed), "--export", export,
                            "--force"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            with open(export / "cell.json", encoding="utf-8") as file:
                config = json.load(file)["config"]
            where = {"cell": cell, "seed": seed, **{key: config[key] for key in ("reward.map", "beta", "n_obs", "n_exp")}}
            rows += [{**where, **row} for row in read_both(export)]
            with open(args.work / "intercept.csv", "w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, rows[0], lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
    print("family | free | penalised | difference ± SE over seeds | another agent")
    for name in FAMILIES:
        of = [row for row in rows if row["family"] == name]
        each = np.array([np.mean([row["regret_penalised"] - row["regret_free"] for row in of if row["seed"] == seed])
                         for seed in range(args.seeds)])
        error = each.std(ddof=1) / np.sqrt(len(each)) if len(each) > 1 else float("nan")
        print(f"{name} | {np.mean([row['regret_free'] for row in of]):.4f} | {np.mean([row['regret_penalised'] for row in of]):.4f} | "
              f"{each.mean():+.4f} ± {error:.4f} | {np.mean([row['other_agent'] for row in of]):.3f}")


if __name__ == "__main__":
    main()
