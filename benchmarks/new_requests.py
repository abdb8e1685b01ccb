#!/usr/bin/env python3
"""How well and how fast does `regret recommend POOL --new` answer?

usage: new_requests.py PROGRAM FOLDER [--prompts N] [--agents N] [--requests N] [--words N] [--tables N] [--kinds KIND...]

Makes N tables of each kind (SYNTHETIC scores of 1 to 5: 3, plus what the prompt shares among its agents, plus noise,
deviation .5 each, cut at the ends), and as many tables of 1,000 new requests, whose scores the program does not see:

  none   no agent is better than another
  tag    one agent is better by 1 for one category and worse by 1 for the other, and another the other way round
  words  the same, by whether the prompt has the word "function" or "poem" among others
  holes  as tag, and a fifth of the scores are blank

makes pools by the commands that `regret init` prints, and prints of each kind what the choice goes by, the share
of new requests that get the agent planted, the share of intervals that hold the score of the agent recommended, seconds of
the first answer, which makes the model; and of the last table, by the model that was kept, requests a second, those a second of processor time, which
other programs on the machine disturb less (medians of five, with the least and the greatest), and the resident set, by threads.
"""
import argparse
import collections
import csv
import os
import pathlib
import random
import re
import shlex
import statistics
import subprocess
import time


def make_table(path, kind, number, prompts, shape, is_new, keep=True):
    rng = random.Random(f"{kind} {number} {is_new}")
    best, scores = {}, {}
    with open(path, "w", encoding="utf-8", newline="") as f:
        table = csv.writer(f)
        names = [f"m{a}" for a in range(shape.agents)]
        table.writerow(["prompt_id", "prompt", "category"] + ([] if is_new else names))
        for i in range(prompts):
            first, shared = rng.random() < 0.5, rng.gauss(0, 0.5)
            text = [f"word{rng.randrange(2000)}" for _ in range(shape.words - 1)]
            text.insert(rng.randrange(shape.words), "function" if kind == "words" and first else "poem")
            tag = ("code" if first else "chat") if kind in ("tag", "holes") else rng.choice(["code", "chat"])
            planted = 0 if first else 1
            row = [3 + shared + rng.gauss(0, 0.5) + (kind != "none" and a < 2) * (1 if a == planted else -1)
                   for a in range(shape.agents)]
            row = [round(min(5, max(1, s)), 2) for s in row]
            if keep:
                best[f"r{i}"], scores[f"r{i}"] = f"m{planted}", row
            shown = ["" if kind == "holes" and rng.random() < 0.2 else s for s in row]
            table.writerow([f"r{i}", " ".join(text), tag] + ([] if is_new else shown))
    return best, scores


def make_pool(program, folder):
    said = subprocess.run([program, "init", folder / "table.csv", "-o", folder / "my"], check=True,
                          capture_output=True, text=True).stdout
    for line in said.splitlines():
        words = shlex.split(line, comments=True)[1:] if line.startswith("  regret ") else [""]
        if words[0] == "import":
            subprocess.run([program, *words], check=True, capture_output=True)
    return folder / "my/pool"


def answer(program, folder, new, *by):
    """Its seconds, those of a processor, and its greatest resident set in MB; what it says is in who.csv and words there."""
    with open(folder / "who.csv", "w+b") as out, open(folder / "words", "w+b") as err:
        began = time.monotonic()
        child = subprocess.Popen([program, "recommend", "--new", new, *by], stdout=out, stderr=err)
        _, status, usage = os.wait4(child.pid, 0)
        took = time.monotonic() - began
        if status != 0:
            raise SystemExit((folder / "words").read_text())
    return took, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def judge(path, best, scores):
    rows = list(csv.DictReader(path.read_text().splitlines()))
    hits = sum(row["agent"] == best[row["id"]] for row in rows)
    held = sum(float(row["low"]) - 5e-5 <= (scores[row["id"]][int(row["agent"][1:])] - 1) / 4
               <= float(row["high"]) + 5e-5 for row in rows)
    return hits / len(rows), held / len(rows)


def try_kind(program, kind, a):
    rules, hits, held, seconds = collections.Counter(), [], [], []
    for number in range(a.tables):
        folder = (a.folder / f"{kind}-{number}").resolve()
        folder.mkdir(parents=True)
        make_table(folder / "table.csv", kind, number, a.prompts, a, False)
        best, scores = make_table(folder / "new.csv", kind, number, 1000, a, True)
        pool = make_pool(program, folder)
        took = answer(program, folder, folder / "new.csv", pool, "--save-model", folder / "model.regret")[0]
        model = subprocess.run([program, "recommend", "--model", folder / "model.regret"], check=True, capture_output=True, text=True)
        rules[re.search(r"columns\. (.*?)[,:;]", model.stdout)[1]] += 1
        share, coverage = judge(folder / "who.csv", best, scores)
        hits.append(share)
        held.append(coverage)
        seconds.append(took)
    planted = "" if kind == "none" else (f"planted agent {100 * sum(hits) / len(hits):.1f} % "
                                         f"(least {100 * min(hits):.1f} %), ")
    print(f"{kind}: {dict(rules)}; {planted}intervals hold {100 * sum(held) / len(held):.1f} %, "
          f"made in {sum(seconds) / len(seconds):.1f} s", flush=True)
    return folder


def measure(program, folder, kind, a):
    for requests in (a.requests // 10, a.requests):
        many = folder / "many.csv"
        # nothing is kept: what a program holds before it starts another counts as the other's resident set
        make_table(many, kind, 0, requests, a, True, keep=False)
        for threads in (1, 2):
            took = [answer(program, folder, many, "--model", folder / "model.regret", "--threads", str(threads)) for _ in range(5)]
            rates = [sorted(requests / t[i] for t in took) for i in (0, 1)]
            wall, processor = (f"{statistics.median(r):.0f} ({r[0]:.0f} to {r[-1]:.0f})" for r in rates)
            print(f"  {requests} requests, {threads} thread{'s' * (threads > 1)}: {wall} a second, "
                  f"{processor} a second of a processor, {max(t[2] for t in took):.0f} MB", flush=True)
        many.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--prompts", type=int, default=300)
    parser.add_argument("--agents", type=int, default=20)
    parser.add_argument("--requests", type=int, default=100000)
    parser.add_argument("--words", type=int, default=50)
    parser.add_argument("--tables", type=int, default=3)
    parser.add_argument("--kinds", nargs="+", default=["none", "tag", "holes", "words"])
    a = parser.parse_args()
    for kind in a.kinds:
        folder = try_kind(a.program.resolve(), kind, a)
        measure(a.program.resolve(), folder, kind, a)


if __name__ == "__main__":
    main()
