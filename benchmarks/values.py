#!/usr/bin/env python3
"""How good are DR values, by how their folds are made?

usage: benchmarks/values.py PROGRAM CONFIG [--seeds N] [--set KEY=VALUE]... [--families a,b] [--ways 0,2,5]

Exports N replicates of the configuration's first cell for each way (values.fold_unit, values.plugin,
values.retune), and prints for each family and kind of value the RMSE over agents and seeds, the mean
error with its standard error over seeds, and the share of agents whose 95 % interval holds the truth
of the seed's own evaluation contexts.
"""
import argparse
import csv
import math
import pathlib
import shutil
import subprocess
import tempfile

WAYS = [
    ("row", "full", "false"),
    ("row", "full", "true"),
    ("row", "folds", "false"),
    ("row", "folds", "true"),
    ("context", "full", "false"),
    ("context", "folds", "false"),
    ("context", "folds", "true"),
]


def export(program, config, sets, seed, way, folder):
    keys = ("values.fold_unit", "values.plugin", "values.retune")
    for key, value in zip(keys, way):
        sets = sets + ["--set", f"{key}={value}"]
    command = [program, "cell", config, "--seed", str(seed), "--export", str(folder), *sets]
    subprocess.run(command, check=True, capture_output=True)
    with open(folder / "values.csv", newline="") as file:
        values = list(csv.DictReader(file))
    with open(folder / "intervals.csv", newline="") as file:
        intervals = list(csv.DictReader(file))
    shutil.rmtree(folder)
    return values, intervals


def study(program, config, sets, seeds, way, families):
    """errors[family, kind] = one list of errors a seed; covered likewise."""
    errors, covered = {}, {}
    with tempfile.TemporaryDirectory() as scratch:
        for seed in range(seeds):
            values, intervals = export(program, config, sets, seed, way, pathlib.Path(scratch) / "cell")
            truth = {(r["family"], r["agent"]): float(r["truth"]) for r in values}
            for r in values:
                for kind in ("dm", "dr", "sndr"):
                    if r["family"] in families and r[kind] != "":
                        lists = errors.setdefault((r["family"], kind), [[] for _ in range(seeds)])
                        lists[seed].append(float(r[kind]) - float(r["truth"]))
            for r in intervals:
                if r["family"] in families and r["low"] != "":
                    hit = float(r["low"]) <= truth[r["family"], r["agent"]] <= float(r["high"])
                    covered.setdefault((r["family"], r["kind"]), []).append(hit)
    return errors, covered


def mean(numbers):
    numbers = list(numbers)
    return sum(numbers) / len(numbers)


def show(way, errors, covered):
    name = "{} folds, plug-in {}, {}".format(way[0], way[1], "tuned anew" if way[2] == "true" else "kept")
    for (family, kind), lists in errors.items():
        if kind == "dm" and way != WAYS[0]:
            continue  # the same whatever the folds
        lists = [x for x in lists if x and not any(map(math.isnan, x))]
        rmse = mean(math.sqrt(mean(e * e for e in x)) for x in lists)
        bias = [mean(x) for x in lists]
        centre = mean(bias)
        se = math.sqrt(sum((b - centre) ** 2 for b in bias) / (len(bias) - 1) / len(bias))
        share = mean(covered[family, kind])
        print(f"| {family} | {kind} | {name} | {rmse:.4f} | {centre:+.4f} ± {se:.4f} | {share:.3f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("config")
    parser.add_argument("--seeds", type=int, default=14)
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--families", default="exp-only,obs-only,representation-exp,grounded,cvci,cvci-residual")
    parser.add_argument("--ways", default=",".join(map(str, range(len(WAYS)))), help="numbers from 0 to 6; see WAYS")
    arguments = parser.parse_args()
    sets = [word for pair in arguments.set for word in ("--set", pair)]
    print("| family | value | folds | RMSE | mean error | covered |\n|---|---|---|---:|---:|---:|")
    for way in (WAYS[int(i)] for i in arguments.ways.split(",")):
        show(way, *study(arguments.program, arguments.config, sets, arguments.seeds, way,
                         set(arguments.families.split(","))))


if __name__ == "__main__":
    main()
