#!/usr/bin/env python3
"""Answers to new requests, recomputed with NumPy from the pool's scores.

usage: check_new_requests.py PROGRAM FOLDER

A table of two categories with a winner for each, and one where a number decides that is blank in every twelfth row (both
SYNTHETIC), go through the commands; of the model that is kept only what was chosen is believed: its rules, ρ, γ and κ. From the formulas of docs/protocol.md §12 then follow, for requests
with either tag, with another and with none, agent, value, interval, margin and its interval, to the digits printed, and the
regret on which the choice of single agents rests is that of a plain loop.
"""
import csv
import io
import json
import pathlib
import random
import struct
import subprocess
import sys

try:
    import numpy as np
except ImportError:
    print("NumPy is not there")
    sys.exit(77)

PROMPTS, AGENTS, GAMMA = 120, 5, 1.0
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
            table.writerow([f"p{i}", " ".join(f"w{rng.randrange(500)}" for _ in range(8)), tag] + row)


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


def read_model(path):
    data = path.read_bytes()
    assert data[:8] == b"regretM\0"
    return json.loads(data[120:120 + struct.unpack_from("<Q", data, 24)[0]])


class Own:
    """A number as v/√2 and steps at its octiles, blanks at the mean and in a column of their own; words; all less their means."""

    def __init__(self, contexts):
        self.n_contexts, columns = len(contexts), list(zip(*contexts))[1:]
        self.there = len(columns) > 0
        if not self.there:
            return
        size, self.lands = columns[0], sorted(set(columns[1]))
        known = np.array([v for v in size if v is not None], float)
        self.mean, self.sd, self.blank = known.mean(), known.std(), 1 - len(known) / len(size)
        assert len(size) - len(known) >= 10
        v = np.array([self.v(s) for s in size])
        self.ends = v.min(), v.max()
        self.cut = np.sort(v)[np.arange(1, 8) * len(v) // 8]
        self.share = (v[:, None] >= self.cut).mean(0)
        self.scale = np.sqrt(0.5 / np.sum(self.share * (1 - self.share)))
        self.land_share = np.array([columns[1].count(land) / len(size) for land in self.lands])

    def v(self, size):
        return 0.0 if size is None else (size - self.mean) / self.sd

    def of(self, size="absent", land="absent"):
        """Zeros, the means, of what is absent or was never seen."""
        number, words = np.zeros(9), np.zeros(len(self.lands))
        if size != "absent":
            v = np.clip(self.v(size), *self.ends)
            number = np.r_[v / np.sqrt(2), self.scale * ((v >= self.cut) - self.share), (size is None) - self.blank]
        if land in self.lands:
            words = np.array([float(land == name) for name in self.lands]) - self.land_share
        return np.r_[number, words]


class Layer:
    """A ridge on √γ [tag] and √κ own columns, or on nothing: fits, what they miss without a context, and variances over that
    of the rest. A context is its tag, then its columns."""

    def __init__(self, said, contexts, names, y):
        self.tags, self.names, n = [c[0] for c in contexts], names, len(contexts)
        self.by_tag, self.by_columns = said["gamma"] > 0, said.get("kappa", 0) > 0
        self.own, self.kappa = Own(contexts), np.sqrt(said.get("kappa", 0))
        assert said["rule"] in ("single", "tag", "columns"), said
        self.rho, self.root = said["rho"], np.sqrt(said["gamma"])
        z = np.array([self.z(c) for c in contexts])
        self.mean, self.y_mean = z.mean(0), y.mean(0)
        centred = z - self.mean
        self.gram = centred.T @ centred + self.rho * np.eye(z.shape[1])
        self.theta = np.linalg.solve(self.gram, centred.T @ (y - self.y_mean))
        h = 1 / n + np.array([self.along(c) for c in contexts])
        self.miss = (y - self.y_mean - centred @ self.theta) / (1 - h)[:, None]
        self.n = n

    def z(self, context):
        own = [self.kappa * self.own.of(*context[1:])] if self.by_columns else []
        return np.concatenate([self.z_tag(context[0])] + own)

    def z_tag(self, tag):
        if tag in self.names:
            one = np.array([float(tag == name) for name in self.names])
        else:
            one = np.array([self.tags.count(name) / len(self.tags) for name in self.names])
        return self.root * one if self.by_tag else np.zeros(1)

    def along(self, tag):
        d = self.z(tag) - self.mean
        return d @ np.linalg.solve(self.gram, d)

    def predict(self, tag):
        return self.y_mean + (self.z(tag) - self.mean) @ self.theta

    def variance(self, tag, in_sample):
        """Directions that explain a tenth or more of their share are kept, 32 at most."""
        if not self.by_tag and not self.by_columns:
            return 1 + 1 / self.n
        d = self.z(tag) - self.mean
        values, vectors = np.linalg.eigh(self.gram - self.rho * np.eye(len(d)))
        kept = values / (values + self.rho) >= 0.1
        t = vectors.T @ d
        a = np.sum(t[kept] ** 2 / (values[kept] + self.rho))
        b = max(0.0, d @ d - np.sum(t[kept] ** 2)) / self.rho
        return 1 + 1 / self.n + (a / (1 - a) if in_sample else a) + b


def factor(ratios):
    ratios = np.sort(ratios)
    return ratios[min(int(np.ceil(0.95 * (len(ratios) + 1))), len(ratios)) - 1]


def expect(mu, tags, agents, model, requests):
    names = list(dict.fromkeys(c[0] for c in tags))
    shared = mu.mean(1)
    own = Layer(model["contrasts"], tags, names, mu - shared[:, None])
    common = Layer(model["common"], tags, names, shared[:, None])
    single = int(np.argmax((mu - shared[:, None]).mean(0)))
    v_own = np.array([own.variance(t, True) for t in tags])
    v_common = np.array([common.variance(t, True) for t in tags])
    s_own = np.mean(own.miss ** 2 / v_own[:, None], 0)
    s_common = np.mean(common.miss[:, 0] ** 2 / v_common)
    gap = own.miss - own.miss[:, [single]]
    s_margin = np.mean(gap ** 2 / v_own[:, None], 0)
    choice = np.argmax(mu - shared[:, None] - own.miss, 1)
    rows = np.arange(len(tags))
    value_factor = factor(np.abs(common.miss[:, 0] + own.miss[rows, choice])
                          / np.sqrt(s_common * v_common + s_own[choice] * v_own))
    ratios = np.abs(gap) / np.sqrt(np.where(s_margin > 0, s_margin, 1) * v_own[:, None])
    others = rows[choice != single]
    margin_factor = factor(ratios[others, choice[others]] if len(others) >= 40
                           else np.delete(ratios, single, 1).ravel())
    for tag in requests:
        d = own.predict(tag)
        a = single if d[single] >= d.max() else int(np.argmax(d))
        value = d[a] + common.predict(tag)[0]
        half = value_factor * np.sqrt(s_common * common.variance(tag, False) + s_own[a] * own.variance(tag, False))
        margin = d[a] - d[single]
        margin_half = 0 if a == single else margin_factor * np.sqrt(s_margin[a] * own.variance(tag, False))
        yield [agents[a]] + list(np.clip([value, value - half, value + half], 0, 1)) + [
            *np.clip([margin, margin - margin_half, margin + margin_half], -1, 1)]


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
    mu, tags, agents = read_pool(folder / "my/pool")
    model = read_model(folder / "model.regret")
    assert model["contrasts"]["rule"] == kind, model["contrasts"]
    wrong = 0
    for row, expected in zip(said[1:], expect(mu, tags, agents, model, requests), strict=True):
        off = max(abs(float(text) - number) for text, number in zip(row[2:8], expected[1:]))
        wrong += row[1] != expected[0] or off > 5.1e-5
        print(row, f"off by {off:.1e}")
    random_regret = np.mean(mu.max(1) - mu.mean(1))
    wrong += abs(model["regret"]["random"] - random_regret) > 1e-12
    return wrong


wrong = sum(map(check, REQUESTS))
sys.exit(f"{wrong} answers differ" if wrong else 0)
