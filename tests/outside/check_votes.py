#!/usr/bin/env python3
"""Recomputes Bradley and Terry's strengths of a pool of votes with NumPy and SciPy (docs/protocol.md), from the table alone.

Usage: check_votes.py REGRET FOLDER

Makes votes between seven models on prompts of three languages: ties, both bad, several votes on one prompt and pair, several
pairs on one prompt, one model that never lost and one that never won, a language whose votes fall into two parts, one with a
single vote. The strengths of all votes and of each language, standard errors, intervals and ranks are compared at several penalties; without
one, where all have lost and won, with Hunter's MM algorithm. What has no answer must be refused. Of a run the choices and
regrets of best-bt and best-by-tag-bt are recomputed from the rows that `cell --export` writes. Exit code 77 where NumPy or
SciPy is missing.
"""

import csv
import json
import pathlib
import subprocess
import sys

try:
    import numpy as np
    from scipy import optimize, stats
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

TOLERANCE = 1e-8
worst = 0.0
compared = 0


def call(regret, *arguments, refused=None):
    done = subprocess.run([regret, *map(str, arguments)], capture_output=True, text=True)
    assert (done.returncode != 0) == (refused is not None), done.stderr
    if refused is not None:
        assert all(word in done.stderr for word in refused), done.stderr
    return done.stdout


def made(kind):
    """(prompt, tag, a, b, share of a's, whether ties are said to be bad) in the order of the table."""
    rng = np.random.default_rng({"extremes": 4, "plain": 5, "tiny": 6}[kind])
    models = [f"m{i}" for i in range(7 if kind == "extremes" else 5 if kind == "plain" else 3)]
    strength = np.linspace(-1, 1, len(models))
    votes = []
    for prompt in range({"extremes": 90, "plain": 60, "tiny": 4}[kind]):
        tag = ["en", "de", ""][min(prompt % 4, 2)]
        for _ in range(rng.integers(1, 4)):
            a, b = rng.choice(len(models), 2, replace=False)
            share = float(rng.random() < 1 / (1 + np.exp(strength[b] - strength[a])))
            if rng.random() < 0.25:
                share = 0.5
            if kind == "extremes" and 6 in (a, b):
                share = float(a == 6)  # never lost, nor was it ever a tie
            if kind == "extremes" and 0 in (a, b):
                share = float(a != 0)
            for _ in range(1 + (rng.random() < 0.2)):
                votes.append((f"q{prompt}", tag, models[a], models[b], share))
    if kind == "extremes":
        votes += [("p0", "parts", "m1", "m2", 1.0), ("p1", "parts", "m3", "m4", 0.5), ("p1", "parts", "m4", "m3", 0.0),
                  ("s0", "single", "m5", "m6", 0.0)]
    return votes


def write(path, votes, rng):
    words = {1.0: ["model_a", "model_a"], 0.0: ["model_b", "model_b"], 0.5: ["tie", "tie (bothbad)"]}
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["id", "prompt", "language", "model_a", "model_b", "winner"])
        for prompt, tag, a, b, share in votes:
            out.writerow([prompt, f"what of {prompt}?", tag, a, b, words[share][rng.integers(2)]])


# ---------------------------------------------------------------- the model


class Fit:
    def __init__(self, votes, ridge):
        self.names = sorted({m for v in votes for m in v[2:4]})
        place = {name: i for i, name in enumerate(self.names)}
        self.m, self.ridge = len(self.names), ridge
        self.a, self.b = (np.array([place[v[k]] for v in votes]) for k in (2, 3))
        self.share = np.array([v[4] for v in votes])
        self.prompts = list(dict.fromkeys(v[0] for v in votes))
        self.prompt = np.array([self.prompts.index(v[0]) for v in votes])
        self.sign = np.zeros((len(votes), self.m))
        self.sign[np.arange(len(votes)), self.a] += 1
        self.sign[np.arange(len(votes)), self.b] -= 1
        self.votes = np.abs(self.sign).sum(axis=0)
        self.wins = np.bincount(self.a, self.share, self.m) + np.bincount(self.b, 1 - self.share, self.m)
        self.theta = self.maximum()
        self.covariances()

    def joined(self):
        reach = np.eye(self.m) + np.abs(self.sign).T @ np.abs(self.sign)
        return (np.linalg.matrix_power(reach > 0, self.m) > 0).all()

    def p(self, theta):
        return 1 / (1 + np.exp(-self.sign @ theta))

    def maximum(self):
        score = lambda t: self.sign.T @ (self.share - self.p(t)) - self.ridge * t
        slope = lambda t: -self.information(t)
        theta, start = None, np.zeros(self.m)
        for _ in range(2):
            theta = optimize.root(score, start, jac=slope, tol=1e-14).x
            start = theta - theta.mean()
        return start

    def information(self, theta, ridge=True):
        p = self.p(theta)
        whole = self.sign.T @ (self.sign * (p * (1 - p))[:, None])
        # Without a penalty the level of θ is free: it is held at a mean of 0.
        return whole + (np.eye(self.m) * self.ridge if self.ridge > 0 else np.ones((self.m, self.m)))

    def covariances(self):
        """Of θ less its mean, by information and by the sandwich over prompts."""
        centre = np.eye(self.m) - 1 / self.m
        inverse = np.linalg.inv(self.information(self.theta))
        score = self.sign * (self.share - self.p(self.theta))[:, None]
        by_prompt = np.array([score[self.prompt == g].sum(axis=0) for g in range(len(self.prompts))])
        n = len(self.prompts)
        meat = by_prompt.T @ by_prompt * (n / (n - 1) if n > 1 else 1)
        self.by = [centre @ inverse @ centre, centre @ inverse @ meat @ inverse @ centre]
        self.alone = len(self.share) == n
        self.t = stats.norm.ppf(0.975) if self.alone else stats.t.ppf(0.975, max(n - 1, 1))
        self.several = n > 1
        self.usual = 1.0
        self.usual = np.median([self.spread(self.slope(i)) for i in range(self.m)])

    def se(self, contrast):
        return np.sqrt(max(contrast @ v @ contrast for v in self.by))

    def spread(self, contrast):
        """By how much prompts blow a variance up, at least as much as usual."""
        ratio = (contrast @ self.by[1] @ contrast) / (contrast @ self.by[0] @ contrast) if self.several else 1.0
        return 1.0 if self.alone else max(1.0, ratio, self.usual)

    def slope(self, i):
        p = 1 / (1 + np.exp(self.theta - self.theta[i]))
        slope = -p * (1 - p) / (self.m - 1)
        slope[i] = 0
        slope[i] = -slope.sum()
        return slope

    def likelihood(self, theta):
        d = self.sign @ theta
        return (self.share * d - np.logaddexp(0, d)).sum() - self.ridge / 2 * theta @ theta

    def constrained(self, contrast, level):
        """The maximum where the contrast is at the level, by Newton's method with a multiplier."""
        theta = self.theta + contrast * (level - contrast @ self.theta) / (contrast @ contrast)
        for _ in range(200):
            h = self.information(theta) + (np.ones((self.m, self.m)) if self.ridge > 0 else 0)
            g = self.sign.T @ (self.share - self.p(theta)) - self.ridge * theta
            step = np.linalg.solve(np.block([[h, contrast[:, None]], [contrast[None], np.zeros((1, 1))]]), np.append(g, 0))[:-1]
            size = 1.0
            while np.abs(size * step).max() > 1e-13 and self.likelihood(theta + size * step) < self.likelihood(theta) - 1e-12:
                size /= 2
            theta = theta + size * step
            if np.abs(size * step).max() < 1e-12:
                break
        return theta

    def fall(self, contrast, level):
        return 2 * (self.likelihood(self.theta) - self.likelihood(self.constrained(contrast, level)))

    def value(self, theta, i):
        return (1 / (1 + np.exp(theta - theta[i]))).sum() / (self.m - 1) - 0.5 / (self.m - 1)

    def ends(self, i):
        slope = self.slope(i)
        contrast, critical = slope / slope[i], self.t ** 2 * self.spread(slope)
        at, out = contrast @ self.theta, []
        for side in (-1, 1):
            x = 0.5
            while abs(at + side * x) <= 30 and self.fall(contrast, at + side * x) < critical:
                x *= 1.3
            if abs(at + side * x) > 30 and self.fall(contrast, side * 30) < critical:
                out.append(0.0 if side < 0 else 1.0)
                continue
            x = optimize.brentq(lambda x: self.fall(contrast, at + side * x) - critical, 0, x, xtol=1e-12)
            out.append(self.value(self.constrained(contrast, at + side * x), i))
        return out

    def told(self, i, j):
        """1 where i is told to be better than j."""
        contrast = np.eye(self.m)[i] - np.eye(self.m)[j]
        return self.theta[i] > self.theta[j] and self.fall(contrast, 0) > self.t ** 2 * self.spread(contrast)

    def rows(self):
        unit = np.eye(self.m)
        out = {}
        for i, name in enumerate(self.names):
            low, high = self.ends(i)
            others = [j for j in range(self.m) if j != i]
            out[name] = {"votes": self.votes[i], "won": self.wins[i], "theta": self.theta[i], "se": self.se(unit[i]),
                         "value": self.value(self.theta, i), "low": low, "high": high,
                         "rank from": 1 + sum(self.told(j, i) for j in others),
                         "rank to": self.m - sum(self.told(i, j) for j in others)}
        return out


def hunter(fit):
    """The MM algorithm for the strengths e^θ, without a penalty."""
    gamma = np.ones(fit.m)
    for _ in range(20000):
        new = fit.wins / (np.bincount(fit.a, 1 / (gamma[fit.a] + gamma[fit.b]), fit.m)
                          + np.bincount(fit.b, 1 / (gamma[fit.a] + gamma[fit.b]), fit.m))
        new /= np.exp(np.log(new).mean())
        done = np.abs(new - gamma).max() < 1e-15
        gamma = new
        if done:
            break
    return np.log(gamma)


def compare(what, ours, theirs):
    global worst, compared
    difference = abs(ours - theirs) / max(1.0, abs(ours))
    worst, compared = max(worst, difference), compared + 1
    assert difference <= TOLERANCE, f"{what}: {theirs}, not {ours}"


def check(regret, pool, votes, ridge):
    table = json.loads(call(regret, "pool", "votes", pool, "--ridge", ridge, "--json"))
    told = {}
    for block in table["blocks"]:
        names = [c["name"] for c in block["columns"]]
        told[block["heading"]] = {row[0]: dict(zip(names[1:], row[1:])) for row in block["rows"]}
    groups = {"all": votes, **{tag or "without a tag": [v for v in votes if v[1] == tag] for tag in {v[1] for v in votes}}}
    for name, some in groups.items():
        if not Fit.joined(fit := Fit(some, max(ridge, 0.01))):
            assert not any(h.startswith(name + ":") for h in told), (name, list(told))
            assert any(name in note for note in table["notes"]), (name, table["notes"])
            continue
        if ridge == 0:
            fit = Fit(some, 0)
            assert np.abs(hunter(fit) - fit.theta).max() < 1e-8, name
        few = len(fit.prompts) < 10
        heading = f"{name}: {len(some)} votes on {len(fit.prompts)} prompts" + (", too few" if few else "")
        assert any(note.startswith(f"{name}: {len(fit.prompts)} prompts are too few") for note in table["notes"]) == few, name
        rows = fit.rows()
        assert heading in told and set(told[heading]) == set(rows), (heading, list(told))
        order = [rows[agent]["theta"] for agent in told[heading]]
        assert all(a >= b - 1e-9 for a, b in zip(order, order[1:])), (name, order)
        for agent, row in rows.items():
            for column, value in row.items():
                if column in ("low", "high") and abs(value - told[heading][agent][column]) < 1e-5:
                    continue  # by other searches
                compare(f"ridge {ridge}, {name}, {agent}: {column}", value, told[heading][agent][column])


# ---------------------------------------------------------------- baselines of a run


def drawn_to(centre, ridge, a, b, share):
    """The strengths of the largest likelihood less ridge/2 times the squared distance to the centre."""
    sign = np.zeros((len(a), len(centre)))
    sign[np.arange(len(a)), a], sign[np.arange(len(a)), b] = 1, -1
    p = lambda t: 1 / (1 + np.exp(-sign @ t))
    slope = lambda t: sign.T @ (share - p(t)) - ridge * (t - centre)
    bend = lambda t: -sign.T @ (sign * (p(t) * (1 - p(t)))[:, None]) - ridge * np.eye(len(centre))
    theta = optimize.root(slope, centre, jac=bend, tol=1e-14).x
    return theta - (theta - centre).mean()


def check_run(regret, folder, kind):
    config, run, out = folder / "config.json", folder / "run", folder / "cell"
    config.write_text(json.dumps({
        "pool": str(folder / kind), "seeds": 4, "contexts.hard": 0, "grid.policy": "observed", "features.buckets": 64,
        "proxy.dim": 2, "router.rank": 2, "router.slate": 2, "values.enabled": False, "n_obs": 90, "n_exp": 40,
        "families": ["exp-only"], "sweep": {"beta": [0, 1]}}))
    call(regret, "run", config, "-o", run, "--force", "-q", "--no-report")
    rows = [json.loads(line) for line in (run / "results-1-of-1.jsonl").read_text().splitlines()]
    found = {(r["cell"], r["seed"], r["family"]): r for r in rows}
    differ = 0
    for cell, seed in [(0, 0), (0, 3), (1, 1), (1, 2)]:
        call(regret, "cell", config, "--cell", cell, "--seed", seed, "--export", out, "--force")
        facts = json.loads((out / "cell.json").read_text())
        n, m = len(facts["contexts"]), len(facts["agents"])
        mu = np.genfromtxt(out / "target.csv", delimiter=",", skip_header=1)[:, -1].reshape(n, m)
        seen = np.concatenate([np.loadtxt(out / f"{name}.csv", delimiter=",", skiprows=1, ndmin=2) for name in ("obs", "exp")])
        x, a, share = seen[:, 2].astype(int), seen[:, 3].astype(int), seen[:, 5]
        pair = np.array([np.flatnonzero(~np.isnan(row)) for row in mu])
        b = pair[x].sum(axis=1) - a
        never = np.bincount(np.concatenate([a, b]), minlength=m) == 0
        tag = np.array(facts["context_tags"], dtype=float)  # NaN: none
        kind_of = np.where(np.isnan(tag), -1, tag)
        everything = drawn_to(np.zeros(m), 0.01, a, b, share)
        everything[never] = 0
        for name in ("best-bt", "best-by-tag-bt"):
            choice = []
            for held_out in facts["test"]:
                mine = kind_of[x] == kind_of[held_out]
                theta = everything if name == "best-bt" else drawn_to(everything, 1, a[mine], b[mine], share[mine])
                theta = np.where(never, -np.inf, theta)
                choice.append(max(pair[held_out], key=lambda k: (round(theta[k], 7), -k)))
            loss = mu[facts["test"], :]
            loss = np.nanmax(loss, axis=1) - loss[np.arange(len(choice)), choice]
            assert found[cell, seed, name]["choice"] == choice, (cell, seed, name, choice)
            compare(f"{cell}, {seed}: {name}", loss.mean(), found[cell, seed, name]["regret"])
        differ += found[cell, seed, "best-bt"]["choice"] != found[cell, seed, "best-by-tag-bt"]["choice"]
    assert differ > 0, "by tag nothing else is ever chosen"


def check_told(regret, folder):
    """Values of means, and policy_dr of one agent for all, of an arena in which the strong meet the strong."""
    rng = np.random.default_rng(11)
    theta = np.linspace(1.5, -1.5, 6)
    votes = []
    for i in range(900):
        a = rng.choice(6)
        b = rng.choice(6, p=(w := np.where(np.arange(6) == a, 0, np.exp(-2 * np.abs(theta - theta[a])))) / w.sum())
        votes.append((f"q{i}", "", f"m{a}", f"m{b}", float(rng.random() < 1 / (1 + np.exp(theta[b] - theta[a])))))
    write(folder / "told.csv", votes, rng)
    call(regret, "import", "csv", folder / "told.csv", "--map", folder / "map.json", "-o", folder / "told", "--force")
    (folder / "told.json").write_text(json.dumps({
        "pool": str(folder / "told"), "seeds": 10, "contexts.hard": 0, "grid.policy": "observed", "features.buckets": 64, "proxy.dim": 2,
        "router.rank": 2, "router.slate": 2, "values.enabled": False, "n_obs": 900, "n_exp": 300, "families": ["exp-only"]}))
    call(regret, "run", folder / "told.json", "-o", folder / "told-run", "--force", "-q", "--no-report")
    fit = Fit(votes, 0.01)
    rows = fit.rows()
    item = json.loads((folder / "told-run" / "run.json").read_text())["means"]["items"][0]
    for k, agent in enumerate(fit.names):
        assert abs(item["mean"][k] - rows[agent]["value"]) < 1e-6, (agent, item["mean"][k], rows[agent])
    assert abs(item["lead"][0] - (rows["m0"]["value"] - rows["m1"]["value"])) < 2e-6, item
    # The policy's value: m0's votes on held-out prompts, each as if against another agent drawn uniformly.
    place = {f"q{i}": v for i, v in enumerate(votes)}
    facts = json.loads((folder / "told-run" / "run.json").read_text())["grids"][0]
    for line in (folder / "told-run" / "results-1-of-1.jsonl").read_text().splitlines():
        row = json.loads(line)
        if row["family"] != "best-bt" or set(row["choice_all"]) != {0}:
            continue
        oracle = next(r for r in map(json.loads, (folder / "told-run" / "results-1-of-1.jsonl").read_text().splitlines())
                      if r["family"] == "oracle" and r["seed"] == row["seed"])
        seen = []
        for x in oracle["context"]:
            _, _, a, b, share = place[facts["contexts"][x]]
            if "m0" in (a, b):
                other = int((b if a == "m0" else a)[1:])
                seen.append((share if a == "m0" else 1 - share) - 1 / (1 + np.exp(fit.theta[other] - fit.theta[0])) + rows["m0"]["value"])
        compare(f"seed {row['seed']}: policy_ips", np.mean(seen), row["policy_ips"])
        compare(f"seed {row['seed']}: policy_dr", np.mean(seen), row["policy_dr"])
    won = rows["m0"]["won"] / rows["m0"]["votes"]
    assert rows["m0"]["value"] - won > 0.08, "who meets the strong wins less than the value says"


def check_best(regret, folder):
    """Who is best, by how much it wins of the others, as planted; votes have no model of new requests."""
    rng = np.random.default_rng(7)
    theta = np.array([1.4, 0.3, 0.2, 0.0, -0.1, -0.3, -0.6, -0.9])
    agents = [f"m{k}" for k in range(len(theta))]
    votes = []
    for i in range(1600):
        a, b = rng.choice(len(theta), 2, replace=False)
        votes.append((f"q{i}", "", agents[a], agents[b], float(rng.random() < 1 / (1 + np.exp(theta[b] - theta[a])))))
    write(folder / "new.csv", votes, rng)
    call(regret, "import", "csv", folder / "new.csv", "--map", folder / "map.json", "-o", folder / "new", "--force")
    said = json.loads(call(regret, "recommend", folder / "new", "--json", "-q"))
    planted = np.mean(1 / (1 + np.exp(theta[1:] - theta[0])))
    first = next(a for a in said["all"]["agents"] if a["agent"] == "m0")
    assert said["verdict"] == "one-agent" and said["all"]["best"] == "m0" and abs(first["mean"] - planted) < 0.06, (said, planted)
    (folder / "ask.csv").write_text("id,prompt\nr1,a question\n")
    call(regret, "recommend", folder / "new", "--new", folder / "ask.csv", refused=["no model of new requests"])


def check_apart(regret, folder):
    """Agents in parts are refused before a run, and those in no order are told of."""
    config = {"seeds": 2, "contexts.hard": 0, "grid.policy": "observed", "features.buckets": 64, "proxy.dim": 2, "router.rank": 2,
              "router.slate": 2, "values.enabled": False, "n_obs": 90, "n_exp": 40, "families": ["exp-only"]}
    for kind, pairs in {"split": [("m0", "m1"), ("m2", "m3")], "roofs": [("m0", "m2"), ("m1", "m2"), ("m0", "m2"), ("m1", "m3")]}.items():
        votes = [(f"q{i}", "", *pairs[i % len(pairs)], 1.0) for i in range(60)]
        write(folder / f"{kind}.csv", votes, np.random.default_rng(1))
        call(regret, "import", "csv", folder / f"{kind}.csv", "--map", folder / "map.json", "-o", folder / kind, "--force")
        file = folder / f"{kind}.json"
        file.write_text(json.dumps({"pool": str(folder / kind), **config}))
        for command in (["run", file, "-o", folder / f"{kind}-run", "--dry-run", "--force"], ["cost", file],
                        ["run", file, "-o", folder / f"{kind}-run", "--force", "--no-report"]):
            done = subprocess.run([regret, *map(str, command)], capture_output=True, text=True)
            if kind == "split":
                assert done.returncode == 2 and "{m0, m1}, {m2, m3}" in done.stderr and "pool select" in done.stderr, done
            else:
                assert done.returncode == 0 and "3 of 6 pairs of agents are in no order by votes, as m0 and m1" in done.stderr, done


def main(regret, folder):
    folder = pathlib.Path(folder).resolve()
    (folder / "map.json").write_text(json.dumps({
        "name": "arena", "synthetic": True, "columns": {"context": "id", "text": "prompt", "tag": "language"},
        "votes": {"model_a": "model_a", "model_b": "model_b", "winner": "winner", "shown_first": "unknown"}}))
    ridges = {"extremes": [0.01, 1], "plain": [0.01, 0.3, 0], "tiny": [0.01]}
    for kind, of in ridges.items():
        votes = made(kind)
        write(folder / f"{kind}.csv", votes, np.random.default_rng(1))
        call(regret, "import", "csv", folder / f"{kind}.csv", "--map", folder / "map.json", "-o", folder / kind, "--force")
        for ridge in of:
            check(regret, folder / kind, votes, ridge)
    check_run(regret, folder, "extremes")
    check_best(regret, folder)
    check_told(regret, folder)
    # A model that won every vote has no strength without a penalty; parts that no vote joins have none at all.
    call(regret, "pool", "votes", folder / "extremes", "--ridge", 0, refused=["no finite strength", "ridge"])
    write(folder / "parts.csv", [("q0", "", "m1", "m2", 1.0), ("q1", "", "m3", "m4", 0.5)], np.random.default_rng(1))
    call(regret, "import", "csv", folder / "parts.csv", "--map", folder / "map.json", "-o", folder / "parts", "--force")
    call(regret, "pool", "votes", folder / "parts", refused=["m1", "m3"])
    check_apart(regret, folder)
    print(f"{compared} numbers of {sum(map(len, ridges.values()))} fits, largest difference {worst:.1e}")


main(*sys.argv[1:])
