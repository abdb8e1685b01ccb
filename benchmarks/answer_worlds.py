#!/usr/bin/env python3
"""How often is the answer to "which model should I use?" right? Tables with a planted truth, answered, and compared with it.

Usage: answer_worlds.py [--tables N] [--first N] [--kinds KIND...] [--agents K...] [--requests N...] [--scores 01|graded...] [--holes HOLES...]
       [--folder FOLDER] [--command REGRET]

Each cell (kind, agents, requests, scores, holes) has N tables: id, text, tag, model, score, SYNTHETIC. Half have 2 tags, half 8, of sizes
.6^g. Means are .55, difficulty of a request has sd .15, graded scores are beta draws about their mean.

  one    one agent leads all others by .05       tag   leads by tag have sd .08
  near   leads have sd .01                       word  a word in two fifths of the requests moves agents, sd .15
  equal  all agents are equal                    both  tag and word

Holes: none, random (30 %), tag (every second agent lacks 80 % of the first tag), hard (every second agent lacks 70 % of the harder half).
Without --command the reference of answer_reference.py answers. Truth is over 4,000 new requests. Printed by kind, by holes and by size:
false verdicts (a policy told that is truly worse than the one agent; an agent alone in the set that is not the best), how often the set
holds the best, how often truth lies below and above the intervals of the value and of the two gains, regret × 10⁻⁴, verdicts.
"""

import argparse
import csv
import itertools
import json
import pathlib
import subprocess
import time

import numpy as np
from answer_reference import answer
from scipy import special

FILLER = [f"w{i}" for i in range(60)]
NEW = 4000
POLICIES = {"by tag": 1, "by request": 2}


class World:
    """A planted truth, a table of it and new requests."""

    def __init__(self, kind, k, n, scores, holes, number):
        kinds = ["one", "near", "equal", "tag", "word", "both"]
        rng = np.random.default_rng([number, kinds.index(kind), k, n, scores == "01", len(holes)])
        n_tags = 8 if number % 2 else 2
        share = 0.6 ** np.arange(n_tags)
        share /= share.sum()
        lead = {"one": 0.04, "near": 0.01, "equal": 0.0}.get(kind, 0.02) * rng.normal(size=k)
        if kind == "one":
            lead[rng.integers(k)] = lead.max() + 0.05
        by_tag = 0.08 * (kind in ("tag", "both")) * rng.normal(size=(n_tags, k))
        by_word = 0.15 * (kind in ("word", "both")) * rng.normal(size=k)
        self.names = [f"m{a}" for a in range(k)]

        def requests(size, even):
            tags = rng.choice(n_tags, size, p=share)
            hard = rng.normal(size=size)
            if even:  # new requests stand for all
                tags = np.searchsorted(np.cumsum(share), (rng.permutation(size) + 0.5) / size)
                hard = special.ndtri((rng.permutation(size) + 0.5) / size)
            word = rng.random(size) < 0.4
            weight = np.cumsum(1 / np.arange(2, 62))
            drawn = np.searchsorted(weight, weight[-1] * rng.random((size, 24)))
            texts = [" ".join([FILLER[w] for w in own[:m]] + [f"kind{t}"] + ["refund"] * int(w))
                     for own, m, t, w in zip(drawn.tolist(), rng.integers(4, 25, size), tags, word)]
            mean = 0.55 + lead + by_tag[tags] + (word[:, None] - 0.4) * by_word - 0.15 * hard[:, None]
            return tags, hard, texts, np.clip(mean, 0.02, 0.98)

        self.tags, hard, self.texts, p = requests(n, False)
        self.new_tags, _, self.new_texts, self.truth = requests(NEW, True)
        self.y = (rng.random((n, k)) < p).astype(float) if scores == "01" else rng.beta(8 * p, 8 * (1 - p))
        odd = np.arange(k) % 2 == 1
        gone = {"none": np.zeros((n, k)), "random": np.full((n, k), 0.3), "tag": 0.8 * np.outer(self.tags == 0, odd),
                "hard": 0.7 * np.outer(hard > 0, odd)}[holes]
        gone = rng.random((n, k)) < gone
        gone[gone.all(1), 0] = False
        self.y[gone] = np.nan


def by_reference(world, number):
    """What is asked of an answer: agents are numbers, choices are of new requests by each policy."""
    said = answer(world.names, world.y, [f"t{t}" for t in world.tags], world.texts, seed=number + 1)
    if "gains" not in said:
        return {"verdict": said["verdict"], "set": said["set"], "best": None}
    gains, final, transform = said["gains"], said["final"], said["transform"]
    known = {name: g for g, name in enumerate(said["shown"])}
    others = len(known) if final.scores.count.size > len(known) else -1
    stratum = np.array([known.get(f"t{t}", others) for t in world.new_tags])
    x = transform(world.new_texts) if final.penalty is not None else None
    return {"verdict": said["verdict"], "likely": said["likely"], "best": said["best"], "set": said["set"], "value": said["value"][1:],
            "gain_tag": gains.gain["tag-one"][1:] if gains.told["tag-one"] else None,
            "gain_request": gains.gain["request-one"][1:] if gains.told["request-one"] else None,
            "choices": final.choices(stratum, x)}


WORDS = {"too-few": "too few requests", "nothing": "nothing tells", "one-agent": "one agent", "by-tag": "by tag", "by-request": "by request",
         "one": "one agent"}


def by_command(command, folder, world):
    """The same from a program. Only this function knows the names in its JSON."""
    table, new = folder / "table.csv", folder / "new.csv"
    with open(table, "w", newline="", encoding="utf-8") as f:
        rows = csv.writer(f)
        rows.writerow(["id", "text", "tag", "model", "score"])
        for i, a in zip(*np.nonzero(~np.isnan(world.y))):
            rows.writerow([f"r{i}", world.texts[i], f"t{world.tags[i]}", world.names[a], repr(float(world.y[i, a]))])
    run = lambda *more: subprocess.run([command, "recommend", table, *more], capture_output=True, text=True, check=True).stdout
    said = json.loads(run("--json", "--range", "0:1"))
    at = world.names.index
    ends = lambda x: None if x is None else (x["low"], x["high"])
    verdict = WORDS[said["verdict"]]
    rule = {"by tag": "by_tag", "by request": "by_request"}.get(verdict, "one")
    out = {"verdict": verdict, "likely": WORDS[said["likely"]], "best": at(said["all"]["best"]),
           "set": [at(a["agent"]) for a in said["all"]["agents"] if a["may_be_best"]], "value": ends(said[rule]),
           "gain_tag": ends(said["by_tag_over_one"]), "gain_request": ends(said["by_request_over_one"])}
    out["choices"] = np.full((3, NEW), -1)
    out["choices"][:2] = out["best"]
    if "tags" in said:
        of = {t: at(g["chosen"]) for t, g in said["tags"].items()}
        out["choices"][1] = [of.get(f"t{t}", out["best"]) for t in world.new_tags]
    if out["likely"] == "by request":
        with open(new, "w", newline="", encoding="utf-8") as f:
            csv.writer(f).writerows([["id", "text", "tag"], *([f"n{i}", x, f"t{t}"]
                                                              for i, (x, t) in enumerate(zip(world.new_texts, world.new_tags)))])
        out["choices"][2] = [at(row["agent"]) for row in csv.DictReader(run("--new", new, "--range", "0:1").splitlines())]
    return out


def judged(world, said):
    """Numbers to be averaged, NaN where there is nothing to judge."""
    rows, best = np.arange(NEW), world.truth.mean(0)
    of = lambda choice: world.truth[rows, choice].mean() if (choice >= 0).all() else np.nan
    out = {"verdict": said["verdict"], "size": len(said["set"]), "holds": any(best[a] >= best.max() - 1e-12 for a in said["set"]),
           "alone_wrong": said["set"] != [] and len(said["set"]) == 1 and best[said["set"][0]] < best.max() - 1e-12}
    if said["best"] is None:
        return out
    value = [of(c) for c in said["choices"]]
    told, likely = (POLICIES.get(said[v], 0) for v in ("verdict", "likely"))
    oracle = world.truth.max(1).mean()
    out |= {"policy_wrong": told > 0 and value[told] <= value[0] - 1e-12, "one": oracle - value[0], "told": oracle - value[told],
            "likely": oracle - value[likely], "by_tag": oracle - value[1], "by_request": oracle - value[2]}
    for name, ends, truth in (("value", said["value"], value[told]), ("tag", said["gain_tag"], value[1] - value[0]),
                              ("request", said["gain_request"], value[2] - value[0])):
        if ends is not None and not np.isnan(truth):
            out |= {name + "_below": truth < ends[0] - 1e-12, name + "_above": truth > ends[1] + 1e-12, name + "_width": ends[1] - ends[0]}
    return out


def table_of(title, groups):
    print(f"\n| {title} | tables | policy told, worse | alone, not best | set holds best | size | value: below, above, width |"
          " gain by tag | gain by request | one | by tag | by request | told | likely | nothing / one / tag / request / else |")
    print("|" + "---|" * 15)
    for name, rows in groups:
        mean = lambda key: np.mean([float(r[key]) for r in rows if key in r]) if any(key in r for r in rows) else np.nan
        ends = lambda key: ", ".join(f"{mean(key + side):.3f}" for side in ("_below", "_above", "_width"))
        verdicts = [sum(r["verdict"] == v for r in rows) for v in ("nothing tells", "one agent", "by tag", "by request")]
        print(f"| {name} | {len(rows)} | {mean('policy_wrong'):.3f} | {mean('alone_wrong'):.3f} | {mean('holds'):.3f} | {mean('size'):.1f} | "
              + " | ".join(ends(key) for key in ("value", "tag", "request")) + " | "
              + " | ".join(f"{1e4 * mean(key):.0f}" for key in ("one", "by_tag", "by_request", "told", "likely")) + " | "
              + " / ".join(map(str, [*verdicts, len(rows) - sum(verdicts)])) + " |")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for name, kind, default in (("kinds", str, ["one", "near", "equal", "tag", "word", "both"]), ("agents", int, [3, 8]), ("requests", int, [50, 200, 800]),
                                ("scores", str, ["01", "graded"]), ("holes", str, ["none", "random", "tag", "hard"])):
        parser.add_argument("--" + name, type=kind, nargs="+", default=default)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--command")
    o = parser.parse_args()
    done, begun = [], time.time()
    for cell in itertools.product(o.kinds, o.agents, o.requests, o.scores, o.holes):
        for number in range(o.first, o.first + o.tables):
            world = World(*cell, number)
            said = by_command(o.command, o.folder, world) if o.command else by_reference(world, number)
            done.append((cell, judged(world, said)))
    for title, at in (("kind", [0]), ("holes", [4]), ("agents, requests, scores", [1, 2, 3]), ("kind, holes", [0, 4])):
        names = dict.fromkeys(tuple(c[i] for i in at) for c, _ in done)
        table_of(title, [(", ".join(map(str, name)), [r for c, r in done if tuple(c[i] for i in at) == name]) for name in names])
    print(f"\n{len(done)} tables, {(time.time() - begun) / len(done):.2f} s each")
    return done


if __name__ == "__main__":
    main()
