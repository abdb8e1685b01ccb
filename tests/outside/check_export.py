#!/usr/bin/env python3
"""Recomputes one exported replicate with NumPy, from its files alone (protocol sections 5 and 6).

Usage: check_export.py REGRET CONFIG FOLDER [regret cell options]

Exports a replicate with `regret cell` and compares predictions, the losses of every candidate of
causal cross-validation and the values, and the half-widths and measures of a run's row. Exit code 77 where NumPy or SciPy is missing.
"""

import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
try:
    import numpy as np
    from scipy import stats
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
    for name, prediction in replicate.prediction.items():
        k = replicate.hyper[name]
        compare("predictions", clip(replicate.family(name, k, replicate.all))[replicate.used],
                prediction[replicate.used])
        for candidate in k["candidates"]:
            compare("losses", replicate.causal_loss(name, candidate), candidate["loss"])
        if k["candidates"]:
            least = min(c["loss"] for c in k["candidates"])
            chosen = [c["loss"] for c in k["candidates"]
                      if all(c[f] in (None, k[f]) for f in ("lambda", "alpha", "rho", "tau", "basis"))]
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
    return {r["family"]: r for r in rows if r["seed"] == cell["seed"]}


def check_measures(r, rows):
    """What a row measures (protocol section 7), of every family, of baselines, and how well z tells the target."""
    shape = len(r.cell["contexts"]), r.n_agents
    mu, test = r.mu.reshape(shape), r.cell["test"]
    at, truth = mu[test], r.truth()

    def lost(surface):
        return np.mean(at.max(1) - np.take_along_axis(at, surface.argmax(1)[:, None], 1)[:, 0])

    def best(x, k):
        return np.argsort(-x, axis=-1, kind="stable")[..., :k]

    for name, prediction in r.prediction.items():
        surface = prediction.reshape(*shape, -1).mean(2)[test]
        v = {k: np.array([float(x[k]) for x in r.values if x["family"] == name]) for k in ("dm", "dr", "sndr")}
        hit = {k: np.mean([(a[b] == a.max()).any() for a, b in zip(at, best(surface, k))]) for k in (1, 3)}
        wanted = {"regret": lost(surface), "rmse": np.sqrt(np.mean((surface - at) ** 2)), "hit1": hit[1], "hit3": hit[3],
                  "top1": float(truth.argmax() == v["dm"].argmax()),
                  "top3": len({*best(truth, 3)} & {*best(v["dm"], 3)}) / min(3, r.n_agents),
                  "spearman": stats.spearmanr(truth, v["dm"])[0], "kendall": stats.kendalltau(truth, v["dm"])[0],
                  **{f"{k}_rmse": np.sqrt(np.mean((x - truth) ** 2)) for k, x in v.items()}}
        for key, value in wanted.items():
            compare("measures", value, rows[name][key])
    singles = {"best-exp": (r.agent, r.y_exp), "best-obs": (r.agent_of[r.obs], r.y_obs)}
    for name, (agent, y) in singles.items():
        mean = [y[agent == a].mean() if (agent == a).any() else -1 for a in range(r.n_agents)]
        compare("measures", lost(np.tile(mean, (len(test), 1))), rows[name]["regret"])
    compare("measures", np.mean(at.max(1) - at.mean(1)), rows["random"]["regret"])
    if r.cell["draws"] == 1:
        x, held = np.c_[np.ones(len(r.z)), r.z], np.isin(r.context, test)
        fit = x @ np.linalg.lstsq(x[r.train], r.mu[r.train], rcond=None)[0]
        for key, f in (("r2", fit), ("r2_clipped", clip(fit))):
            compare("measures", 1 - np.sum((r.mu - f)[held] ** 2) / np.sum((r.mu[held] - r.mu[held].mean()) ** 2), rows["proxy"][key])


def main():
    program, config, folder = sys.argv[1:4]
    target = os.path.join(folder, "export")
    subprocess.run([program, "cell", config, "--export", target, "--force", *sys.argv[4:]],
                   check=True)
    options = [word for pair in zip(sys.argv[4::2], sys.argv[5::2]) if pair[0] == "--set" for word in pair]
    replicate, rows = Replicate(target), rows_of(program, config, folder, options)
    check(replicate, rows)
    if rows is not None:
        check_measures(replicate, rows)
    for what, difference in worst.items():
        print(f"{what}: largest difference {difference:.1e}")
    sys.exit(any(difference > (ROUNDED if what == "half-widths" else TOLERANCE) for what, difference in worst.items()))


main()
