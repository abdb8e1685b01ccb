#!/usr/bin/env python3
"""Do the intervals of the policy *single* hold in the long run? The worlds of evaluate.py without the program.

usage: evaluate_plain.py [--draws N] [--only WORLD...]

A trial is drawn, folds are dealt to users, the single agent is learned of the folds before by shrunken means, and valued on the later ones by
the plain mean of rows that asked it: docs/protocol.md §13 with f = 0. Beside Student's interval stands Wilson's, which the program has. Some
hundred draws a second, so that what is wrong with an interval is told from what is chance in a few hundred runs of the program.
"""
import argparse
import math
import pathlib

import numpy
from scipy import stats

import evaluate_worlds

PRIOR, DRAWN, FOLDS, FIRST_LATE = 4.0, 2.0, 5, 2


def influence(y, cluster, asked):
    """(mean, m, Σ Q²) over clusters of the rows that asked."""
    weight = numpy.bincount(cluster[asked])
    q = numpy.bincount(cluster[asked], y[asked] - y[asked].mean())
    return y[asked].mean(), weight.sum() ** 2 / (weight ** 2).sum(), (q ** 2).sum() / asked.sum() ** 2


def pooled_noise(y, cluster, agent, n_agents):
    top = bottom = 0.0
    for a in range(n_agents):
        _, m, squares = influence(y, cluster, agent == a)
        top, bottom = top + m ** 2 * squares, bottom + m - 1
    return top / bottom


def learn(y, agent, use, n_agents):
    mean = y[use].mean()
    rows = numpy.bincount(agent[use], minlength=n_agents)
    return int((numpy.bincount(agent[use], y[use] - mean, n_agents) / (rows + DRAWN)).argmax())


def one_draw(world, rng):
    """Where the truth lies: (of Student's interval, of Wilson's), -1 below it, 1 above it, 0 in it."""
    r, agent, _ = world.trial(rng)
    y, cluster = world.outcome(rng, r, agent, "exp"), numpy.unique(r.users, return_inverse=True)[1]
    fold, n = rng.permutation(cluster.max() + 1)[cluster] % FOLDS, len(world.agents)
    single = {k: learn(y, agent, fold < k, n) for k in range(FIRST_LATE, FOLDS)}
    late = fold >= FIRST_LATE
    truth = sum((fold[late] == k).mean() * world.value[a] for k, a in single.items())
    asked = numpy.isin(fold, list(single)) & (agent == numpy.array([single.get(k, -1) for k in fold]))
    value, m, squares = influence(y, cluster, asked)
    variance = (m * squares + PRIOR * pooled_noise(y, cluster, agent, n) / m) / (m - 1 + PRIOR)
    df = m - 1 + PRIOR
    t = stats.t.ppf(0.975, df)
    c, room = t * t / max(value * (1 - value) / variance, df + 1), value * (1 - value)
    middle, half = (value + c / 2) / (1 + c), math.sqrt(c * room + c * c / 4) / (1 + c)
    return [int(truth > v + h) - int(truth < v - h) for v, h in ((value, t * math.sqrt(variance)), (middle, half))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--only", nargs="+", default=evaluate_worlds.PROOF[:-1])
    options = parser.parse_args()
    print("| world | Student's holds, % | truth below / above | Wilson's holds, % | truth below / above |\n|---|---:|---:|---:|---:|")
    for name in options.only:
        world, rng = evaluate_worlds.worlds(pathlib.Path(__file__).resolve().parent.parent)[name](), numpy.random.default_rng(1)
        found = numpy.array([one_draw(world, rng) for _ in range(options.draws)])
        cells = []
        for side in found.T:
            held = (side == 0).mean()
            cells += [f"{100 * held:.1f} ± {100 * math.sqrt(held * (1 - held) / len(side)):.1f}",
                      f"{100 * (side < 0).mean():.1f} / {100 * (side > 0).mean():.1f}"]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
