#!/usr/bin/env python3
"""Recomputes curves of value against cost, and what says that predictions leak, with NumPy.

Usage: check_costs.py REGRET PROJECT FOLDER

Runs small configurations with costs.enabled, of a pool of many agents with a file of predictions, and of one of two agents, whose costs
have more digits than lists; exports each of their replicates, and compares
the lists of the rows (prices, budget, values of agents, leak), the areas and errors of the table `costs` and what
`cell --splits` prints with what the export says. Policies are written down here again; the price within a budget is
found among all prices at which a choice turns, and a hull by trying every pair of points. Exit code 77 where NumPy
is missing.
"""

import csv
import io
import json
import math
import pathlib
import shutil
import subprocess
import sys

try:
    import numpy as np
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)
try:
    from scipy.stats import chi2
except ImportError:
    chi2 = None

PRICES = np.array([0.0] + [10 ** ((i - 16) / 5) for i in range(1, 27)] + [math.inf])
BUDGET, SEEDS = 1.2, 4
SIX_DIGITS = 1e-5  # what lists cannot tell apart
failures = []


def close(got, wanted, what, digits=1.1e-5):
    got, wanted = np.asarray(got, float), np.asarray(wanted, float)
    same = np.isnan(got) & ~np.isfinite(wanted) | (np.abs(got - wanted) <= digits * (1e-12 + np.abs(wanted)) + 1e-12)
    if got.shape != wanted.shape or not same.all():
        failures.append(f"{what}: {got} is not {wanted}")


def choices(f, cost, price):
    """The largest f − p c̃, of equals the cheaper, then the first; NaN is not to be had."""
    scaled = (cost - cost.min()) / (cost.max() - cost.min())
    out = []
    for row in f:
        there = np.flatnonzero(~np.isnan(row))
        key = ((cost[there], -row[there]) if math.isinf(price)
               else (-np.round(row[there] - price * scaled[there], 12), cost[there]))
        out.append(there[np.lexsort((there, key[1], key[0]))[0]])
    return np.array(out)


def policy(f, mu, cost, price):
    a = choices(f, cost, price)
    return mu[np.arange(len(mu)), a].mean(), cost[a].mean()


def price_within(f, cost, budget):
    scaled = (cost - cost.min()) / (cost.max() - cost.min())
    with np.errstate(divide="ignore", invalid="ignore"):
        turns = (f[:, :, None] - f[:, None, :]) / (scaled[:, None] - scaled[None, :])
    turns = np.unique(np.concatenate([[0.0], turns[np.isfinite(turns) & (turns > 0)]]))
    low, high = 0, len(turns) - 1
    while low < high:  # cost never rises with the price
        middle = (low + high) // 2
        if cost[choices(f, cost, turns[middle] * (1 + 1e-9))].mean() <= budget + 1e-12:
            high = middle
        else:
            low = middle + 1
    return turns[low]


def hull_at(points, c):
    """What drawing between two of the points gets for at most c; NaN where all cost more."""
    best = max((v for x, v in points if x <= c), default=math.nan)
    for x, v in points:
        for y, w in points:
            if x <= c < y:
                best = max(best, v + (c - x) / (y - x) * (w - v))
    return best


def area(points, low, high):
    knots = sorted({low, high} | {x for x, _ in points if low < x < high})
    at = [hull_at(points, c) for c in knots]
    return sum((b + a) / 2 * (y - x) for a, b, x, y in zip(at, at[1:], knots, knots[1:])) / (high - low)


def leak(error, train, held):
    """Protocol §7, one kind of contexts."""
    known = ~np.isnan(error).any(axis=1)
    both = [x for x in list(train) + list(held) if known[x]]
    covariance = np.cov(error[held].T, ddof=1)
    trace = np.trace(covariance)
    df = trace ** 2 / np.trace(covariance @ covariance)
    q = (error[both].sum(axis=0) ** 2).sum()
    return [chi2.cdf(df * q / (len(held) * trace), df) if chi2 else math.nan,
            (error[train] ** 2).mean(), (error[held] ** 2).mean()]


def read_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


class Replicate:
    """An exported one."""

    def __init__(self, folder, tags):
        self.cell = json.loads((folder / "cell.json").read_text())
        self.agents, self.contexts = len(self.cell["agents"]), len(self.cell["contexts"])
        self.train, self.test = self.cell["train"], self.cell["test"]
        shape = (self.contexts, self.agents)
        self.mu = np.array([float(r[2]) for r in read_csv(folder / "target.csv")[1]]).reshape(shape)
        head, rows = read_csv(folder / "predictions.csv")
        numbers = np.array([[float(x) if x else math.nan for x in r] for r in rows])
        self.f = {name: numbers[:, i].reshape(shape) for i, name in enumerate(head) if i > 0}
        self.f["oracle"] = self.mu
        for name in ("exp", "obs"):
            rows = read_csv(folder / f"{name}.csv")[1]
            context, agent = (np.array([int(r[i]) for r in rows]) for i in (2, 3))
            y = np.array([float(r[5]) for r in rows])
            tag = np.array([tags[x] if tags else "" for x in self.cell["contexts"]])

            def means(chosen, agent=agent, y=y):
                return [y[chosen & (agent == a)].mean() if (chosen & (agent == a)).any() else math.nan
                        for a in range(self.agents)]
            everywhere = np.array(means(np.full(len(y), True)))
            self.f[f"best-{name}"] = np.tile(everywhere, (self.contexts, 1))
            if tags:  # an agent without rows of a tag stands behind those that have any, by its mean of all
                of = {t: np.array(means(tag[context] == t)) for t in sorted(set(tag))}
                self.f[f"best-by-tag-{name}"] = np.array(
                    [everywhere if np.isnan(of[t]).all() else np.where(np.isnan(of[t]), everywhere - 2, of[t]) for t in tag])


def write_predictions(path, pool):
    """Something of every pair of the pool, by a rule that has seen no score."""
    contexts = [json.loads(line)["id"] for line in open(pool / "contexts.jsonl", encoding="utf-8")]
    agents = [a["id"] for a in json.loads((pool / "pool.json").read_text())["agents"]]
    with open(path, "w", encoding="utf-8") as file:
        file.write("context,agent,prediction\n")
        for i, x in enumerate(contexts):
            for j, a in enumerate(agents):
                file.write(f"{x},{a},{0.5 + 0.4 * math.sin(1.0 + 7 * i + 3 * j):.6f}\n")


def copy_with_tags(path, pool):
    """The pool, its contexts of three tags in turn; returns the tag of each."""
    shutil.copytree(pool, path, dirs_exist_ok=True)
    contexts = [json.loads(line) for line in open(pool / "contexts.jsonl", encoding="utf-8")]
    for i, context in enumerate(contexts):
        context["tag"] = "abc"[i % 3]
    (path / "contexts.jsonl").write_text("".join(json.dumps(c, ensure_ascii=False) + "\n" for c in contexts),
                                         encoding="utf-8")
    head = json.loads((pool / "pool.json").read_text(encoding="utf-8"))
    head.pop("digests", None)  # of the files as they were
    (path / "pool.json").write_text(json.dumps(head), encoding="utf-8")
    return {c["id"]: c["tag"] for c in contexts}


def check_row(row, r, cost):
    name = row["family"]
    test, train, f = r.test, r.train, r.f[name]
    made = np.array([policy(f[test], r.mu[test], cost, p) for p in PRICES])
    close(row["price_value"], made[:, 0], f"{name}: values by price")
    close(row["price_cost"], made[:, 1], f"{name}: costs by price")
    price = price_within(f[train], cost, BUDGET)
    got = [math.nan if x is None else x for x in row["budget"]]
    close(got, [price, *policy(f[test], r.mu[test], cost, price * (1 + 1e-9))], f"{name}: within the budget")
    if name == "theirs":
        wanted = leak(r.mu - f, train, test)
        close(row["leak"][0 if chi2 else 1:], wanted[0 if chi2 else 1:], "leak", 1e-4)


def mean_points(rows, name, seeds, cost):
    chosen = [rows[s][name] for s in seeds]
    values = np.mean([r["price_value"] for r in chosen], axis=0)
    costs = np.mean([r["price_cost"] for r in chosen], axis=0)
    for end in (cost.min(), cost.max()):
        costs = np.where(np.abs(costs - end) <= SIX_DIGITS * end, end, costs)
    return list(zip(costs, values))


def dear_share(points, agents, cost, part):
    """The least share at which the hull gains a part of what the dearer agent is worth more: by bisection."""
    cheap = int(np.argmin(cost))
    wanted = agents[cheap] + part * (agents[1 - cheap] - agents[cheap])
    low, high = cost.min(), cost.max()
    if agents[1 - cheap] <= agents[cheap] or hull_at(points, high) < wanted:
        return math.nan
    if hull_at(points, low) >= wanted:
        return 0.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (low, middle) if hull_at(points, middle) >= wanted else (middle, high)
    return (high - cost.min()) / (cost.max() - cost.min())


def jackknife(statistic, seeds):
    left = np.array([statistic([s for s in seeds if s != k]) for k in seeds])
    return math.sqrt((len(seeds) - 1) / len(seeds) * ((left - left.mean()) ** 2).sum())


def number(text):
    return float(text) if text else math.nan


def check_table(text, rows, cost):
    table = {(r["row"], r["column"]): r for r in csv.DictReader(io.StringIO(text)) if r["block"] == "policies"}
    seeds, low, high = sorted(rows), cost.min(), cost.max()

    def of_agents(chosen):
        values = np.mean([rows[s]["oracle"]["agent_value"] for s in chosen], axis=0)
        return area(list(zip(cost, values)), low, high)

    for name in rows[0]:
        def of_curve(chosen, name=name):
            return area(mean_points(rows, name, chosen, cost), low, high)

        def gain(chosen, of_curve=of_curve):
            return of_curve(chosen) - of_agents(chosen)
        for column, statistic in (("Area ± SE", of_curve), ("Over single agents ± SE", gain)):
            cell = table[name, column]
            close([number(cell["value"]), number(cell["se"])], [statistic(seeds), jackknife(statistic, seeds)],
                  f"{name}: {column}", 1e-9)
        if len(cost) == 2:
            agents = np.mean([rows[s]["oracle"]["agent_value"] for s in seeds], axis=0)
            for part in (0.5, 0.8):
                told = table[name, f"Dear share for {100 * part:.0f} %"]["value"]
                close(float(told or math.nan), dear_share(mean_points(rows, name, seeds, cost), agents, cost, part),
                      f"{name}: dear share for {part}", 1e-9)
        budget = [rows[s][name]["budget"] for s in seeds]
        close(float(table[name, "Value within the budget ± SE"]["value"]), np.mean([b[1] for b in budget]),
              f"{name}: table, budget", 1e-9)
    cell = table["single agents", "Area ± SE"]
    close([float(cell["value"]), float(cell["se"])], [of_agents(seeds), jackknife(of_agents, seeds)], "agents' area",
          1e-9)


def check_splits(splits, r, seed):
    group = next(g for g in splits["groups"] if 0 in g["cells"])
    split = next(s for s in group["splits"] if s["seed"] == seed)
    ids = r.cell["contexts"]
    if group["contexts"] != ids or split["fold"] != 0 or split["test"] != [ids[x] for x in r.test]:
        failures.append(f"seed {seed}: splits are not those of the export")
    if set(split["test"]) & {ids[x] for x in r.train}:
        failures.append(f"seed {seed}: a training context is held out")


def make_two(folder):
    """Easy requests, for which two agents are alike, and hard ones, for which the dearer is better."""
    rng = np.random.default_rng(0)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pool.json").write_text(json.dumps({
        "format": "regret-pool-1", "name": "two", "title": "two", "version": "1", "licence": "none", "source": "made",
        "synthetic": True, "components": [{"name": n, "low": 0, "high": 1} for n in ("q", "r")],
        "agents": [{"id": n, "title": n, "cost": c} for n, c in (("dear", 3.1415926535), ("cheap", 0.1234567891))]}))
    with open(folder / "contexts.jsonl", "w") as contexts, open(folder / "outputs.jsonl", "w") as outputs:
        for x in range(60):
            hard = int(rng.integers(2))
            contexts.write(json.dumps({"id": f"p{x}", "text": ["easy", "hard"][hard]}) + "\n")
            for agent in ("dear", "cheap"):
                q = float(np.clip(0.5 + hard * (0.3 if agent == "dear" else -0.2) + rng.normal(0, 0.1), 0, 1))
                outputs.write(json.dumps({"context": f"p{x}", "agent": agent, "draw": 0, "text": agent,
                                          "components": {"q": q, "r": q}}) + "\n")


def check_run(regret, folder, tags, config):
    path = folder / f"{config['title']}.json"
    path.write_text(json.dumps(config))

    def call(*arguments):
        return subprocess.run([regret, *map(str, arguments)], check=True, capture_output=True, text=True).stdout

    call("run", path, "-o", folder / "run", "--force", "-q", "--no-report")
    cost = np.array(json.loads((folder / "run/run.json").read_text())["grids"][0]["costs"])
    rows = {}
    for line in open(folder / "run/results-1-of-1.jsonl", encoding="utf-8"):
        row = json.loads(line)
        if "price_value" in row:
            rows.setdefault(row["seed"], {})[row["family"]] = row
    splits = json.loads(call("cell", path, "--splits"))
    for seed in range(SEEDS):
        call("cell", path, "--seed", seed, "--export", folder / "cell", "--force")
        r = Replicate(folder / "cell", tags)
        if set(rows[seed]) != set(r.f) - {"pair"}:
            failures.append(f"rows of {sorted(rows[seed])}, not {sorted(r.f)}")
        for row in rows[seed].values():
            check_row(row, r, cost)
        close(rows[seed]["oracle"]["agent_value"], r.mu[r.test].mean(axis=0), "values of agents")
        check_splits(splits, r, seed)
    check_table(call("report", folder / "run", "--table", "costs", "--format", "csv"), rows, cost)
    return len(rows[0])


def main():
    regret, project, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    pool = folder / "pool"
    tags = copy_with_tags(pool, project / "data/pools/newswire")
    write_predictions(folder / "theirs.csv", pool)
    make_two(folder / "two")
    shared = {"seeds": SEEDS, "n_exp": 90, "values.enabled": False, "costs.enabled": True, "costs.budget": BUDGET}
    curves = check_run(regret, folder, tags, {
        **shared, "title": "many", "pool": str(pool), "contexts.hard": 40, "n_obs": 300, "features.buckets": 512,
        "families": ["exp-only", "obs-only", "cvci", {"name": "theirs", "predictions": "theirs.csv"}]})
    curves += check_run(regret, folder, None, {
        **shared, "title": "two", "pool": "two", "contexts.hard": 0, "n_obs": 200, "features.buckets": 64, "router.slate": 2,
        "features.agent": 3, "features.agent_words": 5, "families": ["exp-only", "obs-only"]})
    print("\n".join(failures) or f"{curves} curves of {SEEDS} replicates each: all equal")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
