#!/usr/bin/env python3
"""Whether trials of the size that `regret plan` names find what they are planned for, as `regret recommend` decides.

usage: plan_power.py PROGRAM [--trials N]        prints the table of reports/coverage/limits.md

A pilot is drawn, of which m1 is better than the incumbent m0; the plan says how many rows find that with power 80 %, agents alike often. Trials
of so many rows are drawn from the pilot's outcomes, so that the world is what the pilot says. Found: the verdict is m1; told: its interval, with
those of all agents at once, is above 0.
"""
import argparse
import csv
import json
import pathlib
import random
import re
import subprocess
import tempfile

PILOT = 2000  # rows an agent
WORLDS = [("2 agents, .50 and .60", [0.5, 0.6]), ("4 agents, .50 and one of .62", [0.5, 0.62, 0.5, 0.5]),
          ("8 agents, .50 and one of .65", [0.5, 0.65] + [0.5] * 6), ("4 agents, .02 and one of .06", [0.02, 0.06, 0.02, 0.02]),
          ("3 agents, .90 and one of .97", [0.9, 0.97, 0.9]), ("3 agents, 10 % buy (lognormal 1.2), one 20 %", None)]


def outcomes_of(world, rng):
    """By agent; shares are exact, purchases drawn."""
    if world is not None:
        return [[float(i < round(p * PILOT)) for i in range(PILOT)] for p in world]
    return [[round(rng.lognormvariate(0, 1.2), 4) if rng.random() < p else 0.0 for _ in range(PILOT)] for p in (0.1, 0.2, 0.1)]


def write(folder, rows):
    with open(folder / "trial.csv", "w", newline="", encoding="utf-8") as f:
        out = csv.writer(f)
        out.writerow(["request", "agent", "outcome"])
        out.writerows((f"r{i}", f"m{a}", y) for i, (a, y) in enumerate(rows))
    (folder / "evaluate.json").write_text(json.dumps({
        "exp": {"file": "trial.csv", "context": "request", "agent": "agent", "outcome": "outcome"}, "incumbent": "m0",
        "families": ["exp-only"]}))


def rows_needed(program, folder):
    told = subprocess.run([program, "plan", folder / "evaluate.json", "-f", "csv"], capture_output=True, text=True, check=True)
    return int(re.search(r"finding m1 against m0[^,]*,uniform,(\d+)", told.stdout)[1])


def evaluated(program, folder):
    done = subprocess.run([program, "recommend", folder / "evaluate.json", "-o", folder / "out", "--force"], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise SystemExit(done.stderr)
    with open(folder / "out" / "agents.csv", newline="", encoding="utf-8") as f:
        m1 = next(row for row in csv.DictReader(f) if row["agent"] == "m1")
    return json.loads((folder / "out" / "result.json").read_text())["agent"] == "m1", float(m1["simultaneous_low"]) > 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--trials", type=int, default=200)
    args = parser.parse_args()
    print("| world | rows planned for 80 % | found | told |\n|---|---:|---:|---:|")
    for name, world in WORLDS:
        rng = random.Random(11)
        pilot = outcomes_of(world, rng)
        with tempfile.TemporaryDirectory() as top:
            folder = pathlib.Path(top)
            rows = [(a, y) for a, of in enumerate(pilot) for y in of]
            rng.shuffle(rows)
            write(folder, rows)
            n, found, told = rows_needed(args.program, folder), 0, 0
            for _ in range(args.trials):
                agents = [rng.randrange(len(pilot)) for _ in range(n)]
                write(folder, [(a, rng.choice(pilot[a])) for a in agents])
                verdict, above = evaluated(args.program, folder)
                found, told = found + verdict, told + above
        print(f"| {name} | {n} | {found / args.trials:.2f} | {told / args.trials:.2f} |", flush=True)


main()
