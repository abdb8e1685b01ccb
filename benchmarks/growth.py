#!/usr/bin/env python3
"""How the time and memory of a replicate grow with a pool, its budgets and its features, by both solvers in turn.

usage: growth.py REGRET FOLDER [small|whole|log]

Pools are the synthetic ones of real_size_pool.py, written to FOLDER once. A replicate is measured by `regret cost`: six
families with DR on one thread, in seconds of a processor, which other work on the machine lengthens by less than it
does the time by the clock, and its peak of memory; the median of three, in turn, where that is quick. Exponents are slopes of log
seconds over log size by least squares. `log` is the size of a router's: 36,000 contexts x 11 agents, answers of 40 words,
n_exp 2,000 and n_obs to 200,000, iteratively. Standard library only."""
import json
import math
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
POOLS = {"small": [(50, 20), (100, 20), (250, 20)],
         "whole": [(50, 20), (100, 20), (250, 20), (500, 20), (797, 58), (2000, 100)]}
LOG, LOG_ROWS = (36000, 11, 40), (10000, 20000, 50000, 100000, 200000)
SOLVERS = ("direct", "auto")
DIRECT_PAIRS = 50000  # past so many pairs the direct way takes minutes: not tried
SLOW = 10  # seconds: measured once


def replicate(regret, folder, keys):
    config = {"beta": 0.6, "seeds": 1, "contexts.hard": 0, "n_obs": 5000, "n_exp": 800, **keys}
    path = f"{folder}/growth.json"
    with open(path, "w") as file:
        json.dump(config, file)
    done = subprocess.run([regret, "cost", path, "--seconds", "0", "--threads", "1", "--format", "json"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        return None, done.stderr.strip()
    cost = json.loads(done.stdout)
    return (cost["longest_replicate"], cost["peak_bytes"] / 2**20), ""


def measure(regret, folder, name, keys, solvers=SOLVERS):
    """Prints a line of the table; (seconds, MiB) by solver."""
    runs = {solver: [] for solver in solvers}
    said = ""
    for _ in range(3):
        for solver in solvers:
            if not runs[solver] or runs[solver][0][0] < SLOW:
                one, why = replicate(regret, folder, {**keys, "solver": solver})
                said = said or why
                if one is not None:
                    runs[solver].append(one)
    found = {solver: tuple(map(statistics.median, zip(*made))) for solver, made in runs.items() if made}
    cells = [name]
    for solver in SOLVERS:
        cells += [f"{found[solver][0]:.2f}", f"{found[solver][1]:.0f}"] if solver in found else ["–", "–"]
    cells.append(f"{found['direct'][0] / found['auto'][0]:.1f}" if len(found) == 2 else "–")
    print("| " + " | ".join(cells) + " |", flush=True)
    if said:
        print(said, file=sys.stderr)
    return found


def say_exponents(what, points):
    """points: (size, seconds by solver)"""
    for solver in SOLVERS:
        xy = [(math.log(size), math.log(found[solver][0])) for size, found in points if solver in found]
        if len(xy) > 2:
            mx, my = (statistics.mean(v) for v in zip(*xy))
            slope = sum((x - mx) * (y - my) for x, y in xy) / sum((x - mx) ** 2 for x, _ in xy)
            print(f"{solver}: seconds grow with {what} to the power {slope:.2f}", flush=True)


def pool_of(folder, contexts, agents, words=170):
    pool = os.path.abspath(f"{folder}/pool-{contexts}x{agents}")
    if not os.path.exists(pool):
        subprocess.run([sys.executable, f"{HERE}/real_size_pool.py", pool, str(contexts), str(agents), "1", str(words)],
                       check=True, stdout=sys.stderr)
    return pool


def log_rows(regret, folder):
    pool = pool_of(folder, *LOG)
    say_exponents("n_obs", [(n, measure(regret, folder, f"36,000 × 11, n_obs {n}",
                                        {"pool": pool, "n_obs": n, "n_exp": 2000}, SOLVERS[1:])) for n in LOG_ROWS])


def main(regret, folder, which):
    os.makedirs(folder, exist_ok=True)
    said = []
    print("| pool and keys | direct, s | MiB | auto, s | MiB | ratio |\n|---|" + "---:|" * 5)
    if which == "log":
        return log_rows(regret, folder)
    for contexts, agents in POOLS[which]:
        pairs = contexts * agents
        found = measure(regret, folder, f"{contexts} × {agents}", {"pool": pool_of(folder, contexts, agents)},
                        SOLVERS if pairs <= DIRECT_PAIRS else SOLVERS[1:])
        said.append((pairs, found))
    grown = [("pairs", said)]
    pool = pool_of(folder, 250, 20)
    for key, values in (("n_obs", (500, 2000, 8000)), ("n_exp", (100, 400, 1600)),
                        ("features.buckets", (512, 2048, 8192))):
        grown.append((key, [(value, measure(regret, folder, f"250 × 20, {key} {value}", {"pool": pool, key: value}))
                            for value in values]))
    print()
    for what, points in grown:
        say_exponents(what, points)


if __name__ == "__main__":
    if len(sys.argv) < 3 or (len(sys.argv) > 3 and sys.argv[3] not in (*POOLS, "log")):
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "small")
