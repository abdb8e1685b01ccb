#!/usr/bin/env python3
"""Decides anew, with NumPy from the rows of runs alone, what `regret recommend` supports (docs/protocol.md).

Usage: check_recommend.py REGRET FOLDER

Small synthetic pools with one winner for everything, a winner by tag, by a word of the request, and none: the answers must be one
agent, by tag, by request and CANNOT TELL. Of each rule: whose losses stand for it on each fifth of the contexts, its value, its
gains over chance, over the best single agents and over the simpler rule, with two-way jackknife intervals at the level of all rules
together; then the rule that is left, the agents that are named by tag or for everything, in which share of the replicates, by how
much they lead the next one and whether that is told (Holm). Exit code 77 where NumPy or SciPy is missing.
"""

import json
import pathlib
import subprocess
import sys

try:
    import numpy as np
    from scipy import stats
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

N, M, SEEDS, PARTS, ALPHA = 60, 4, 8, 5, 0.02
TOLERANCE = 3e-6  # lists of rows have six digits
PAPER = ["exp-only", "obs-only", "cvci"]
CASES = {  # pool: (what recommend answers, families, keys)
    "one": ("one-agent", PAPER, {}),
    "tag": ("by-tag", [*PAPER, "grounded", "cvci-residual", "representation-exp", "mixed", "stack"], {"n_exp": 120}),
    "word": ("by-request", PAPER, {"features.agent_words": 10, "n_exp": 500, "n_obs": 400, "features.context": 0}),
    "picked": ("by-request", ["exp-only", "mixed"], {"n_exp": 500, "n_obs": 400}),
    "none": (None, PAPER, {}),
    "untagged": ("one-agent", [*PAPER, "mixed", "stack"], {"n_exp": 30}),
}
worst = 0.0
compared = 0


def make_pool(folder, kind):
    rng = np.random.default_rng({"one": 1, "tag": 2, "word": 3, "picked": 3, "none": 4, "untagged": 5}[kind])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pool.json").write_text(json.dumps({
        "format": "regret-pool-1", "name": kind, "title": kind, "version": "1", "licence": "none", "source": "made",
        "synthetic": True, "agents": [{"id": f"m{a}", "title": f"m{a}"} for a in range(M)],
        "components": [{"name": n, "low": 0, "high": 1} for n in ("q", "r")]}))
    with open(folder / "contexts.jsonl", "w") as contexts, open(folder / "outputs.jsonl", "w") as outputs:
        for x in range(N):
            tag, word = int(x % 5 == 0) + int(x % 5 < 3), int(rng.integers(2))
            best = {"one": 2, "untagged": 1, "tag": tag, "word": 3 * word, "picked": 3 * word, "none": -1}[kind]
            one = {"id": f"p{x}", "text": ["hot", "cold"][word], "tag": f"t{tag}"}
            if kind == "untagged":
                del one["tag"]
            contexts.write(json.dumps(one) + "\n")
            for a in range(M):
                q = float(np.clip(0.4 + 0.25 * (a == best) + rng.normal(0, 0.15), 0, 1))
                outputs.write(json.dumps({"context": f"p{x}", "agent": f"m{a}", "draw": 0, "text": f"m{a}",
                                          "components": {"q": q, "r": q}}) + "\n")


class Rows:
    """Losses, choices and the best values, [seed, context], NaN where it is not held out."""

    def __init__(self, folder):
        head = json.loads((folder / "run.json").read_text())
        (grid,) = head["grids"]
        self.agents, self.tags = grid["agents"], grid.get("tags")
        rows = [json.loads(line) for line in open(folder / "results-1-of-1.jsonl", encoding="utf-8")]
        rows = [row for row in rows if row["kind"] != "fit"]
        at = {row["seed"]: row["context"] for row in rows if row["family"] == "oracle"}
        self.families = [f for f in dict.fromkeys(row["family"] for row in rows if row["kind"] == "family")]
        self.loss, self.choice = {}, {}
        for row in rows:
            for kept, of in ((self.loss, "loss"), (self.choice, "choice")):
                if of in row and row[of] is not None:
                    table = kept.setdefault(row["family"], np.full((SEEDS, len(grid["contexts"])), np.nan))
                    table[row["seed"], at[row["seed"]]] = row[of]
            if row["family"] == "oracle":
                self.best = kept_best = getattr(self, "best", np.full((SEEDS, len(grid["contexts"])), np.nan))
                kept_best[row["seed"], at[row["seed"]]] = row["best"]
        self.held = ~np.isnan(self.best)
        self.part = np.arange(len(grid["contexts"])) % PARTS

    def by_others(self, names):
        """On each part of the contexts, who has the least mean loss over the others."""
        out = np.full_like(self.best, np.nan)
        for part in range(PARTS):
            others = self.held & (self.part != part)
            means = [round(self.loss[n][others].mean(), 12) for n in names]
            own = self.held & (self.part == part)
            out[own] = self.loss[names[int(np.argmin(means))]][own]
        return out


def mean_of(table):
    """Over seeds of means over held-out contexts."""
    with np.errstate(invalid="ignore"):
        some = ~np.isnan(table)
        n = some.sum(axis=1)
        return (np.where(some, table, 0).sum(axis=1)[n > 0] / n[n > 0]).mean()


def two_way(d, level):
    """The mean of the differences and its ends: jackknifes over seeds, contexts and both."""
    whole, held = mean_of(d), ~np.isnan(d)
    contexts, seeds = np.flatnonzero(held.any(axis=0)), np.flatnonzero(held.any(axis=1))

    def without(**gone):
        out = d.copy()
        out[gone.get("seed", slice(None)), gone.get("context", slice(None))] = np.nan
        return mean_of(out)

    jackknife = lambda left: (len(left) - 1) / len(left) * sum((x - whole) ** 2 for x in left)
    v_s = jackknife([without(seed=s) for s in seeds])
    v_c = jackknife([without(context=c) for c in contexts])
    v_b = jackknife([without(seed=s, context=c) for s, c in zip(*np.nonzero(held))])
    half = stats.t.ppf(1 - level / 2, min(len(seeds), len(contexts)) - 1) * np.sqrt(max(v_s + v_c - v_b, v_s, v_c))
    return whole, whole - half, whole + half


def close(what, ours, theirs):
    global worst, compared
    difference = float(np.max(np.abs(np.subtract(ours, theirs))))
    worst, compared = max(worst, difference), compared + np.size(ours)
    assert difference <= TOLERANCE, f"{what}: {theirs}, not {ours}"


def check_rules(rows, answer, expected, kind):
    single = min(("best-exp", "best-obs"), key=lambda n: round(mean_of(rows.loss[n]), 12))
    if round(mean_of(rows.loss["best-obs"]), 12) == round(mean_of(rows.loss["best-exp"]), 12):
        single = answer["rules"][0]["by"]
    names = {"one-agent": [single], "by-tag": [n for n in ("best-by-tag-exp", "best-by-tag-obs") if n in rows.loss],
             "by-request": ["stack"] if "stack" in rows.loss else rows.families}
    names = {rule: of for rule, of in names.items() if of}
    assert [r["rule"] for r in answer["rules"]] == list(names), kind
    level = ALPHA / (len(names) + 1)
    standing = told = None  # the losses of the rule that stands, and it if it beats chance
    for rule in answer["rules"]:
        of = names[rule["rule"]]
        own = rows.by_others(of)
        means = [round(mean_of(rows.loss[n]), 12) for n in of]
        assert means[of.index(rule["by"])] == min(means), (kind, rule["by"], means)
        close(f"{kind}, value of {rule['rule']}", mean_of(rows.best - own), rule["value"])
        for over, losses in (("random", "random"), ("single", single), ("best_exp", "best-exp"), ("best_obs", "best-obs")):
            gain = two_way(rows.loss[losses] - own, level)
            shown = rule[f"over_{over}"]
            close(f"{kind}, {rule['rule']} over {over}", gain, [shown[k] for k in ("gain", "low", "high")])
            assert shown["told"] == (gain[1] > 0), (kind, shown)
            if over == "random":
                beats_chance = gain[1] > 0
        beaten = standing is not None and two_way(standing - own, level)[1] > 0
        if standing is None or beats_chance > (told is not None) or (beats_chance == (told is not None) and beaten):
            standing, told = own, rule["rule"] if beats_chance else None
            by = rule["by"]
    assert (answer["rule"], answer["rule"] and answer["by"]) == (told, told and by), (kind, answer["rule"], told)
    assert told == expected, f"{kind}: {told} is supported, {expected} was planted"
    return by


def check_agents(rows, answer, by, mu, kind):
    """Who is named for each tag, or for everything; their lead over the next by the pool's means."""
    tags = rows.tags if rows.tags else [None] * mu.shape[0]
    every = rows.tags is not None
    listed = answer["tags"]
    assert [t["tag"] for t in listed] == (list(dict.fromkeys(tags)) if every else [None]), (kind, listed)
    p_values = []
    for one in listed:
        of = np.array([t == one["tag"] for t in tags])
        chosen = rows.choice[by][:, of]
        counts = np.bincount(chosen[~np.isnan(chosen)].astype(int), minlength=M)
        agent = int(np.argmax(counts))
        means = mu[of].mean(axis=0)
        other = int(np.argmax(np.where(np.arange(M) == agent, -np.inf, means)))
        assert (one["agent"], one["contexts"]) == (rows.agents[agent], of.sum()), (kind, one)
        close(f"{kind}, share of {one['tag']}", counts[agent] / counts.sum(), one["share"])
        if one["runner_up"] is None:  # a run without the means of its pool
            return None
        assert one["runner_up"] == rows.agents[other], (kind, one)
        d = mu[of, agent] - mu[of, other]
        close(f"{kind}, lead for {one['tag']}", d.mean(), one["gain"])
        if int(np.argmax(means)) == agent:
            half = stats.t.ppf(0.975, len(d) - 1) * stats.sem(d)  # of graded scores enough differ for Student's
            close(f"{kind}, low for {one['tag']}", d.mean() - half, one["gain_low"])
            close(f"{kind}, high for {one['tag']}", d.mean() + half, one["gain_high"])
            p_values.append(stats.ttest_1samp(d, 0).pvalue)
        else:
            p_values.append(np.nan)
    return p_values


def check_told(answer, p_values, kind):
    if p_values is None or np.isnan(p_values).any():
        return 0
    order, adjusted, most = np.argsort(p_values), {}, 0
    for rank, i in enumerate(order):
        most = max(most, (len(order) - rank) * p_values[i])
        adjusted[i] = most
    for i, one in enumerate(answer["tags"]):
        assert one["told"] == (adjusted[i] < 0.05 and one["contexts"] >= 10), (kind, one, adjusted)
    return len(order)


def check_words(run, answer, text, kind):
    """The words that mixed picked, by the share of its rows that have them, and the planted one before all."""
    rows = [json.loads(line) for line in (run / "results-1-of-1.jsonl").read_text().splitlines()]
    fits = [r.get("picked", "").split() for r in rows if r["family"] == "mixed"]
    wanted = {w: sum(w in f for f in fits) / len(fits) for f in fits for w in f} if kind == "picked" else {}
    assert {w["word"]: w["share"] for w in answer["words"]} == wanted, (kind, answer["words"], wanted)
    assert [w["share"] for w in answer["words"]] == sorted(wanted.values(), reverse=True)
    if kind == "picked":
        assert set(wanted) <= {"hot", "cold"} and all(len(f) == 1 for f in fits), fits  # one says all
        first = answer["words"][0]
        assert f"{first['word']} ({100 * first['share']:.0f} % of the replicates)" in text, text
    else:
        assert "mixed picked" not in text, text


def main(regret, folder):
    folder = pathlib.Path(folder).resolve()
    told = 0
    for kind, (expected, families, keys) in CASES.items():
        make_pool(folder / kind, kind)
        config, run = folder / f"{kind}.json", folder / f"run-{kind}"
        config.write_text(json.dumps({
            "pool": kind, "seeds": SEEDS, "contexts.hard": 0, "features.buckets": 64, "features.agent": 10, "router.slate": 3,
            "values.enabled": False, "n_obs": 200, "n_exp": 60, "families": families, **keys}))
        quiet = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run([regret, "run", config, "-o", run, "--force", "--no-report", "-q"], **quiet)
        subprocess.run([regret, "cell", config, "--export", folder / "cell", "--force"], **quiet)
        mu = np.loadtxt(folder / "cell" / "target.csv", delimiter=",", skiprows=1)[:, -1].reshape(-1, M)
        done = subprocess.run([regret, "recommend", run, "--json"], capture_output=True, text=True, check=True)
        answer = json.loads(done.stdout)
        rows = Rows(run)
        by = check_rules(rows, answer, expected, kind)
        told += check_told(answer, check_agents(rows, answer, by, mu, kind), kind)
        text = subprocess.run([regret, "recommend", run], capture_output=True, text=True)
        first = {"one-agent": "ONE AGENT", "by-tag": "BY TAG", "by-request": "BY REQUEST", None: "CANNOT TELL"}[expected]
        check_words(run, answer, text.stdout, kind)
        assert first in text.stdout and text.returncode == (3 if expected is None else 0), text.stdout
    print(f"{compared} numbers of {len(CASES)} runs, {told} leads tested; largest difference {worst:.1e}")


main(*sys.argv[1:])
