#!/usr/bin/env python3
"""Gaps between log and trial, robustness values and odds of a log alone, computed anew with NumPy and SciPy.

usage: check_diagnose.py DUMP FOLDER

DUMP (tests/diagnose/dump.c) writes synthetic logs with what the library says of them.
"""
import csv
import pathlib
import re
import subprocess
import sys

try:
    import numpy as np
    from scipy import optimize, stats
except ImportError:
    print("skipped: no NumPy and SciPy here")
    sys.exit(77)

dump, folder = sys.argv[1], pathlib.Path(sys.argv[2])
TAGS, failures, compared = 4, [], 0


def same(what, a, b, within=1e-8):
    global compared
    compared += 1
    if not (np.isnan(a) and np.isnan(b)) and not abs(a - b) <= within * (1 + abs(b)):
        failures.append(f"{what}: {a!r} told, {b!r} computed")


def read(seed, kind):
    subprocess.run([dump, folder, str(seed), kind], check=True)
    columns = np.genfromtxt(folder / "log.csv", delimiter=",", names=True)
    with open(folder / "gaps.csv", newline="") as file:
        gaps = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
    with open(folder / "entries.tsv") as file:
        entries = {fields[0]: fields for fields in (line.rstrip("\n").split("\t") for line in file)}
    return columns, gaps, entries


def left_out(y, w, cluster):
    """The weighted mean, its changes as each cluster goes, and the cluster they are of."""
    names, at = np.unique(cluster, return_inverse=True)
    total, sums = np.bincount(at, w), np.bincount(at, w * y)
    mean = sums.sum() / total.sum()
    return mean, names, (sums.sum() - sums) / (total.sum() - total) - mean


def gap_of(log, rows):
    """Difference of means, error and degrees of freedom."""
    y, source, w = log["outcome"][rows], log["source"][rows], 1 / log["propensity"][rows]
    w[source == 0] = 1
    parts = [left_out(y[source == s], w[source == s], log["cluster"][rows][source == s]) for s in (0, 1)]
    floor, variances, below = np.var(y), [], 0
    for s, (_, names, change) in enumerate(parts):
        kish = w[source == s].sum() ** 2 / (w[source == s] ** 2).sum()
        n = len(names)
        variances.append(max((n - 1) / n * (change ** 2).sum(), floor / kish))
        below += variances[-1] ** 2 / (min(n, kish) - 1)
    both, one, other = np.intersect1d(parts[0][1], parts[1][1], return_indices=True)
    cross = (parts[0][2][one] * parts[1][2][other]).sum()
    v = max(sum(variances) - 2 * cross, 0.1 * sum(variances))
    return parts[0][0] - parts[1][0], np.sqrt(v), v * v / below


def check_gaps(seed):
    log, gaps, _ = read(seed, "exp")
    for gap in gaps:
        rows = log["agent"] == gap["agent"]
        if gap["tag"] < TAGS:
            rows &= log["tag"] == gap["tag"]
        if np.isnan(gap["error"]):
            continue
        difference, error, df = gap_of(log, rows)
        what = f"seed {seed}, agent {gap['agent']:.0f}, tag {gap['tag']:.0f}"
        same(what + " difference", gap["difference"], difference)
        same(what + " error", gap["error"], error)
        same(what + " df", gap["df"], df)
        same(what + " low", gap["low"], difference - stats.t.ppf(0.975, df) * error)
        if gap["tag"] == TAGS:  # standardised to the tags of the agent's trial
            w, obs, exp = 1 / log["propensity"], rows & (log["source"] == 0), rows & (log["source"] == 1)
            means = {t: log["outcome"][obs & (log["tag"] == t)].mean() for t in range(TAGS)
                     if (obs & (log["tag"] == t)).sum() >= 2}
            kept = exp & np.isin(log["tag"], list(means))
            standard = np.array([means.get(t, np.nan) for t in log["tag"]])
            same(what + " adjusted", gap["adjusted"],
                 np.average(standard[kept] - log["outcome"][kept], weights=w[kept]))


def rss(x, y):
    fit = np.linalg.lstsq(x, y, rcond=1e-10)
    return ((y - x @ fit[0]) ** 2).sum(), fit[2]


def inverse_values(log):
    """Outcomes and 1/e − 1 of every agent, e its share of the tag's rows, and its weighted mean."""
    share = {}
    for t in np.unique(log["tag"]):
        of_tag = log["tag"] == t
        for a in np.unique(log["agent"]):
            share[a, t] = (of_tag & (log["agent"] == a)).sum() / of_tag.sum()
    e = np.array([share[pair] for pair in zip(log["agent"], log["tag"])])
    return {a: (log["outcome"][log["agent"] == a], 1 / e[log["agent"] == a] - 1) for a in np.unique(log["agent"])}


def bound(y, more, factor, sign):
    """The largest (sign 1) or least weighted mean over weights 1 + λ more, by all thresholds."""
    order = np.argsort(sign * y)
    y, more = y[order], more[order]
    low, high = 1 + more / factor, 1 + more * factor
    before = lambda v: np.concatenate([[0], np.cumsum(v)])
    after = lambda v: np.concatenate([np.cumsum(v[::-1])[::-1], [0]])
    values = (before(low * y) + after(high * y)) / (before(low) + after(high))
    return values.max() if sign > 0 else values.min()


def check_alone(seed):
    log, _, entries = read(seed, "alone")
    by_agent = inverse_values(log)
    value = {a: (y * (1 + more)).sum() / (1 + more).sum() for a, (y, more) in by_agent.items()}
    best, second = sorted(value, key=value.get, reverse=True)[:2]
    rows = (log["agent"] == best) | (log["agent"] == second)
    y, d = log["outcome"][rows], (log["agent"][rows] == best).astype(float)
    dummies = (log["tag"][rows][:, None] == np.arange(TAGS)).astype(float)
    groups = [dummies, log["size"][rows][:, None], np.log1p(log["length"][rows])[:, None]]
    intercept = np.ones((len(y), 1))
    recorded = np.hstack([intercept] + groups)
    full, rank = rss(np.column_stack([d, recorded]), y)
    without, _ = rss(recorded, y)
    choice, _ = rss(recorded, d)
    df = len(y) - rank
    t = np.sqrt((without - full) / (full / df))
    f, chance = t / np.sqrt(df), stats.t.ppf(0.975, df - 1) / np.sqrt(df - 1)
    value_at = lambda x: 0.0 if x <= 0 else (np.sqrt(x ** 4 + 4 * x ** 2) - x ** 2) / 2
    what = f"seed {seed}, "
    same(what + "robustness value", float(entries["confounding"][2]), value_at(f))
    same(what + "robustness value at .95", float(entries["confounding"][3]), value_at(f - chance))
    left = []
    for g in range(len(groups)):
        others = np.hstack([intercept] + [x for k, x in enumerate(groups) if k != g])
        r_d = 1 - choice / rss(others, d)[0]
        r_y = 1 - full / rss(np.column_stack([d, others]), y)[0]
        z, shared = r_d / (1 - r_d), r_d ** 2 / (1 - r_d) ** 2
        r = min(1, ((1 + np.sqrt(shared)) / np.sqrt(1 - shared)) ** 2 * r_y / (1 - r_y))
        error = np.sqrt(full / df / choice)
        left.append(t * error - np.sqrt(r * z / (1 - z)) * error * np.sqrt(df))
    sentence = entries["confounding"][6]
    estimate = np.linalg.lstsq(np.column_stack([d, recorded]), y, rcond=1e-10)[0][0]
    told = [float(x) for x in re.findall(r"([+-]\d\.\d{3})", sentence)]
    same(what + "lead", told[0], estimate, 6e-4)
    same(what + "lead that the strongest would leave", told[1], np.sign(estimate) * min(left), 6e-4)

    def ahead(logarithm):
        factor = np.exp(logarithm)
        own = bound(*by_agent[best], factor, -1)
        return own - max(bound(*by_agent[a], factor, 1) for a in by_agent if a != best)
    factor = np.exp(optimize.brentq(ahead, 0, 10))
    same(what + "odds", float(entries["confounding.odds"][2]), factor, 1e-5 if seed % 2 == 0 else 2e-3)


for seed in range(1, 7):
    check_gaps(seed)
    check_alone(seed)
print("\n".join(failures[:20] + [f"{compared} numbers, {len(failures)} differ"]))
sys.exit(1 if failures or compared < 300 else 0)
