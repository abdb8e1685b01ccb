#!/usr/bin/env python3
"""How often do the intervals of values hold the truth, and what are their estimates off by?

usage: benchmarks/values.py PROGRAM CONFIG [--draws N] [--n-exp 100,200,800] [--set KEY=VALUE]... [--run FOLDER] [--threads N]
       benchmarks/values.py --read FOLDER... [--alike]

Runs N seeds of the configuration's cells with the n_exp given (its sweep is replaced by that of n_exp), and prints
for each n_exp and family, by kind of value, of all seeds and agents:

  held    the share of 95 % intervals of the rows (dm_half, dr_half, sndr_half) that hold the mean of mu over every
          context of the grid (value_grid), with its standard error over seeds
  off     the mean error against that truth, with its standard error over seeds
  RMSE    the root of the mean squared error, of all agents
  width   the root mean square of half-widths over 1.96 times that RMSE: about 1 where intervals are as wide as errors
          are large, more where they rest on few degrees of freedom
  none    the share of values without an interval

A run that is there already (--run FOLDER) is gone on with. --read prints the table of runs that were made before; with
--alike, of DM alone and by what a draw can tell: the mean of (DM - DR)^2 over agents, as a share of DR's variance.
For draws where that is below .8, to 1.2, and above: how many, DM's true mean squared error as such a share, and held.
"""
import argparse
import collections
import glob
import json
import math
import pathlib
import subprocess
import tempfile

KINDS = ("dm", "dr", "sndr")


def run(program, config, arguments, folder):
    """One cell for each n_exp: every swept key of CONFIG is set to a number by --set, or to its first value."""
    given = json.loads(pathlib.Path(config).read_text(encoding="utf-8"))
    named = {word.partition("=")[0] for word in arguments.set}
    sets = [f"{key}={json.dumps(values[0])}" for key, values in given["sweep"].items() if key not in named | {"n_exp"}]
    sets += arguments.set + [f"sweep.n_exp=[{arguments.n_exp}]"]
    command = [program, "run", config, "--seeds", str(arguments.draws), "--no-report", "--resume", "-o", str(folder)]
    if arguments.threads:
        command += ["--threads", str(arguments.threads)]
    for word in sets:
        command += ["--set", word]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def read(folder):
    """(key of the cell, seed) → rows of the families, and the truth."""
    families, truth = collections.defaultdict(list), {}
    for path in sorted(glob.glob(f"{glob.escape(str(folder))}/results-*-of-*.jsonl")):
        with open(path, encoding="utf-8") as file:
            for line in file:
                try:
                    row = json.loads(line)
                except ValueError:
                    continue  # the last line of a run that goes on
                at = (json.dumps(row["key"]), row["seed"])
                if "value_grid" in row:
                    truth[at] = row["value_grid"]
                elif "dr" in row or "dm" in row:
                    families[at].append(row)
    return families, truth


def mean_and_error(numbers):
    mean = sum(numbers) / len(numbers)
    spread = sum((x - mean) ** 2 for x in numbers)
    return mean, math.sqrt(spread / max(1, len(numbers) - 1) / len(numbers))


class Tally:
    """One family and kind of value in one cell; a number a seed."""

    def __init__(self):
        self.held, self.off, self.squares, self.halves, self.given, self.all = [], [], [], [], 0, 0

    def add(self, value, half, truth):
        errors = [v - t for v, t in zip(value, truth) if v is not None]
        hits = [abs(v - t) <= h for v, h, t in zip(value, half or [], truth) if v is not None and h is not None]
        if errors:
            self.off.append(sum(errors) / len(errors))
            self.squares += [e * e for e in errors]
        if hits:
            self.held.append(sum(hits) / len(hits))
            self.halves += [h * h for h in half if h is not None]
        self.given += len(hits)
        self.all += len(value)

    def cells(self):
        if not self.off:
            return ["", "", "", "", ""]
        off, off_error = mean_and_error(self.off)
        rmse = math.sqrt(sum(self.squares) / len(self.squares))
        if not self.held:
            return ["–", f"{off:+.4f} ± {off_error:.4f}", f"{rmse:.4f}", "–", "1"]
        held, held_error = mean_and_error(self.held)
        width = math.sqrt(sum(self.halves) / len(self.halves)) / (1.96 * rmse)
        return [f"{held:.3f} ± {held_error:.3f}", f"{off:+.4f} ± {off_error:.4f}", f"{rmse:.4f}", f"{width:.2f}",
                f"{1 - self.given / self.all:.3f}"]


def alike(folder):
    families, truth = read(folder)
    draws = collections.defaultdict(list)
    for at, rows in families.items():
        for row in rows if at in truth else []:
            if row.get("dm_half") and row.get("dr_half") and None not in row["dm_half"] + row["dr_half"]:
                noise = sum(h * h for h in row["dr_half"]) / 1.96**2
                errors = [v - t for v, t in zip(row["dm"], truth[at])]
                held = sum(abs(e) <= h for e, h in zip(errors, row["dm_half"])) / len(errors)
                apart = sum((v - w) ** 2 for v, w in zip(row["dm"], row["dr"])) / noise
                draws[at[0], row["family"]].append((apart, sum(e * e for e in errors) / noise, held))
    print("\n| cell | family | " + " | ".join(f"{band}: draws | true | held" for band in ("below .8", "to 1.2", "above")) + " |")
    print("|---|---|" + "---:|" * 9)
    for (key, family), all_draws in draws.items():
        cells = []
        for low, high in ((0.0, 0.8), (0.8, 1.2), (1.2, math.inf)):
            some = [draw for draw in all_draws if low <= draw[0] < high]
            means = [f"{sum(draw[i] for draw in some) / len(some):.3f}" if some else "–" for i in (1, 2)]
            cells += [f"{len(some) / len(all_draws):.2f}", *means]
        print(f"| {', '.join(f'{k} = {v}' for k, v in json.loads(key).items())} | `{family}` | {' | '.join(cells)} |")


def show(folder):
    families, truth = read(folder)
    tallies, draws = collections.defaultdict(Tally), collections.Counter()
    for at, rows in families.items():
        if at in truth:
            draws[at[0]] += 1
            for row in rows:
                for kind in KINDS:
                    if kind in row:
                        tallies[at[0], row["family"], kind].add(row[kind], row.get(f"{kind}_half"), truth[at])
    for key in draws:
        told = ", ".join(f"{name} = {value}" for name, value in json.loads(key).items())
        print(f"\n{told}: {draws[key]} draws\n")
        print("| family | value | held | off | RMSE | width | none |\n|---|---|---:|---:|---:|---:|---:|")
        for (cell, family, kind), tally in tallies.items():
            if cell == key:
                print("| `" + "` | ".join([family, " | ".join([kind.upper(), *tally.cells()])]) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?")
    parser.add_argument("config", nargs="?")
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--n-exp", default="100,200,800")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--run", help="folder of the run; else it is deleted after the table is made")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--read", nargs="+", default=[])
    parser.add_argument("--alike", action="store_true")
    arguments = parser.parse_args()
    for folder in arguments.read:
        (alike if arguments.alike else show)(folder)
    if arguments.program and arguments.config:
        with tempfile.TemporaryDirectory() as scratch:
            folder = arguments.run or pathlib.Path(scratch) / "run"
            run(arguments.program, arguments.config, arguments, folder)
            show(folder)


if __name__ == "__main__":
    main()
