#!/usr/bin/env python3
"""Recomputes with NumPy the rows of runs in which pairs are unobserved and contexts have tags (protocol sections 1, 6 and 7).

Usage: check_restricted.py REGRET FOLDER

A planted synthetic table of 130 prompts and 7 models, 45 % filled: three categories, one of them rare, prompts without any, one
model seen on three prompts only, prompts with one model, models that give one text for everything. Of every row of several
seeds: regret restricted to observed pairs, the losses by context, choices of baselines by
tag too, the agent chosen of all, the value of that policy by IPS and DR and its half-width, and when there is none. Of an export: values of agents
and their DR with rows weighed by what EXP drew from. A complete table has the same rows under "observed" as under "fail"; where texts differ,
policies of families have no value. Exit code 77 where NumPy or SciPy is missing.
"""

import csv
import json
import os
import pathlib
import subprocess
import sys

os.environ["OPENBLAS_NUM_THREADS"] = "1"
sys.dont_write_bytecode = True
try:
    import numpy as np
    from scipy.special import betaincinv
    from replicate import Replicate, clip
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

N, M, SEEDS = 130, 7, 2
KEYS = {"contexts.hard": 0, "contexts.train_share": 0.6, "features.buckets": 64, "features.agent": 3, "features.agent_tag": 3,
        "n_obs": 260, "router.slate": 3, "beta": 0.7, "families": ["exp-only", "obs-only", "cvci"], "grid.policy": "observed",
        "sweep": {"n_exp": [8, 120]}}
TAGS = ["code", "chat", "rare", ""]
QUIET = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
worst = {}
compared = 0


def tag_of(x):
    return 2 if x % 30 == 7 else 3 if x % 19 == 4 else int(x % 3 == 0)


def same(what, ours, theirs, tolerance=1e-12):
    """Lists have six digits."""
    global compared
    ours, theirs = np.asarray(ours, float), np.asarray([np.nan if x is None else x for x in np.ravel(theirs)], float)
    assert ours.size == theirs.size and (np.isnan(np.ravel(ours)) == np.isnan(theirs)).all(), f"{what}: {theirs}, not {ours}"
    difference = np.nanmax(np.abs(np.r_[0.0, np.ravel(ours) - theirs]))
    kind = what.split(":")[0]
    worst[kind], compared = max(worst.get(kind, 0.0), difference), compared + theirs.size
    assert difference <= tolerance, f"{what}: off by {difference:.2e}: {theirs}, not {ours}"


def make_table(folder, whole=False, texts=1):
    """Every agent gives so many texts in turn."""
    rng = np.random.default_rng(11)
    with open(folder / "table.csv", "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["prompt", "kind", "model", "answer", "score", "brevity"])
        for x in range(N):
            for a in range(M):
                if a == 6:
                    seen = x in (3, 50, 99)
                elif x in (8, 21):
                    seen = a == 2
                else:
                    seen = rng.random() < 0.2 + 0.1 * a * (1 + (tag_of(x) == 1)) / 2
                if whole or seen or (x in (3, 50, 99) and a == 0):
                    score = np.clip(0.3 + 0.05 * a + 0.25 * (tag_of(x) * 2 == a) + rng.normal(0, 0.12), 0, 1)
                    out.writerow([f"p{x}", TAGS[tag_of(x)], f"m{a}", f"m{a} {x % texts}", f"{score:.4f}", f"{rng.random():.4f}"])
    (folder / "map.json").write_text(json.dumps({
        "name": "holes", "synthetic": True,
        "columns": {"context": "prompt", "text": "prompt", "tag": "kind", "agent": "model", "output": "answer"},
        "components": [{"name": n, "from": n, "low": 0, "high": 1} for n in ("score", "brevity")]}))


# ---------------------------------------------------------------- what rows say


def means(rows, which):
    """By agent, NaN of one without rows."""
    rows = rows[which]
    n = np.bincount(rows[:, 3].astype(int), minlength=M)
    with np.errstate(invalid="ignore"):
        return np.bincount(rows[:, 3].astype(int), rows[:, 5], M) / n


def first(score, allowed):
    """The lowest of the agents of the largest score; of none with a score the lowest allowed."""
    score = np.where(allowed & ~np.isnan(score), score, -np.inf)
    return int(np.argmax(score)) if (score > -np.inf).any() else int(np.argmax(allowed))


def student_975(df):
    """From the incomplete beta function: scipy.stats.t.ppf has nine digits where df is no whole number."""
    x = betaincinv(df / 2, 0.5, 0.05)
    return np.sqrt(df * (1 / x - 1))


class Baseline:
    """Means of agents in order; by tag those of the tag, and behind them agents without rows of the tag, by their mean of all."""

    def __init__(self, rows, tag, by_tag):
        self.all = means(rows, np.ones(len(rows), bool))
        self.of_tag = {t: means(rows, tag[rows[:, 2].astype(int)] == t) for t in set(tag)} if by_tag else {}
        self.tag = tag

    def surface(self, x):
        return self.of_tag.get(self.tag[x], self.all)

    def choose(self, x, allowed):
        own = self.surface(x)
        return first(own if (allowed & ~np.isnan(own)).any() else self.all, allowed)

    def says(self, x, a):
        own = self.surface(x)[a]
        return self.all[a] if np.isnan(own) else own


class Family:
    def __init__(self, f):
        self.f = f

    def choose(self, x, allowed):
        return first(self.f[x], allowed)

    def says(self, x, a):
        return self.f[x, a]


def policy(subject, test, known, mu, share):
    """Choices among the agents that training contexts have, IPS, DR and half-width."""
    choice = [subject.choose(x, known) for x in test]
    f = np.array([subject.says(x, a) for x, a in zip(test, choice)])
    y, p = mu[test, choice], share[choice]
    seen, n = ~np.isnan(y), len(test)
    if seen.sum() < 10:
        return choice, [np.nan] * 3
    w = np.where(seen, 1 / p, 0)
    y = np.where(seen, y, 0)
    correction = w @ (y - f) / w.sum()
    psi = f - f.mean() + n * w * (y - f - correction) / w.sum()
    m = w.sum() ** 2 / (w**2).sum()
    half = student_975(m - 1) * np.sqrt(m / (m - 1) * (psi**2).sum()) / n
    return choice, [w @ y / w.sum(), f.mean() + correction, half]


def check_rows(r, folder, rows, place):
    mu = r.mu.reshape(-1, M)
    tag = np.array(r.cell["context_tags"])
    test, seen = r.cell["test"], ~np.isnan(mu)
    drawn = {k: np.loadtxt(folder / f"{k}.csv", delimiter=",", skiprows=1) for k in ("exp", "obs")}
    assert all(seen[d[:, 2].astype(int), d[:, 3].astype(int)].all() for d in drawn.values()), "an unobserved pair was drawn"
    known = seen[r.cell["train"]].any(axis=0)
    subjects = {name: Family(f.reshape(-1, M)) for name, f in r.prediction.items()}
    for k, d in drawn.items():
        subjects[f"best-{k}"] = Baseline(d, tag, False)
        subjects[f"best-by-tag-{k}"] = Baseline(d, tag, True)
    judged = [x for x in test if seen[x].sum() > 1]
    assert 0 < len(judged) < len(test)
    best = np.array([np.nanmax(mu[x]) for x in judged])
    assert rows["oracle"]["context"] == judged, place
    same("lists: best", best, rows["oracle"]["best"], 1e-6)
    same("regret", (best - [np.nanmean(mu[x]) for x in judged]).mean(), rows["random"]["regret"])
    nulls = 0
    for name, subject in subjects.items():
        row, what = rows[name], f"{place}, {name}"
        choice = [subject.choose(x, seen[x]) for x in judged]
        loss = best - mu[judged, choice]
        assert row["choice"] == choice, f"{what}: {row['choice']}, not {choice}"
        same(f"regret: {what}", loss.mean(), row["regret"])
        same(f"lists: {what}", loss, row["loss"], 1e-6)
        among, value = policy(subject, test, known, mu, seen.mean(axis=0))
        among = [a for x, a in zip(test, among) if x in judged]  # the lists are of contexts with a regret
        assert row["choice_all"] == among, f"{what}: of all {row['choice_all']}, not {among}"
        same(f"policy: {what}", value, [row.get(k) for k in ("policy_ips", "policy_dr", "policy_dr_half")])
        nulls += np.isnan(value[0])
    assert set(rows) == set(subjects) | {"oracle", "random"}
    return nulls


def check_values(r):
    """DM and DR over the contexts on which an agent is observed, EXP rows weighing as many as it drew from."""
    seen = r.observed.reshape(-1, M)
    train, n = np.isin(np.arange(len(seen)), r.cell["train"]), seen.sum(axis=1)
    of_row, p = n[r.context[r.exp]], seen[train].mean(axis=0)
    for name in ("exp-only", "obs-only"):
        told = [row for row in r.values if row["family"] == name]
        mean = lambda f: np.array([f[r.eval & (r.agent_of == a)].mean() if (r.eval & (r.agent_of == a)).any() else np.nan
                                   for a in range(M)])
        same("values: truth", mean(np.repeat(r.mu, 1)), [float(row["truth"]) for row in told])
        same("values: dm", mean(r.prediction[name]), [float(row["dm"]) for row in told])
        out, fold_mean = np.empty(len(r.exp)), np.zeros(len(r.z))
        for rows in r.folds["dr"]["rows"]:
            r.leave_out_obs(rows)
            f = clip(r.family(name, r.hyper[name], np.setdiff1d(r.all, rows)))
            r.leave_out_obs([])
            out[rows] = f[r.exp[rows]]
            fold_mean += f * len(rows) / len(r.exp)
        residual = np.bincount(r.agent, of_row * (r.y_exp - out), M)
        count = np.bincount(r.agent, of_row, M)
        # An agent that training contexts do not have has no EXP rows: its value is the plug-in.
        dr = mean(fold_mean) + p.mean() / np.where(p > 0, p, 1) * M * residual / of_row.sum()
        same("values: dr", dr, [float(row["dr"]) for row in told])
        sndr = mean(fold_mean) + np.where(count > 0, residual / np.maximum(count, 1), 0)
        same("values: sndr", sndr, [float(row["sndr"]) for row in told])


def run(regret, folder, *options, **table):
    make_table(folder, **table)
    config = folder / "config.json"
    config.write_text(json.dumps({"pool": "pool", "seeds": SEEDS, **KEYS}))
    subprocess.run([regret, "import", "csv", folder / "table.csv", "--map", folder / "map.json", "-o", folder / "pool", "--force"],
                   **QUIET)
    subprocess.run([regret, "run", config, "-o", folder / "run", "--force", "--no-report", "-q", *options], **QUIET)
    return (folder / "run" / "results-1-of-1.jsonl").read_text(encoding="utf-8")


def main(regret, folder):
    folder = pathlib.Path(folder).resolve()
    assert run(regret, folder, whole=True) == run(regret, folder, "--set", "grid.policy=fail", whole=True)
    # What agents would have written where they are unobserved is not known.
    for row in map(json.loads, run(regret, folder, texts=3).splitlines()):
        valued = row["kind"] == "baseline" and row["family"].startswith("best-")
        assert ("choice_all" in row) == valued and (valued or "policy_dr" not in row), row["family"]
    config, rows = folder / "config.json", {}
    for row in map(json.loads, run(regret, folder).splitlines()):
        if row["kind"] != "fit":
            rows.setdefault((row["cell"], row["seed"]), {})[row["family"]] = row
    nulls = 0
    for (cell, seed), of in rows.items():
        subprocess.run([regret, "cell", config, "--cell", str(cell), "--seed", str(seed), "--export", folder / "cell", "--force"],
                       **QUIET)
        r = Replicate(folder / "cell")
        nulls += check_rows(r, folder / "cell", of, f"cell {cell}, seed {seed}")
        check_values(r)
    print(f"{compared} numbers of {len(rows)} replicates ({nulls} policies have no value): largest differences",
          ", ".join(f"{k} {v:.1e}" for k, v in worst.items()))


main(*sys.argv[1:])
