#!/usr/bin/env python3
"""Answers to new requests, recomputed with NumPy from the pool's scores.

usage: check_new_requests.py PROGRAM FOLDER

A table of two categories with a winner for each, and one where a number decides that is blank in every twelfth row (both
SYNTHETIC), go through the commands; of the model that is kept only the rule is believed. For requests with either tag, with
another and with none agent, value, interval and margin follow, to the digits printed.
"""
import csv
import io
import json
import pathlib
import random
import subprocess
import sys

try:
    import numpy as np
except ImportError:
    print("NumPy is not there")
    sys.exit(77)

PROMPTS, AGENTS = 120, 5
program, folder = sys.argv[1], pathlib.Path(sys.argv[2])


def run(*words):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{words}: {done.returncode}\n{done.stderr}")
    return done.stdout


def make_table(path, kind):
    rng = random.Random(5)
    own = ["its size", "land"] if kind == "columns" else []
    with open(path, "w", encoding="utf-8", newline="") as f:
        table = csv.writer(f)
        table.writerow(["prompt_id", "prompt", "category"] + own + [f"org/m {a}" for a in range(AGENTS)])
        for i in range(PROMPTS):
            first, shared = rng.random() < 0.4, rng.gauss(0, 0.4)
            row = [3 + shared + (0.5 if first else 0) + rng.gauss(0, 0.4) + (1 if a == (0 if first else 1) else 0)
                   for a in range(AGENTS)]
            row = [round(min(5, max(1, s)), 2) for s in row]
            row[0] = 1 if i == 0 else row[0]
            size, land, tag = rng.randrange(60) + 60 * first, rng.choice(["at", "ch"]), "code" if first else "chat"
            if own:
                tag = rng.choice(["code", "chat"])
                row = ["" if i % 12 == 5 else size, land] + row
            table.writerow([f"p{i}", f"only{i}", tag] + row)


def read_pool(pool):
    """mu(x,a), the tag of every context, the table's names of agents in the pool's order."""
    described = json.loads((pool / "pool.json").read_text())
    agents = [a["id"] for a in described["agents"]]
    component = described["components"][0]
    contexts = [json.loads(line) for line in open(pool / "contexts.jsonl")]
    at = {c["id"]: i for i, c in enumerate(contexts)}
    mu = np.full((len(contexts), len(agents)), np.nan)
    for line in open(pool / "outputs.jsonl"):
        o = json.loads(line)
        raw = o["components"][component["name"]]
        mu[at[o["context"]], agents.index(o["agent"])] = (raw - component["low"]) / (component["high"] - component["low"])
    return mu, [(c["tag"], *c.get("columns", {}).values()) for c in contexts], [a.get("title", a["id"]) for a in described["agents"]]


def find_strata(tags):
    """Number of every request; how many there are: the last is of tags with fewer than five requests."""
    names = [tag for tag in dict.fromkeys(tags) if tags.count(tag) >= 5]
    return np.array([names.index(tag) if tag in names else len(names) for tag in tags]), names


class Own:
    """A number 1.2 times in deviations, blanks at the mean; words one-hot, less their means."""

    def __init__(self, contexts):
        columns = list(zip(*contexts))[1:]
        self.there = len(columns) > 0
        if not self.there:
            return
        known = np.array([v for v in columns[0] if v is not None], float)
        self.ends, self.mean, self.sd = (known.min(), known.max()), known.mean(), known.std(ddof=1)
        assert len(columns[0]) - len(known) >= 10
        self.lands = sorted(set(columns[1]))
        self.share = np.array([columns[1].count(land) / len(contexts) for land in self.lands])

    def of(self, size=None, land=None):
        """Zeros, the means, of what is blank, absent or was never seen."""
        if not self.there:
            return np.zeros(1)
        number = 0.0 if size is None else 1.2 * (np.clip(size, *self.ends) - self.mean) / self.sd
        words = np.array([float(land == name) for name in self.lands]) - self.share if land in self.lands else 0 * self.share
        return np.r_[number, words]


def ridge(x, e):
    """Weights at the penalty, of twelve, that left-out requests bear out most, and what they predict there; else zeros."""
    best, chosen = np.sum(e ** 2), (np.zeros((x.shape[1], e.shape[1])), np.zeros_like(e))
    for penalty in np.geomspace(0.3, 3e4, 12):
        inverse = np.linalg.inv(x.T @ x + penalty * np.eye(x.shape[1]))
        weight = inverse @ x.T @ e
        miss = (e - x @ weight) / (1 - np.sum(x @ inverse * x, 1))[:, None]
        if np.sum(miss ** 2) < best:
            best, chosen = np.sum(miss ** 2), (weight, e - miss)
    return chosen


def find_surface(mu, stratum, n_strata):
    """What agents are worth by stratum, and over all: agents by stratum shrink towards their means."""
    n, m = mu.shape
    contrast = mu - mu.mean(1, keepdims=True)
    count = np.bincount(stratum, minlength=n_strata).astype(float)
    own = np.array([contrast[stratum == g].mean(0) if count[g] else np.zeros(m) for g in range(n_strata)])
    mean, used = count / n @ own, np.count_nonzero(count)
    variance = np.sum((contrast - own[stratum]) ** 2, 0) / (n - used)
    extra = (own - mean) * (count > 0)[:, None]
    per = m * (n - np.sum(count ** 2) / n)
    common = max(0.0, (np.sum(count[:, None] * extra ** 2) - np.sum(variance) * (used - 1)) / per) if per > 0 else 0.0
    kept = common * count[:, None] / np.maximum(common * count[:, None] + variance, 1e-300)
    return mean + kept * extra, mean


def expect(mu, contexts, agents, rule, requests):
    """Agent, value, low, high and margin of every request."""
    stratum, names = find_strata([c[0] for c in contexts])
    n_strata = len(names) + 1
    surface, mean = find_surface(mu, stratum, n_strata)
    own = Own(contexts)
    x = np.array([own.of(*c[1:]) for c in contexts])
    weight, left_out = ridge(x, mu - mu.mean(1, keepdims=True) - surface[stratum])
    common = np.mean(mu - surface[stratum], 1)
    level = [common[stratum == g].mean() if g in stratum else common.mean() for g in range(n_strata)] + [common.mean()]
    level = np.array(level)
    of_level, level_left_out = ridge(x, (common - level[stratum])[:, None])
    surface = np.vstack([surface, mean])
    single = int(np.argmax(mean))

    def choose(g, z):
        return single if rule == "one" else int(np.argmax(surface[g] + (z @ weight if rule == "by-request" else 0)))

    rows = np.arange(len(mu))
    chosen = np.array([choose(g, z) for g, z in zip(stratum, x)])
    guess = level[stratum] + surface[stratum, chosen] + left_out[rows, chosen] + level_left_out[:, 0]
    error = np.sort(mu[rows, chosen] - guess)
    below = max(int(0.025 * (len(error) + 1)) - 1, 0)
    for request in requests:
        g, z = names.index(request[0]) if request[0] in names else n_strata, own.of(*request[1:])
        worth, a = surface[g] + z @ weight, choose(g, z)
        value = level[g] + (z @ of_level)[0] + worth[a]
        yield [agents[a], *np.clip([value, value + error[below], value + error[len(error) - 1 - below]], 0, 1), worth[a] - worth[single]]


REQUESTS = {  # the table, and what it becomes: a tag, and what is told of size and land
    "tag": ("text,tag\nw1,code\nw2,chat\nw3,maths\nw4,\n", [("code",), ("chat",), ("maths",), ("",)]),
    "columns": ("text,tag,its size,land\nw1,code,20,at\nw2,chat,100,ch\nw3,code,,at\nw4,chat,75,moon\nw5,maths,58,ch\nw6,code,1e6,at\nw7,chat,-7,ch\n",
                [("code", 20.0, "at"), ("chat", 100.0, "ch"), ("code", None, "at"), ("chat", 75.0), ("maths", 58.0, "ch"),
                 ("code", 1e6, "at"), ("chat", -7.0, "ch")])}


def check(kind):
    make_table(folder / "table.csv", kind)
    subprocess.run(["rm", "-rf", folder / "my"], check=True)
    run("init", folder / "table.csv", "-o", folder / "my")
    run("import", "csv", folder / "table.csv", "--map", folder / "my/map.json", "-o", folder / "my/pool")
    table, requests = REQUESTS[kind]
    (folder / "new.csv").write_text(table)
    said = list(csv.reader(io.StringIO(run("recommend", folder / "my/pool", "--new", folder / "new.csv",
                                            "--save-model", folder / "model.regret"))))
    mu, contexts, agents = read_pool(folder / "my/pool")
    rule = json.loads((folder / "model.regret").read_text())["rule"]
    assert rule == ("by-tag" if kind == "tag" else "by-request"), rule
    wrong = 0
    for row, expected in zip(said[1:], expect(mu, contexts, agents, rule, requests), strict=True):
        off = max(abs(float(text) - number) for text, number in zip(row[2:6], expected[1:]))
        wrong += row[1] != expected[0] or off > 5.1e-5
        print(row, f"off by {off:.1e}")
    return wrong


wrong = sum(map(check, REQUESTS))
sys.exit(f"{wrong} answers differ" if wrong else 0)
