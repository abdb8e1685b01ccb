#!/usr/bin/env python3
"""How the time and memory of a replicate grow with a pool, its budgets and its features, by both solvers in turn.

usage: growth.py REGRET FOLDER [small|whole]
       growth.py REGRET FOLDER log [ROUNDS [PYTHON]]
       growth.py figure SECONDS.csv FIGURE.svg

Pools are the synthetic ones of real_size_pool.py, written to FOLDER once. A replicate is measured by `regret cost`: six
families with DR on one thread, in seconds of a processor, which other work on the machine lengthens by less than it
does the time by the clock, and its peak of memory; the median of three, in turn, where that is quick. Exponents are slopes of log
seconds over log size by least squares.

`log` is the size of a router's: 36,000 contexts x 11 agents with answers of 40 words, 100,000 x 20 with answers of 16; all
sizes in turn, so many ROUNDS (5). With PYTHON, which has it, scikit-learn's ridge in the same protocol (peer/replicate.py)
and regret in the same rounds on the same rows of 4,000 x 11, values.fold_unit row; what takes the peer more than half an hour is
kept as inf, and not tried again; its solver sag is measured once. Every run is a line of FOLDER/seconds.csv as soon as it is over, and what is there is not
run again: the same command goes on after an interrupt. `figure` makes of these lines the table with medians and spread, the
machines, the exponents and a figure. Standard library only, but for the peer."""
import csv
import json
import math
import os
import re
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
POOLS = {"small": [(50, 20), (100, 20), (250, 20)],
         "whole": [(50, 20), (100, 20), (250, 20), (500, 20), (797, 58), (2000, 100)]}
LOG = {"36,000 × 11": (36000, 11, 40), "100,000 × 20": (100000, 20, 16), "4,000 × 11": (4000, 11, 40)}
LOG_SIZES = [("36,000 × 11", n, 2000) for n in (10000, 20000, 50000, 100000, 200000)] + [
    ("36,000 × 11", 20000, n) for n in (1000, 10000, 100000)] + [
    ("100,000 × 20", 10000, 2000), ("100,000 × 20", 100000, 2000), ("100,000 × 20", 1000000, 2000), ("100,000 × 20", 100000, 100000)]
PEERS = [("4,000 × 11", 10000, 2000), ("4,000 × 11", 50000, 2000)]
COLUMNS = ("program", "pool", "n_obs", "n_exp", "seconds", "mib", "machine")
PEER_LIMIT = 1800  # seconds by the clock
SOLVERS = ("direct", "auto")
DIRECT_PAIRS = 50000  # past so many pairs the direct way takes minutes: not tried
SLOW = 10  # seconds: measured once


def configuration(folder, keys):
    config = {"beta": 0.6, "seeds": 1, "contexts.hard": 0, "n_obs": 5000, "n_exp": 800, **keys}
    path = f"{folder}/growth.json"
    with open(path, "w") as file:
        json.dump(config, file)
    return path


def replicate(regret, folder, keys):
    path = configuration(folder, keys)
    done = subprocess.run([regret, "cost", path, "--threads", "1", "--format", "json"],
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
        of = [(size, found[solver][0]) for size, found in points if solver in found]
        if len(of) > 2:
            print(f"{solver}: seconds grow with {what} to the power {slope_of(of):.2f}", flush=True)


def pool_of(folder, contexts, agents, words=170):
    pool = os.path.abspath(f"{folder}/pool-{contexts}x{agents}")
    if not os.path.exists(pool):
        subprocess.run([sys.executable, f"{HERE}/real_size_pool.py", pool, str(contexts), str(agents), "1", str(words)],
                       check=True, stdout=sys.stderr)
    return pool


def lines_of(path):
    if not os.path.exists(path):
        return []
    with open(path, newline="") as file:
        return [dict(line, seconds=float(line["seconds"]), n_obs=int(line["n_obs"]), n_exp=int(line["n_exp"]))
                for line in csv.DictReader(file)]


def machine():
    with open("/proc/cpuinfo") as file:
        names = re.findall(r"model name\s*: (.*)", file.read())
    return f"{names[0] if names else os.uname().machine}, {os.cpu_count()} processors"


def keep(path, *cells):
    new = not os.path.exists(path)
    with open(path, "a", newline="") as file:
        writer = csv.writer(file)
        writer.writerows([COLUMNS] * new + [[*cells, machine()]])
    print(*cells, flush=True)


def is_wanted(path, program, size, k):
    """Whether round k of it is not there yet, nor known not to end."""
    made = [line["seconds"] for line in lines_of(path)
            if (line["program"], line["pool"], line["n_obs"], line["n_exp"]) == (program, *size)]
    return len(made) <= k and math.inf not in made


def log_keys(folder, size, **more):
    name, n_obs, n_exp = size
    return {"pool": pool_of(folder, *LOG[name]), "n_obs": n_obs, "n_exp": n_exp, **more}


def log_ours(regret, folder, size, k, **more):
    path = f"{folder}/seconds.csv"
    if is_wanted(path, "regret", size, k):
        one, why = replicate(regret, folder, log_keys(folder, size, **more))
        if one is None:
            sys.exit(why)
        keep(path, "regret", *size, f"{one[0]:.3f}", f"{one[1]:.0f}")


def log_peer(regret, folder, size, k, python, solver):
    path = f"{folder}/seconds.csv"
    if not is_wanted(path, f"scikit-learn, {solver}", size, k):
        return
    config = configuration(folder, log_keys(folder, size, **{"values.fold_unit": "row"}))
    try:
        done = subprocess.run([python, f"{HERE}/peer/replicate.py", regret, config, "0", "0", "1e-4", solver, "0"],
                              capture_output=True, text=True, check=True, timeout=PEER_LIMIT)
        seconds = float(re.search(r"scikit-learn ([0-9.]+) s", done.stdout)[1])
    except subprocess.TimeoutExpired:
        seconds = math.inf
    keep(path, f"scikit-learn, {solver}", *size, f"{seconds:.3f}", "")


def log(regret, folder, rounds="5", python=None):
    os.makedirs(folder, exist_ok=True)
    for k in range(int(rounds)):
        for size in LOG_SIZES:
            log_ours(regret, folder, size, k)
        for size in PEERS if python else ():
            log_ours(regret, folder, size, k, **{"values.fold_unit": "row"})
            log_peer(regret, folder, size, k, python, "sparse_cg")
    for size in PEERS if python else ():
        log_peer(regret, folder, size, 0, python, "sag")


def slope_of(points):
    xy = [(math.log(x), math.log(y)) for x, y in points]
    mx, my = (statistics.mean(v) for v in zip(*xy))
    return sum((x - mx) * (y - my) for x, y in xy) / sum((x - mx) ** 2 for x, _ in xy)


def curves_of(lines):
    """Medians by program and curve, one of the rows of OBS at n_exp 2,000 and one of those of EXP for every n_obs that has more:
    [(rows drawn, seconds, least, most, runs, line)]."""
    made = {}
    for line in lines:
        if math.isfinite(line["seconds"]):
            size = (line["pool"], line["n_obs"], line["n_exp"])
            made.setdefault(line["program"], {}).setdefault(size, []).append((line["seconds"], line["mib"]))
    curves = {}
    for program, sizes in made.items():
        grown = {(pool, n_obs) for pool, n_obs, n_exp in sizes if n_exp != 2000}
        for size, runs in sizes.items():
            pool, n_obs, n_exp = size
            names = [f"{pool}, n_exp 2,000"] * (n_exp == 2000) + [f"{pool}, n_obs {n_obs:,}"] * ((pool, n_obs) in grown)
            seconds = [one for one, _ in runs]
            for name in names:
                curves.setdefault((program, name), []).append(
                    (n_obs + n_exp, statistics.median(seconds), min(seconds), max(seconds), len(seconds), size, runs[0][1]))
    return {name: sorted(points) for name, points in curves.items()}


def draw(curves, path):
    """Seconds against rows drawn, both logarithmic, a line a program and pool."""
    left, top, width, height = 60, 20, 460, 330
    points = [point for curve in curves.values() for point in curve]
    low = [math.floor(math.log10(min(values))) for values in ([p[0] for p in points], [p[2] for p in points])]
    high = [math.ceil(math.log10(max(values))) for values in ([p[0] for p in points], [p[3] for p in points])]

    def at(value, axis):
        share = (math.log10(value) - low[axis]) / (high[axis] - low[axis])
        return left + share * width if axis == 0 else top + (1 - share) * height

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 {top + height + 50}" font-family="sans-serif" '
           'font-size="12">', "<title>Seconds of a processor a replicate, by rows drawn</title>"]
    for axis in range(2):
        for power in range(low[axis], high[axis] + 1):
            v = at(10 ** power, axis)
            line = (v, top, v, top + height) if axis == 0 else (left, v, left + width, v)
            out.append('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#ddd"/>' % line)
            x, y, anchor = (v, top + height + 16, "middle") if axis == 0 else (left - 6, v + 4, "end")
            out.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{10 ** power:,}</text>')
    out.append(f'<text x="{left + width / 2}" y="{top + height + 38}" text-anchor="middle">rows drawn (n_obs + n_exp)</text>')
    out.append(f'<text x="14" y="{top + height / 2}" text-anchor="middle" transform="rotate(-90 14 {top + height / 2})">'
               "seconds of a processor</text>")
    shapes = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#555555", "#e69f00", "#56b4e9")
    for k, ((program, name), curve) in enumerate(sorted(curves.items())):
        colour = shapes[k % len(shapes)]
        corners = " ".join(f"{at(rows, 0):.1f},{at(mid, 1):.1f}" for rows, mid, *_ in curve)
        out.append(f'<polyline points="{corners}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        for rows, mid, least, most, *_ in curve:
            x = at(rows, 0)
            out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{at(least, 1):.1f}" y2="{at(most, 1):.1f}" stroke="{colour}"/>')
            out.append(f'<circle cx="{x:.1f}" cy="{at(mid, 1):.1f}" r="3" fill="{colour}"/>')
        y = top + 12 + 18 * k
        out.append(f'<circle cx="{left + width + 20}" cy="{y - 4}" r="3" fill="{colour}"/>')
        out.append(f'<text x="{left + width + 28}" y="{y}">{program}, {name}</text>')
    with open(path, "w") as file:
        file.write("\n".join([*out, "</svg>", ""]))


def figure(path, to):
    lines = lines_of(path)
    curves = curves_of(lines)
    for name in sorted({line["machine"] for line in lines}):
        print(f"Measured on {name}.")
    for line in lines:
        if not math.isfinite(line["seconds"]):
            print(f"{line['program']} on {line['pool']}, n_obs {line['n_obs']:,}: more than {PEER_LIMIT} s.")
    print("| program | pool | n_obs | n_exp | s, median | least to most | runs | MiB |\n|---|---|" + "---:|" * 6)
    for program, line in sorted({(program, point) for (program, _), curve in curves.items() for point in curve}):
        _, mid, least, most, runs, size, mib = line
        print(f"| {program} | {size[0]} | {size[1]:,} | {size[2]:,} | {mid:.3g} | {least:.3g} to {most:.3g} | {runs} | "
              f"{mib or '–'} |")
    for (program, name), curve in curves.items():
        if len(curve) > 2:
            print(f"{program}, {name}: to the power {slope_of([p[:2] for p in curve]):.2f} of the rows drawn")
    draw(curves, to)


def main(regret, folder, which):
    os.makedirs(folder, exist_ok=True)
    said = []
    print("| pool and keys | direct, s | MiB | auto, s | MiB | ratio |\n|---|" + "---:|" * 5)
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
    arguments = sys.argv[1:]
    if len(arguments) == 3 and arguments[0] == "figure":
        figure(*arguments[1:])
    elif len(arguments) >= 3 and arguments[2] == "log":
        log(*arguments[:2], *arguments[3:5])
    elif len(arguments) >= 2 and (arguments[2:] or ["small"])[0] in POOLS:
        main(*arguments[:2], (arguments[2:] or ["small"])[0])
    else:
        sys.exit(__doc__)
