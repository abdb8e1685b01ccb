#!/usr/bin/env python3
"""What does `regret recommend` make of tables with a winner planted, or none?

usage: recommend.py PROGRAM FOLDER [--tables N] [--first N] [--prompts N] [--agents N] [--seeds S] [--kinds KIND...] [--check]

Makes N wide tables of each kind (SYNTHETIC scores of 1 to 5, about 3 with deviation .8, cut at the ends) of two
categories of prompts, and follows the commands that `regret init` prints for each as they stand:

  none  no agent is better than another
  one   one agent is better by 1 for everything
  tag   one agent is better by 1.2 for one category, another for the other
  size  one agent is better by 1.5 where a column `size` is above 60, as in every third prompt, another below
  blank the same, where `size` is blank in every twentieth row

Printed is what recommend answers, how often, and of the contexts held out the share for which it names the agent
that was planted. --seeds is added to `run`. With --check the exit code is 1 where a planted winner is missed in
any table or for more than 5 % of its contexts (size: 10 %, blank: 15 %), or more is told of nothing than may be: 5 % of the tables and one.
"""
import argparse
import collections
import csv
import io
import json
import pathlib
import random
import shlex
import subprocess
import sys

PLANTED = {"none": (None, None), "one": (2, 2), "tag": (0, 1), "size": (0, 1), "blank": (0, 1)}
GAIN = {"none": 0.0, "one": 1.0, "tag": 1.2, "size": 1.5, "blank": 1.5}
WORDS = {"chat": "hello friend weather dinner story music talk advice".split(),
         "code": "function loop compile array bug python struct pointer".split()}
ANSWERS = {"none": "CANNOT TELL", "one": "ONE AGENT", "tag": "BY TAG", "size": "BY REQUEST", "blank": "BY REQUEST"}


def make_table(path, kind, number, prompts, agents):
    """Writes it; returns the name of the agent planted for each prompt."""
    rng, names = random.Random(f"{kind} {number}"), [f"m{i}" for i in range(agents)]
    planted = {}
    with open(path, "w", encoding="utf-8", newline="") as f:
        table = csv.writer(f)
        has_size = ["size"] * (kind in ("size", "blank"))
        table.writerow(["prompt_id", "prompt", "kind"] + has_size + names)
        for i in range(prompts):
            tag = sorted(WORDS)[i % 2]
            size = [round(10 ** rng.uniform(1, 2.17))] if has_size else []
            best = PLANTED[kind][size[0] <= 60 if size else i % 2]
            means = [3.0 + GAIN[kind] * (a == best) for a in range(agents)]
            scores = [round(min(5.0, max(1.0, m + rng.gauss(0, 0.8))), 2) for m in means]
            shown = [""] if kind == "blank" and i % 20 == 7 else size
            table.writerow([f"p{i}", " ".join(rng.choice(WORDS[tag]) for _ in range(8)), tag] + shown + scores)
            planted[f"p{i}"] = names[best] if best is not None else None
    return planted


def printed_commands(program, table, folder):
    said = subprocess.run([program, "init", table, "-o", folder], check=True, capture_output=True, text=True).stdout
    return [shlex.split(line, comments=True)[1:] for line in said.splitlines() if line.startswith("  regret ")]


def follow(program, table, folder, seeds):
    """The answer and its exit code."""
    for command in printed_commands(program, table, folder):
        if command[0] == "run":
            command += ["--no-report"] + (["--seeds", str(seeds)] if seeds else [])
        done = subprocess.run([program, *command], capture_output=True, text=True)
        if done.returncode not in ((0, 3) if command[0] == "recommend" else (0,)):
            sys.exit(f"{shlex.join(command)}: {done.returncode}\n{done.stderr}")
    return done.stdout, done.returncode


def named(program, run, by):
    """The agent that a source names for each context held out."""
    text = subprocess.run([program, "recommend", run, "--format", "csv"], check=True, capture_output=True, text=True)
    return {r["context"]: r["agent"] for r in csv.DictReader(io.StringIO(text.stdout)) if r["context"] and r["by"] == by}


def answer_of(program, run):
    said = subprocess.run([program, "recommend", run, "--json"], check=True, capture_output=True, text=True)
    return json.loads(said.stdout)


def study(options, kind):
    answers, hits, held, worst = collections.Counter(), 0, 0, 1.0
    for number in range(options.first, options.first + options.tables):
        folder = options.folder / f"{kind}-{number}"
        table = options.folder / f"{kind}-{number}.csv"
        planted = make_table(table, kind, number, options.prompts, options.agents)
        subprocess.run(["rm", "-rf", folder], check=True)
        text, code = follow(options.program, str(table), str(folder), options.seeds)
        word = next(w for w in ("ONE AGENT", "BY TAG", "BY REQUEST", "CANNOT TELL") if f"\n{w}: " in text)
        assert (code == 3) == (word == "CANNOT TELL"), (word, code)
        answers[word] += 1
        by = answer_of(options.program, str(folder / "run"))["by"]
        if kind != "none" and by:
            found = named(options.program, str(folder / "run"), by)
            right = sum(planted[c] == agent for c, agent in found.items())
            hits, held, worst = hits + right, held + len(found), min(worst, right / len(found))
        subprocess.run(["rm", "-rf", folder, table], check=True)
    share = f"{100 * hits / held:.1f} % of {held} contexts (worst table {100 * worst:.1f} %)" if held else "–"
    print(f"| {kind} | " + ", ".join(f"{w} {n}" for w, n in answers.most_common()) + f" | {share} |", flush=True)
    wrong = options.tables - answers[ANSWERS[kind]]
    least = {"size": 0.9, "blank": 0.85}.get(kind, 0.95)  # near the threshold, or without the number, nobody can tell
    return wrong > 0.05 * options.tables + 1 if kind == "none" else wrong > 0 or worst < least


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--prompts", type=int, default=120)
    parser.add_argument("--agents", type=int, default=4)
    parser.add_argument("--seeds", type=int, default=0)
    parser.add_argument("--kinds", nargs="+", default=list(PLANTED))
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    print("| planted | answers | right agent |\n|---|---|---|")
    missed = [study(options, kind) for kind in options.kinds]
    return int(options.check and any(missed))


sys.exit(main())
