#!/usr/bin/env python3
"""Seeds against folds: which tells more pairs of families apart in the same computing time?

usage: power.py PROGRAM CONFIG FOLDER [--seeds S] [--folds K] [--blocks B] [-- OPTION of `regret run`...]

Runs CONFIG with B·S seeds of the single split and with B·S/K seeds of K folds (contexts.folds), each fold
as dear as a split, and cuts both runs into B blocks of equal computing. In a block a pair of families is
separable when the 95 % t interval of its paired difference, one number a seed (the mean over cells),
leaves out 0. Folds of a seed share contexts, so that the seed is the unit in both. Printed are the pairs
separable in each block, the median standard error and the processor time that each way took; then, over all
seeds, how the squared standard errors of the two ways stand to one another per processor second, and whether
both estimate the same: the largest distance of a pair's two differences in joint standard errors.
"""
import argparse
import itertools
import json
import math
import os
import pathlib
import statistics
import sys


def quantile(p, df):
    """Of Student's t, by bisection of its distribution, which Simpson's rule integrates."""
    scale = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)

    def below(t, n=2000):
        h = t / n
        points = [(1 + (i * h) ** 2 / df) ** (-(df + 1) / 2) for i in range(n + 1)]
        odd, even = sum(points[1:-1:2]), sum(points[2:-1:2])
        return 0.5 + scale * h / 3 * (points[0] + points[-1] + 4 * odd + 2 * even)

    low, high = 0.0, 100.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) < p else (low, middle)
    return low


def run(program, config, folder, sets, options):
    """The processor seconds of a run on one thread."""
    arguments = [program, "run", config, "-o", str(folder), "--no-report", "-q", "-j", "1", "--force"]
    for s in sets:
        arguments += ["--set", s]
    child = os.spawnvp(os.P_NOWAIT, program, arguments + options)
    _, status, usage = os.wait4(child, 0)
    if status != 0:
        sys.exit("the run failed")
    return usage.ru_utime + usage.ru_stime


def regrets(folder):
    """{family: [mean over cells of each seed]}"""
    sums, cells = {}, set()
    with open(folder / "results-1-of-1.jsonl", encoding="utf-8") as rows:
        for line in rows:
            row = json.loads(line)
            if row["kind"] == "family":
                cells.add(row["cell"])
                of_family = sums.setdefault(row["family"], {})
                of_family[row["seed"]] = of_family.get(row["seed"], 0.0) + row["regret"]
    return {f: [s[seed] / len(cells) for seed in sorted(s)] for f, s in sums.items()}


def separable(of_family, seeds):
    """Pairs told apart by those seeds, and the standard errors of all."""
    t, apart, errors = quantile(0.975, len(seeds) - 1), 0, []
    for a, b in itertools.combinations(of_family, 2):
        d = [of_family[a][i] - of_family[b][i] for i in seeds]
        se = statistics.stdev(d) / math.sqrt(len(d))
        errors.append(se)
        apart += abs(statistics.mean(d)) > t * se
    return apart, statistics.median(errors), len(errors)


def moments(of_family, pair):
    d = [x - y for x, y in zip(of_family[pair[0]], of_family[pair[1]])]
    return statistics.mean(d), statistics.variance(d) / len(d)


def compare(split, folds, cost):
    """What a processor second of folds is worth against one of the single split; `cost` is theirs over its."""
    ratios, distances = [], []
    for pair in itertools.combinations(split, 2):
        (a, va), (b, vb) = moments(split, pair), moments(folds, pair)
        ratios.append(vb / va)
        distances.append(abs(a - b) / math.sqrt(va + vb))
    ratios.sort()
    middle = statistics.median(ratios)
    print(f"\nSquared standard errors of the folds over those of the single split: {middle:.2f} in the median over "
          f"pairs ({ratios[0]:.2f} to {ratios[-1]:.2f}), {middle * cost:.2f} in equal processor time; a pair's "
          f"two differences are {max(distances):.1f} joint standard errors apart at most.")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2][7:])
    parser.add_argument("program")
    parser.add_argument("config")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--blocks", type=int, default=3)
    own, _, options = " ".join(sys.argv[1:]).partition(" -- ")
    a = parser.parse_args(own.split())
    ways = [("single split", a.seeds, 0), (f"{a.folds} folds", a.seeds // a.folds, a.folds)]
    print("| way | seeds a block | separable pairs, by block | all blocks together | median SE of a "
          "block | processor s a block | separable pairs an hour |")
    print("|---|---:|---|---:|---:|---:|---:|")
    whole_ways, costs = [], []
    for number, (name, seeds, folds) in enumerate(ways):
        folder = a.folder / str(number)
        seconds = run(a.program, a.config, folder,
                      [f"seeds={seeds * a.blocks}", f"contexts.folds={folds}"], options.split())
        of_family = regrets(folder)
        blocks = [separable(of_family, range(k * seeds, (k + 1) * seeds)) for k in range(a.blocks)]
        whole, _, pairs = separable(of_family, range(a.blocks * seeds))
        mean = statistics.mean(b[0] for b in blocks)
        whole_ways.append(of_family)
        costs.append(seconds)
        print(f"| {name} | {seeds} | {', '.join(str(b[0]) for b in blocks)} of {pairs} | {whole} | "
              f"{statistics.mean(b[1] for b in blocks):.5f} | {seconds / a.blocks:.0f} | "
              f"{mean / (seconds / a.blocks / 3600):.0f} |", flush=True)
    compare(*whole_ways, costs[1] / costs[0])


main()
