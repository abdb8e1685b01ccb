#!/usr/bin/env python3
"""A run with one judge in OBS and another in EXP, recomputed with NumPy from the pool and the rows that were drawn.

Usage: check_judges.py REGRET FOLDER

Outcomes of either table and the target must be the means of the components that obs.outcome and exp.outcome name; the regret of
best-ppi that of the agent of the largest prediction-powered mean (docs/protocol.md, section 7), by arrays of labels and
judgements, not by sums; so are those of the table means, by agent and tag, and the means
of the pool and the regrets by tag of their tables. Krippendorff's alpha of the pool's raters is counted pair by pair. Exit code 77 without NumPy or SciPy.
"""

import csv
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

RATERS, CONTEXTS, AGENTS = ("cheap", "anna", "ben"), 24, 6


def call(regret, *arguments):
    done = subprocess.run([regret, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def table(path):
    with open(path, newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


def tag_of(x):
    return "odd" if x % 3 == 1 else "other"


def make_pool(regret, folder):
    rng = np.random.default_rng(7)
    quality = rng.normal(size=(CONTEXTS, 1)) * 0.3 + rng.normal(size=AGENTS) * 0.4 + rng.normal(size=(CONTEXTS, AGENTS)) * 0.5
    scores = {"cheap": 2.5 + 0.6 * quality + rng.normal(size=quality.shape), "anna": 3 + quality, "ben": 3.2 + 0.9 * quality}
    scores = {k: np.clip(np.round(v + rng.normal(size=v.shape) * 0.2), 1, 5) for k, v in scores.items()}
    with open(folder / "table.csv", "w", encoding="utf-8") as f:
        print("context,text,tag,agent,output", *RATERS, sep=",", file=f)
        for x in range(CONTEXTS):
            for a in range(AGENTS):
                print(f"c{x:02},request {x % 5},{tag_of(x)},m{a},answer {x * a % 7} of {a}", *(scores[r][x, a] for r in RATERS), sep=",", file=f)
    table_map = {"name": "judges", "synthetic": True,
                 "columns": {"context": "context", "text": "text", "tag": "tag", "agent": "agent", "output": "output"},
                 "components": [{"name": r, "low": 1, "high": 5} for r in RATERS]}
    (folder / "map.json").write_text(json.dumps(table_map))
    call(regret, "import", "csv", folder / "table.csv", "--map", folder / "map.json", "-o", folder / "pool", "--force")
    return {r: (scores[r] - 1) / 4 for r in RATERS}


def check_alpha(regret, folder, scores):
    said = json.loads(call(regret, "pool", "agreement", folder / "pool", "--json"))
    block = said["blocks"][0]["rows"]
    alpha = {row[0]: row[1] for row in block}["alpha interval"]
    units = np.stack([scores[r].ravel() for r in RATERS], axis=1)
    m = units.shape[1]
    within = np.mean([(u[i] - u[j]) ** 2 for u in units for i in range(m) for j in range(m) if i != j])
    pooled = units.ravel()
    difference = (pooled[:, None] - pooled[None, :]) ** 2
    by_chance = difference.sum() / (pooled.size * (pooled.size - 1))
    assert abs(alpha - (1 - within / by_chance)) < 1e-9, (alpha, 1 - within / by_chance)


def ppi_weight(y, f, others):
    if len(y) < 2 or len(others) == 0 or np.var(f) < 1e-14:
        return 0.0
    slope = np.cov(y, f)[0, 1] / np.var(f, ddof=1)
    return np.clip(slope / (1 + len(y) / len(others)), 0, 1)


def ppi(y, f, others):
    """The mean of labels y, with judgements f of the same things and those of others."""
    if len(y) == 0:
        return -np.inf
    weight = ppi_weight(y, f, others)
    return (weight * others.mean() if weight > 0 else 0) + (y - weight * f).mean()


def half(variance, n):
    return stats.t.ppf(0.975, n - 1) * np.sqrt(variance) if n > 1 else np.nan


def check_labelled(facts, item, exp, cheap):
    """What one EXP says of the means, and with the judge's scores of the rest: every list of run.json, by agent and tag."""
    n, m = cheap.shape
    tags = np.array([tag_of(int(c[1:])) for c in facts["contexts"]])
    groups = [np.ones(n, bool)] + [tags == t for t in item["tags"]]
    names = ("labels", "label_mean", "label_half", "ppi_mean", "ppi_half", "ppi_lambda")
    known = 0
    for g, a in ((g, a) for g in range(len(groups)) for a in range(m)):
        rows = [(x, y) for x, k, y in exp if k == a and groups[g][x]]
        y, f = np.array([y for _, y in rows]), np.array([cheap[x, a] for x, _ in rows])
        others = np.array([cheap[x, a] for x in range(n) if groups[g][x] and all(x != r or k != a for r, k, _ in exp)])
        wanted = [len(y)] + [np.nan] * 5
        if len(y) > 0:
            weight = ppi_weight(y, f, others)
            ddof = dict(ddof=1) if len(y) > 1 else {}
            spread = np.var(y - weight * f, **ddof) / len(y) + (weight**2 * np.var(others, ddof=1) / len(others) if weight > 0 else 0)
            wanted = [len(y), y.mean(), half(np.var(y, **ddof) / len(y), len(y)), ppi(y, f, others), half(spread, len(y)), weight]
            if len(y) < 8 and weight > 0:
                wanted[4] = np.nan  # so few labels do not say how well the judge does
            known += weight > 0
        for name, value in zip(names, wanted):
            got = item[name][g * m + a]
            assert (got is None) == bool(np.isnan(value)), (name, g, a, got, value)
            assert got is None or abs(got - value) <= 6e-6 * max(1, abs(value)), (name, g, a, got, value)
    return known


def long_table(regret, run, name):
    """{(block, row, column): (value, se, text)} of a table."""
    records = csv.DictReader(call(regret, "report", run, "--table", name, "--format", "csv").splitlines())
    return {(r["block"], r["row"], r["column"]): (float(r["value"] or "nan"), float(r["se"] or "nan"), r["text"]) for r in records}


def near(what, got, wanted, tolerance=2e-6):
    assert (np.isnan(got) and np.isnan(wanted)) or abs(got - wanted) <= tolerance, (what, got, wanted)


def check_means(regret, run, facts, item, mu):
    """The means of the pool by agent and tag, who leads, and Holm's p of the table."""
    tags = np.array([tag_of(int(c[1:])) for c in facts["contexts"]])
    rows, m, p = ["all", *item["tags"]], mu.shape[1], {}
    shown = long_table(regret, run, "means")
    for g, row in enumerate(rows):
        there = mu[np.ones(len(mu), bool) if g == 0 else tags == row]
        mean = there.mean(0)
        first, second = np.argsort(-np.round(mean, 12), kind="stable")[:2]
        lead = there[:, first] - there[:, second]
        assert (item["first"][g], item["second"][g], item["pairs"][g], item["contexts"][g]) == (first, second, len(lead), len(lead))
        near(("lead", row), item["lead"][g], lead.mean())
        near(("lead's deviation", row), item["lead_sd"][g], lead.std(ddof=1))
        for a in range(m):
            assert item["n"][g * m + a] == len(there)
            near(("mean", row, a), item["mean"][g * m + a], mean[a])
            near(("deviation", row, a), item["sd"][g * m + a], there[:, a].std(ddof=1))
        for column, who in (("Best", first), ("Second", second)):
            assert shown["who is best", row, column][2] == facts["agents"][who], (row, column)
        near(("shown", row), shown["who is best", row, "Lead"][0], lead.mean())
        if len(lead) >= 10:
            p[row] = item["lead_p"][g]
    worst = 0
    for k, row in enumerate(sorted(p, key=p.get)):
        worst = max(worst, min(1, (len(p) - k) * p[row]))
        near(("p", row), shown["who is best", row, "p"][0], worst)
        assert shown["who is best", row, "Best is"][2] == ("separable" if worst <= 0.05 else "not separable"), row
    assert all(shown["who is best", row, "Best is"][2] == "too few contexts" for row in set(rows) - set(p))


def check_tags(regret, run, rows, grid):
    """Regret by tag: the mean over cells of means over the contexts held out, its error over seeds, and paired differences."""
    context = {(r["cell"], r["seed"]): r["context"] for r in rows if r["family"] == "oracle"}
    tags, seeds, cells = sorted({*grid["tags"]}), sorted({s for _, s in context}), sorted({c for c, _ in context})
    loss = {(r["family"], r["cell"], r["seed"]): np.array(r["loss"]) for r in rows if r.get("loss")}
    shown = long_table(regret, run, "tags")

    def by_seed(name, tag):
        at = {place: np.array([grid["tags"][x] == tag for x in held]) for place, held in context.items()}
        y = [np.mean([loss[name, c, s][at[c, s]].mean() for c in cells]) if all(at[c, s].any() for c in cells) else np.nan for s in seeds]
        return np.array(y)

    looked = 0
    for tag in tags:
        row = f"{tag} ({grid['tags'].count(tag)})"
        for (block, of, name), (value, se, _) in shown.items():
            if of != row:
                continue
            over = block.removeprefix("less the regret of ")
            y = by_seed(name, tag) - (by_seed(over, tag) if over != block else 0)
            y = y[np.isfinite(y)]
            error = y.std(ddof=1) / np.sqrt(len(y))
            near((block, row, name), value, y.mean())
            near((block, row, name), se, error * (stats.t.ppf(0.975, len(y) - 1) if over != block else 1), 1e-5)
            looked += 1
    assert looked > 10, looked


def main():
    regret, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    scores = make_pool(regret, folder)
    check_alpha(regret, folder, scores)
    config = {"pool": "pool", "seeds": 4, "families": ["exp-only"], "n_obs": 300, "outcome.law": "none",
              "obs.outcome": "cheap", "exp.outcome": "anna,ben", "proxy.dim": 2, "router.rank": 2, "features.buckets": 64,
              "sweep": {"n_exp": [12, 80]}}
    (folder / "config.json").write_text(json.dumps(config))
    subprocess.run(["rm", "-rf", folder / "run"], check=True)
    call(regret, "run", folder / "config.json", "-o", folder / "run", "--quiet")
    rows = [json.loads(line) for line in (folder / "run/results-1-of-1.jsonl").read_text().splitlines()]
    check_tags(regret, folder / "run", rows, json.loads((folder / "run/run.json").read_text())["grids"][0])
    found = {(r["cell"], r["seed"], r["family"]): r["regret"] for r in rows if r["kind"] == "baseline"}
    truth = (scores["anna"] + scores["ben"]) / 2
    differ = known = 0
    for cell, seed in ((c, s) for c in range(2) for s in range(4)):
        out = folder / f"cell-{cell}-{seed}"
        subprocess.run(["rm", "-rf", out], check=True)
        call(regret, "cell", folder / "config.json", "--cell", cell, "--seed", seed, "--export", out)
        facts = json.loads((out / "cell.json").read_text())
        order = np.ix_([int(x[1:]) for x in facts["contexts"]], [int(a[1:]) for a in facts["agents"]])
        mu, cheap = truth[order], scores["cheap"][order]
        for row in table(out / "target.csv"):
            assert abs(float(row["mu"]) - mu[int(row["context"]), int(row["agent"])]) < 1e-12
        drawn = {}
        for name in ("obs", "exp"):
            rows = [(int(r["context"]), int(r["agent"]), int(r["segment"]), float(r["y"])) for r in table(out / f"{name}.csv")]
            for x, a, u, y in rows:
                anna, ben = scores["anna"][order][x, a], scores["ben"][order][x, a]
                share = {"anna": 0.55 / 0.775, "ben": 0.225 / 0.775}.get(facts["segments"][u], 0.5)  # .55 of one's own
                wanted = cheap[x, a] if name == "obs" else share * anna + (1 - share) * ben
                assert abs(y - wanted) < 1e-12, (name, x, a, u)
            drawn[name] = [(x, a, y) for x, a, _, y in rows]
        means = [ppi(np.array([y for x, a, y in drawn["exp"] if a == k]), np.array([cheap[x, a] for x, a, _ in drawn["exp"] if a == k]),
                     np.array([y for _, a, y in drawn["obs"] if a == k])) for k in range(AGENTS)]
        if seed == 0:
            item = json.loads((folder / "run/run.json").read_text())["means"]["items"]
            assert len(item) == 1, "cells of one reward share their means, and the labels of the first"
            known += check_labelled(facts, item[0], drawn["exp"], cheap) if cell == 0 else 0
            check_means(regret, folder / "run", facts, item[0], mu)
        test = facts["test"]
        wanted = np.mean(mu[test].max(axis=1) - mu[test, int(np.argmax(means))])
        assert abs(found[cell, seed, "best-ppi"] - wanted) < 1e-9, (cell, seed, wanted)
        differ += found[cell, seed, "best-ppi"] != found[cell, seed, "best-exp"]
    assert known > 0, "no label has a judge with it"
    said = call(regret, "report", folder / "run", "--table", "means")
    assert "by the labels of one EXP" in said and "PPI mean" in said, said
    assert differ > 0, "best-ppi is never another agent than best-exp"
    print("outcomes, targets, prediction-powered means and alpha are NumPy's")


main()
