#!/usr/bin/env python3
"""Recomputes with NumPy what a run over a grid with unobserved pairs says (protocol sections 3, 6 and 7).

Usage: check_observed.py REGRET FOLDER

A planted synthetic table of 240 prompts and 6 models loses 60 % of its cells at random. Regret, baselines and policy
values of one replicate's rows are recomputed from `regret cell --export`; no row may be of an unobserved pair, and the
interval of the policy's value must hold the truth of the whole table in 90 % of the replicates at least. A complete table has the
same rows under "observed" as under "fail". Exit code 77 where NumPy is missing.
"""

import csv
import json
import os
import random
import subprocess
import sys

try:
    import numpy as np
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

SEEDS, N, M = 20, 240, 6
SET = ["--set", "n_obs=600", "--set", "n_exp=150", "--set", "features.agent=3", "--set", "features.buckets=256",
       "--set", "contexts.train_share=0.5", "--set", 'families=["exp-only","obs-only"]', "--set", "beta=0.5",
       "--set", "contexts.hard=0"]


def table(path, share, texts):
    """Every agent gives so many texts in turn."""
    rng, truth = random.Random(1), {}
    with open(path, "w", encoding="utf-8") as file:
        file.write("prompt,model,answer,score,brevity\n")
        for x in range(N):
            for a in range(M):
                score = min(1.0, max(0.0, 0.2 + 0.1 * a + rng.gauss(0, 0.12)))
                truth[f"p{x}", f"m{a}"] = round(score, 4)
                if rng.random() < share:
                    file.write(f"p{x},m{a},text {a} {x % texts},{score:.4f},{score:.4f}\n")
    return truth


def run(program, folder, name, share, policy, seeds=SEEDS, texts=1):
    path = os.path.join(folder, name)
    truth = table(path + ".csv", share, texts)
    with open(path + "-map.json", "w", encoding="utf-8") as file:
        json.dump({"name": name, "synthetic": True,
                   "columns": {"context": "prompt", "text": "prompt", "agent": "model", "output": "answer"},
                   "components": [{"name": "score", "from": "score", "low": 0, "high": 1},
                                  {"name": "brevity", "from": "brevity", "low": 0, "high": 1}]}, file)
    with open(path + ".json", "w", encoding="utf-8") as file:
        json.dump({"pool": name}, file)
    quiet = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([program, "import", "csv", path + ".csv", "--map", path + "-map.json", "-o", path, "--force"], **quiet)
    subprocess.run([program, "run", path + ".json", "-o", f"{path}-{policy}", "--force", "--no-report", "-q", "--seeds",
                    str(seeds), *SET, "--set", f"grid.policy={policy}"], **quiet)
    with open(f"{path}-{policy}/results-1-of-1.jsonl", "rb") as file:
        return truth, file.read()


def policy_value(f, y, p):
    seen = ~np.isnan(y)
    w = np.where(seen, 1 / p, 0.0)
    w /= w.sum()
    rest = np.where(seen, y - f, 0.0)
    return (w[seen] @ y[seen]), f.mean() + w @ rest


def check(program, folder, rows, seed):
    out = os.path.join(folder, "export")
    subprocess.run([program, "cell", os.path.join(folder, "holes.json"), "--export", out, "--force", "--seed", str(seed),
                    *SET, "--set", "grid.policy=observed"], check=True, stdout=subprocess.DEVNULL)
    cell = json.load(open(f"{out}/cell.json", encoding="utf-8"))
    mu = np.genfromtxt(f"{out}/target.csv", delimiter=",", skip_header=1)[:, 2].reshape(-1, M)
    drawn = {k: np.loadtxt(f"{out}/{k}.csv", delimiter=",", skiprows=1) for k in ("obs", "exp")}
    for rows_of in drawn.values():
        assert not np.isnan(mu.ravel()[rows_of[:, 1].astype(int)]).any(), "an unobserved pair was drawn"
    with open(f"{out}/predictions.csv", encoding="utf-8") as file:
        made = list(csv.DictReader(file))
    test, share = cell["test"], (~np.isnan(mu)).mean(axis=0)
    surface = {k: np.array([float(r[k]) for r in made]).reshape(-1, M) for k in made[0] if k != "pair"}
    for k, rows_of in drawn.items():
        mean = [rows_of[rows_of[:, 3] == a, 5].mean() for a in range(M)]
        surface[f"best-{k}"] = np.tile(mean, (len(mu), 1))
    for name, f in surface.items():
        lost = [np.nanmax(mu[x]) - mu[x][np.nanargmax(np.where(np.isnan(mu[x]), np.nan, f[x]))]
                for x in test if (~np.isnan(mu[x])).sum() > 1]
        row = rows[seed, name]
        np.testing.assert_allclose(row["regret"], np.mean(lost), atol=1e-12)
        choice = [int(np.argmax(f[x])) for x in test]
        value = policy_value(np.array([f[x][a] for x, a in zip(test, choice)]),
                             np.array([mu[x][a] for x, a in zip(test, choice)]), share[choice])
        np.testing.assert_allclose([row["policy_ips"], row["policy_dr"]], value, atol=1e-12)
    random_lost = [np.nanmax(mu[x]) - np.nanmean(mu[x]) for x in test if (~np.isnan(mu[x])).sum() > 1]
    np.testing.assert_allclose(rows[seed, "random"]["regret"], np.mean(random_lost), atol=1e-12)


def main():
    program, folder = sys.argv[1:3]
    truth, text = run(program, folder, "holes", 0.4, "observed")
    rows = {(r["seed"], r["family"]): r for r in map(json.loads, text.splitlines())}
    for seed in (0, 7):
        check(program, folder, rows, seed)
    grid = json.load(open(os.path.join(folder, "holes-observed", "run.json"), encoding="utf-8"))["grids"][0]
    held, covered, right = 0, 0, 0
    for (seed, name), row in rows.items():
        if name not in ("exp-only", "obs-only"):
            continue
        x = rows[seed, "oracle"]["context"]
        agents = [grid["agents"][a] for a in row["choice_all"]]
        value = np.mean([truth[grid["contexts"][i], a] for i, a in zip(x, agents)])
        covered += abs(value - row["policy_dr"]) <= row["policy_dr_half"]
        right += max(set(agents), key=agents.count) == f"m{M - 1}"
        held += 1
        assert len(x) == len(agents)
    print(f"{covered} of {held} intervals hold the truth, {right} recommend the planted best")
    assert covered >= 0.9 * held and right >= 0.95 * held
    # What agents would have written where they are unobserved is not known: policies of families have no value.
    _, text = run(program, folder, "texts", 0.4, "observed", 1, texts=3)
    for row in map(json.loads, text.splitlines()):
        valued = row["kind"] == "baseline" and row["family"].startswith("best-")
        assert ("policy_dr" in row, "choice_all" in row) == (valued, valued), row["family"]
    assert run(program, folder, "whole", 2.0, "observed", 2)[1] == run(program, folder, "whole", 2.0, "fail", 2)[1]


main()
