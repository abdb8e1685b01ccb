#!/usr/bin/env python3
"""How the time of a replicate grows with a pool and its budgets, by both solvers, alternating.

usage: growth.py REGRET FOLDER [small|whole]

Pools are the synthetic ones of real_size_pool.py, written to FOLDER once. Of every pool one replicate is computed on one
thread by `solver=direct` and `solver=auto` in turn, three times each where that is quick; seconds are medians of wall time
by the timings of the run, memory is the peak of the process. Then exponents are fitted by least squares to the logarithms:
seconds ~ drawn^a over the pools (budgets held), and along n_obs and n_exp on one pool. Standard library only."""
import json
import math
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
POOLS = {"small": [(50, 20), (100, 20), (250, 20)],
         "whole": [(50, 20), (100, 20), (250, 20), (500, 20), (797, 58), (2000, 100)]}
DIRECT_PAIRS = 50000  # past so many pairs the direct way takes minutes: not tried


def replicate(regret, pool, solver, n_obs, n_exp, out):
    config = {"pool": os.path.abspath(pool), "n_obs": n_obs, "n_exp": n_exp, "beta": 0.6, "seeds": 1, "contexts.hard": 0,
              "solver": solver}
    with open(out + ".json", "w") as file:
        json.dump(config, file)
    code = ("import resource, subprocess, sys\n"
            "done = subprocess.run(sys.argv[1:], stderr=subprocess.PIPE, text=True)\n"
            "print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, done.stderr.replace('\\n', ' '))")
    said = subprocess.run([sys.executable, "-c", code, regret, "run", out + ".json", "-o", out, "--force", "--quiet",
                           "--no-report", "--threads", "1"], capture_output=True, text=True).stdout.split(" ", 2)
    if said[0] != "0":
        return None
    with open(out + "/timing-1-of-1.jsonl") as file:
        timing = json.loads(file.readline())
    return {"features": timing["features"], "proxy": timing["proxy"], "fit": timing["fit"],
            "total": sum(timing[k] for k in ("features", "draw", "proxy", "fit", "measure")), "MB": int(said[1]) / 1000,
            "steps": timing.get("steps", 0), "fallbacks": timing.get("fallbacks", 0)}


def measure(regret, folder, pool, n_obs, n_exp, pairs):
    """Medians by solver."""
    made = {"direct": [], "auto": []}
    for turn in range(3):
        for solver in made:
            slow = any(r["total"] > 20 for r in made[solver])
            if (solver == "direct" and pairs > DIRECT_PAIRS) or slow:
                continue
            one = replicate(regret, pool, solver, n_obs, n_exp, f"{folder}/growth-run")
            if one is not None:
                made[solver].append(one)
    return {solver: {k: statistics.median(r[k] for r in runs) for k in runs[0]} if runs else None
            for solver, runs in made.items()}


def line(name, found):
    direct, auto = found["direct"], found["auto"]
    columns = [f"{direct[k]:.2f}" if direct else "-" for k in ("features", "proxy", "fit", "total")]
    columns += [f"{direct['MB']:.0f}" if direct else "-"]
    columns += [f"{auto[k]:.2f}" for k in ("features", "proxy", "fit", "total")] + [f"{auto['MB']:.0f}"]
    columns += [f"{auto['steps']:.0f}", f"{direct['total'] / auto['total']:.1f}" if direct else "-"]
    print(f"| {name} | " + " | ".join(columns) + " |", flush=True)


def exponent(points):
    """Slope of log seconds over log size."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    mx, my = statistics.mean(xs), statistics.mean(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)


def drawn(pairs, rows):
    """Different pairs that are expected among the rows: what fits grow with."""
    train = 0.8 * pairs
    return train * (1 - (1 - 1 / train) ** rows)


def main(regret, folder, which):
    os.makedirs(folder, exist_ok=True)
    growth = {"direct": [], "auto": []}
    print("| pool | features | proxy | fit | direct, s | MB | features | proxy | fit | auto, s | MB | steps | ratio |")
    print("|---|" + "---:|" * 12)
    for contexts, agents in POOLS[which]:
        pool = f"{folder}/pool-{contexts}x{agents}"
        if not os.path.exists(pool):
            subprocess.run([sys.executable, f"{HERE}/real_size_pool.py", pool, str(contexts), str(agents)], check=True)
        found = measure(regret, folder, pool, 5000, 800, contexts * agents)
        line(f"{contexts} x {agents}", found)
        for solver in growth:
            if found[solver] is not None:
                growth[solver].append((drawn(contexts * agents, 5800), found[solver]["fit"] + found[solver]["features"]))
    for solver, points in growth.items():
        print(f"{solver}: features and fit grow with the pairs drawn to the power {exponent(points):.2f}")
    pool = f"{folder}/pool-{250}x20"
    for key, values in (("n_obs", (500, 2000, 8000)), ("n_exp", (100, 400, 1600))):
        points = {"direct": [], "auto": []}
        for value in values:
            budgets = {"n_obs": 5000, "n_exp": 800, key: value}
            found = measure(regret, folder, pool, budgets["n_obs"], budgets["n_exp"], 5000)
            line(f"250 x 20, {key} {value}", found)
            for solver in points:
                points[solver].append((value, found[solver]["total"]))
        for solver in points:
            print(f"{solver}: the whole grows with {key} to the power {exponent(points[solver]):.2f}")


if __name__ == "__main__":
    if len(sys.argv) < 3 or (len(sys.argv) > 3 and sys.argv[3] not in POOLS):
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "small")
