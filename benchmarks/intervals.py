#!/usr/bin/env python3
"""Which interval holds what another set of contexts shows?

usage: intervals.py PROGRAM FOLDER [--pools N] [--seeds S] [-- OPTION of `regret run`...]

Makes N pools of 48 generated articles each (synth.seed 1 to N; runs that are in FOLDER are kept) and runs one
cell of configs/main.json on every one. A difference of regret of two families d has a variance v by each way:

  seeds       the squared standard error over seeds
  two-way     by seeds and contexts, as reports have it (stats/resampling.h)
  sum         the parts of seeds and contexts added up, nothing taken off for what both hold
  pigeonhole  seeds and contexts resampled apart, 200 times (Owen, Annals of Applied Statistics 1, 2007)

and is held against that of other contexts: |d1 − d2| <= t·sqrt(v1 + v2), Student's t of 95 % by Welch, where each
has the fewer of seeds and contexts less one degrees of freedom. Either these are the contexts of another pool, whose surfaces were trained on other
contexts too: every pair of pools counts. Or they are the other half of the pool's own contexts, under
the other half of its seeds, when both halves train on the same contexts. Printed are shares in %, the mean over
pairs of families and the least and the most, and how v compares with what it estimates. Needs NumPy and SciPy.
"""
import argparse
import itertools
import json
import pathlib
import subprocess
import sys

import numpy as np
from scipy.stats import t as student

SETTINGS = ["pool=synth:newswire-ceiling", "synth.articles=48", "contexts.hard=0", "values.enabled=false",
            "reward.map=sharpened", "beta=0.8", "n_obs=1000", "n_exp=200"]
ODD, AGENT = "representation-exp", "best-exp"
WAYS = ("seeds", "two-way", "sum", "pigeonhole")
RESAMPLES = 200


def run(program, folder, pool, seeds, options):
    out = folder / str(pool)
    if not (out / "results-1-of-1.jsonl").exists():
        config = pathlib.Path(__file__).parent.parent / "configs/main.json"
        command = [program, "run", str(config), "-o", str(out), "--no-report", "-q", "-j", "1"]
        for s in SETTINGS + [f"synth.seed={pool}", f"seeds={seeds}"]:
            command += ["--set", s]
        subprocess.run(command + options, check=True, stderr=subprocess.DEVNULL)
    return out


def read(folder, n_seeds):
    """{family: losses by seed and context, NaN where the seed did not hold the context out}"""
    rows = [json.loads(line) for line in open(folder / "results-1-of-1.jsonl", encoding="utf-8")]
    held = {r["seed"]: r["context"] for r in rows if r["family"] == "oracle" and r["seed"] < n_seeds}
    n_contexts = 1 + max(max(c) for c in held.values())
    losses = {}
    for r in rows:
        if r["seed"] in held and (r["kind"] == "family" or r["family"] == AGENT):
            x = losses.setdefault(r["family"], np.full((n_seeds, n_contexts), np.nan))
            x[r["seed"], held[r["seed"]]] = r["loss"]
    return losses


def resample(x, rng):
    """The means over seeds of resamples of seeds and of contexts, for each of several families."""
    n_seeds, n_contexts = x[0].shape
    seeds = rng.multinomial(n_seeds, np.full(n_seeds, 1 / n_seeds), RESAMPLES).T
    contexts = rng.multinomial(n_contexts, np.full(n_contexts, 1 / n_contexts), RESAMPLES).T
    weight = (~np.isnan(x[0])) @ contexts
    seeds = np.where(weight > 0, seeds, 0)
    means = [np.nan_to_num(y) @ contexts / np.maximum(weight, 1) for y in x]
    return [(seeds * m).sum(0) / seeds.sum(0) for m in means]


def estimate(x):
    """The mean over seeds of the means over contexts, its variances but the last, and t."""
    x = x[(~np.isnan(x)).any(1)]
    held = ~np.isnan(x)
    n, h, y = len(x), held.sum(1)[:, None], np.nan_to_num(x)
    mean = y.sum(1)[:, None] / h
    whole = mean.mean()
    shift = np.where(held & (h > 1), (mean - y) / np.maximum(h - 1, 1), 0.0)
    gone = held & (h == 1)  # a seed that has no other context goes with it
    alone = np.where(gone, (whole - mean) / (n - 1), shift / n)[held]
    left = n - gone.sum(0)
    context = ((gone.sum(0) * whole - (gone * mean).sum(0) + shift.sum(0)) / left)[held.any(0)]
    jackknife = lambda d: (len(d) - 1) / len(d) * (d ** 2).sum()
    v_seeds, v_contexts, v_both = (jackknife(d) for d in ((whole - mean) / (n - 1), context, alone))
    two_way = max(v_seeds + v_contexts - v_both, v_seeds, v_contexts)
    return whole, [v_seeds, two_way, v_seeds + v_contexts], min(n, len(context)) - 1


def inside(d, v, w, df):
    """Of differences d of estimates with the variances v and w, each of df degrees of freedom."""
    welch = np.where(v + w > 0, (v + w) ** 2 / np.maximum(v ** 2 + w ** 2, 1e-300), 1.0) * df
    return np.abs(d) <= student.ppf(0.975, welch) * np.sqrt(v + w)


def other_pools(estimates):
    """By each way: the share of pairs of pools whose differences agree, and the mean of v over the variance of d."""
    d = np.array([e[0] for e in estimates])
    i, j = np.triu_indices(len(d), 1)
    out = []
    for way in range(len(WAYS)):
        v = np.array([e[1][way] for e in estimates])
        out.append((inside(d[i] - d[j], v[i], v[j], estimates[0][2]).mean(), v.mean() / d.var(ddof=1)))
    return out


def own_halves(differences):
    """The same of two halves of the contexts of a pool, under other seeds."""
    results = []
    for x in differences:
        halves = np.full((2, *x.shape), np.nan)
        for k in range(2):
            seeds = slice(k * len(x) // 2, (k + 1) * len(x) // 2)
            halves[k, seeds, k::2] = x[seeds, k::2]
        results.append([estimate(half) for half in halves])
    d = np.array([a[0] - b[0] for a, b in results])
    df = np.array([min(a[2], b[2]) for a, b in results])
    out = []
    for way in range(len(WAYS) - 1):
        v, w = (np.array([pair[k][1][way] for pair in results]) for k in range(2))
        out.append((inside(d, v, w, df).mean(), (v + w).mean() / (d ** 2).mean()))
    return out


def put(what, pairs, shares):
    cells = []
    for way in range(len(shares[0])):
        of = [100 * s[way][0] for s in shares]
        ratio = np.median([s[way][1] for s in shares])
        cells.append(f"{np.mean(of):.1f} ({min(of):.1f} to {max(of):.1f}), {ratio:.2f}")
    cells += ["–"] * (len(WAYS) - len(cells))
    print(f"| {what} | {len(pairs)} | {' | '.join(cells)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2][7:])
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--pools", type=int, default=200)
    parser.add_argument("--seeds", type=int, default=30)
    own, _, options = " ".join(sys.argv[1:]).partition(" -- ")
    a = parser.parse_args(own.split())
    rng = np.random.default_rng(1)
    pools, resamples = [], []
    for pool in range(1, a.pools + 1):
        pools.append(read(run(a.program, a.folder, pool, a.seeds, options.split()), a.seeds))
        resamples.append(dict(zip(pools[-1], resample(list(pools[-1].values()), rng))))
    pools_of, halves_of = {}, {}
    for f, g in itertools.combinations(pools[0], 2):
        differences = [p[f] - p[g] for p in pools]
        estimates = [estimate(x) for x in differences]
        for e, r in zip(estimates, resamples):
            e[1].append((r[f] - r[g]).var(ddof=1))
        pools_of[f, g], halves_of[f, g] = other_pools(estimates), own_halves(differences)
    kinds = [("families without " + ODD, lambda p: not {ODD, AGENT} & set(p)),
             (f"{ODD} and another", lambda p: ODD in p and AGENT not in p),
             (f"{AGENT} and a family", lambda p: AGENT in p)]
    print(f"{a.pools} pools, {a.seeds} seeds; share inside in %, and v over what it estimates\n")
    print(f"| differences of | pairs | {' | '.join(WAYS)} |\n|---|---:|---|---|---|---|")
    for where, shares in (("other pools", pools_of), ("own halves", halves_of)):
        for name, is_kind in kinds:
            pairs = [p for p in shares if is_kind(p)]
            put(f"{where}: {name}", pairs, [shares[p] for p in pairs])


main()
