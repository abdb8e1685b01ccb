#!/usr/bin/env python3
"""Recomputes with NumPy the baselines by tag and the table of means, of a table of one's own.

Usage: check_by_tag.py REGRET FOLDER

Makes a table of prompts by models in which another model is best for each category, one category is rare, one prompt
has none, and some answers are missing; imports and runs it, and exports replicates. Compared are the choices and regrets
of best-exp, best-obs, best-by-tag-exp and best-by-tag-obs with the means of exp.csv and obs.csv, and every number of the
table means with target.csv: means, intervals and paired t tests by SciPy, Holm's adjustment written down here.
Exit code 77 where NumPy or SciPy is missing.
"""

import csv
import io
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

MODELS = ["alpha", "beta", "gamma", "delta"]
TAGS = ["code"] * 40 + ["chat"] * 35 + ["rare"] * 4 + [""] * 1
PLANTED = {"code": 1, "chat": 2, "rare": 0, "": 3}
compared = 0


def regret_program(program, *arguments):
    return subprocess.run([program, *map(str, arguments)], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout


def make_table(folder):
    rng = np.random.default_rng(7)
    with open(folder / "scores.csv", "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["id", "prompt", "category", "model", "answer", "score"])
        for x, tag in enumerate(TAGS):
            prompt = " ".join(f"w{rng.integers(300)}" for _ in range(12))
            for a, model in enumerate(MODELS):
                if (x * 7 + a) % 29 == 0:
                    continue
                score = np.clip(3 + 1.2 * (PLANTED[tag] == a) + rng.normal(0, 0.8), 1, 5)
                words = " ".join(f"w{rng.integers(300)}" for _ in range(12))
                out.writerow([f"p{x:02d}", f"prompt {x} {prompt}", tag, model, f"{model} {words}", f"{score:.3f}"])
    (folder / "map.json").write_text(json.dumps({
        "name": "mine", "synthetic": False,
        "columns": {"context": "id", "text": "prompt", "tag": "category", "agent": "model", "output": "answer"},
        "components": [{"name": "quality", "from": "score", "low": 1, "high": 5}]}), encoding="utf-8")


def same(got, want, what):
    global compared
    compared += 1
    got, want = float(got), float(want)
    assert (np.isnan(got) and np.isnan(want)) or abs(got - want) <= 2e-6 * max(1.0, abs(want)), f"{what}: {got}, not {want}"


class Exported:
    def __init__(self, folder):
        self.cell = json.loads((folder / "cell.json").read_text())
        self.contexts = [c if isinstance(c, str) else c["id"] for c in self.cell["contexts"]]
        self.agents = [a if isinstance(a, str) else a["id"] for a in self.cell["agents"]]
        self.mu = np.loadtxt(folder / "target.csv", delimiter=",", skiprows=1)[:, -1].reshape(
            len(self.contexts), len(self.agents))
        self.tag = np.array([TAGS[int(c[1:])] for c in self.contexts])
        self.rows = {name: np.loadtxt(folder / f"{name}.csv", delimiter=",", skiprows=1, ndmin=2)
                     for name in ("exp", "obs")}

    def best(self, name, tag=None):
        """The agent of the largest mean outcome; None where no agent has a row."""
        rows = self.rows[name]
        if tag is not None:
            rows = rows[self.tag[rows[:, 2].astype(int)] == tag]
        mean = [rows[rows[:, 3] == a, 5].mean() if (rows[:, 3] == a).any() else -np.inf
                for a in range(len(self.agents))]
        return None if len(rows) == 0 else int(np.argmax(mean))


def check_baselines(run, export, cell, seed):
    want = {}
    test = export.cell["test"]
    for name in ("exp", "obs"):
        whole = export.best(name)
        by_tag = [export.best(name, export.tag[x]) for x in test]
        want[f"best-{name}"] = [whole] * len(test)
        want[f"best-by-tag-{name}"] = [whole if a is None else a for a in by_tag]
    found = 0
    for row in map(json.loads, open(run / "results-1-of-1.jsonl", encoding="utf-8")):
        if row["cell"] == cell and row["seed"] == seed and row["family"] in want:
            choice = want[row["family"]]
            assert row["choice"] == choice, f"{row['family']}: {row['choice']}, not {choice}"
            loss = export.mu[test].max(axis=1) - export.mu[test, choice]
            same(row["regret"], loss.mean(), row["family"])
            found += 1
    assert found == 4, found


def holm(p):
    order = np.argsort(p, kind="stable")
    adjusted = np.minimum(1, np.maximum.accumulate([(len(p) - i) * p[k] for i, k in enumerate(order)]))
    out = np.empty(len(p))
    out[order] = adjusted
    return out


def check_means(regret, run, export):
    there = np.array([[(int(c[1:]) * 7 + MODELS.index(a)) % 29 != 0 for a in export.agents] for c in export.contexts])
    mu = np.where(there, export.mu, np.nan)
    table = {(r["block"], r["row"], r["column"]): r for r in csv.DictReader(
        io.StringIO(regret_program(regret, "report", run, "--table", "means", "--format", "csv")))}
    groups = {"all": np.ones(len(mu), bool), "code": export.tag == "code", "chat": export.tag == "chat",
              "rare": export.tag == "rare", "no tag": export.tag == ""}
    best = {}
    for name, rows in groups.items():
        n = (~np.isnan(mu[rows])).sum(axis=0)
        mean = np.array([np.nanmean(mu[rows, a]) if n[a] else np.nan for a in range(len(MODELS))])
        first = int(np.nanargmax(mean))
        second = int(np.nanargmax(np.where(np.arange(len(MODELS)) == first, np.nan, mean)))
        d = mu[rows, first] - mu[rows, second]
        d = d[~np.isnan(d)]
        p = stats.ttest_1samp(d, 0).pvalue if len(d) >= 10 else np.nan
        best[name] = first, second, d, p, mean
        cell = lambda column: table["who is best", name, column]
        assert cell("Best")["text"] == export.agents[first], name
        assert cell("Second")["text"] == export.agents[second], name
        same(cell("Contexts")["value"], rows.sum(), name)
        same(cell("Pairs")["value"], len(d), name)
        same(cell("Its mean")["value"], mean[first], name)
        same(cell("Second mean")["value"], mean[second], name)
        same(cell("Lead")["value"], d.mean(), name)
        if len(d) > 1:
            low, high = stats.t.interval(0.95, len(d) - 1, d.mean(), stats.sem(d))
            same(cell("95 % low")["value"], low, name)
            same(cell("95 % high")["value"], high, name)
    tested = [name for name in best if not np.isnan(best[name][3])]
    adjusted = dict(zip(tested, holm(np.array([best[name][3] for name in tested]))))
    for name in best:
        shown, verdict = table["who is best", name, "p"]["value"], table["who is best", name, "Best is"]["text"]
        if name in adjusted:
            # p-values of six digits of the lead and its deviation
            assert abs(float(shown) - adjusted[name]) <= 1e-3 * adjusted[name] + 1e-12, (name, shown, adjusted[name])
            assert verdict == ("separable" if adjusted[name] <= 0.05 else "not separable"), name
        else:
            assert shown == "" and verdict == "too few contexts", name
    assert [export.agents[best[name][0]] for name in ("code", "chat")] == ["beta", "gamma"], "the planted ones"
    return len(tested)


def check_records(regret, run, export):
    """Every agent by every tag, of tables/wide."""
    out = run / "report"
    regret_program(regret, "report", run, "-o", out)
    records = [r for r in csv.DictReader(open(out / "tables/wide/means.csv", encoding="utf-8"))
               if r["block"] == "every agent"]
    assert len(records) == len(MODELS) * 5, len(records)
    for r in records:
        a = export.agents.index(r["row"])
        tag = {"no tag": ""}.get(r["Tag"], r["Tag"])
        y = np.array([export.mu[x, a] for x, c in enumerate(export.contexts)
                      if (tag == "all" or export.tag[x] == tag) and (int(c[1:]) * 7 + MODELS.index(r["row"])) % 29 != 0])
        same(r["Contexts"], len(y), r)
        if len(y) > 0:
            same(r["Mean"], y.mean(), r)
        if len(y) > 1:
            low, high = stats.t.interval(0.95, len(y) - 1, y.mean(), stats.sem(y))
            same(r["95 % low"], low, r)
            same(r["95 % high"], high, r)


def main(regret, folder):
    folder = pathlib.Path(folder).resolve()
    make_table(folder)
    pool, run = folder / "pool", folder / "run"
    subprocess.run(["rm", "-rf", pool, run, folder / "cell"], check=True)
    regret_program(regret, "import", "csv", folder / "scores.csv", "--map", folder / "map.json", "-o", pool)
    config = folder / "config.json"
    config.write_text(json.dumps({
        "pool": str(pool), "seeds": 3, "contexts.hard": 0, "grid.policy": "impute-zero", "features.buckets": 128,
        "values.enabled": False, "router.slate": 3, "n_obs": 300, "families": ["exp-only", "obs-only"],
        "sweep": {"beta": [0, 1], "n_exp": [12, 80]}}))
    regret_program(regret, "run", config, "-o", run, "--force", "-q", "--no-report")
    for cell, seed in [(0, 0), (1, 1), (2, 2), (3, 0)]:
        regret_program(regret, "cell", config, "--cell", cell, "--seed", seed, "--export", folder / "cell", "--force")
        export = Exported(folder / "cell")
        check_baselines(run, export, cell, seed)
    tested = check_means(regret, run, export)
    check_records(regret, run, export)
    print(f"{compared} numbers agree; {tested} of 5 groups are tested")


if __name__ == "__main__":
    main(*sys.argv[1:])
