#!/usr/bin/env python3
"""Holds docs/formats.md (results.csv, lists of rows) and docs/examples/results.* against what the program writes.

Usage: check_results.py columns|examples REGRET PROJECT FOLDER

columns   every column of the results.csv of five small runs (one with unobserved pairs, one with a family of one's
          own that fails) is in the document, in its order, with its type, range and records, and no other is;
          every list of the rows is there
examples  the lines for pandas there (and for R and DuckDB in docs/examples, where they are installed) give the means and
          standard errors of the table "summary". Exit code 77 where pandas is missing.
"""

import csv
import io
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys

FAMILIES = ('families=["exp-only","obs-only","representation-exp","grounded","cvci","cvci-residual",'
            '"grounded-linear","grounded-anchored"]')
RUNS = {
    "cached": ["configs/smoke.json", "--seeds", "3", "--set", FAMILIES, "--set", "contexts.hard=10",
               "--set", "n_obs=200", "--set", "obs_only.rho=[1,10]", "--set", "sweep.beta=[0,1]",
               "--set", "sweep.features.agent=[0,2]", "--set", "grounded_linear.tuning=holdout",
               "--set", "features.buckets=512"],
    "coding": ["configs/patches.json", "--seeds", "1", "--set", "contexts.hard=8", "--set", "n_obs=200",
               "--set", "sweep.reward.lambda_fix=[0,1]", "--set", "sweep.reward.omega=[0.5]"],
    "world": ["configs/world-smoke.json", "--seeds", "1", "--set", "contexts.folds=2"],
}
failures = []


def check(condition, what):
    if not condition:
        failures.append(what)


def run(regret, project, folder, name):
    """The records of a run's results.csv as the csv module reads them, and the path."""
    out = folder / name
    config, *options = RUNS[name]
    subprocess.run([regret, "run", str(project / config), "-o", str(out), "--force", "-q", *options],
                   check=True, stdout=subprocess.DEVNULL)
    path = out / "report" / "results.csv"
    with open(path, encoding="utf-8", newline="") as file:
        records = list(csv.reader(file))
    return records, path


# ---------------------------------------------------------------- columns


class Column:
    """A line of the document's table."""

    def __init__(self, cells):
        names, self.type, unit, self.records, _ = cells
        found = re.match(r"`(.+)`$", names)
        self.name = found[1] if found else None  # None: every other swept key
        self.words = re.findall(r"`([^`]+)`", unit)
        number = r"([−\d]+)"
        between, least, most = (re.search(p, unit) for p in
                                (f"{number} to {number}$", f"from {number}$", f"at most {number}$"))
        value = lambda match, i: float(match[i].replace("−", "-"))
        self.low = value(between or least, 1) if between or least else -math.inf
        self.high = value(between, 2) if between else value(most, 1) if most else math.inf
        self.may_be_empty = "may be empty" in self.records
        self.only = re.search(r"only (.+)$", self.records)  # in runs of some kind; elsewhere there is no such column
        self.filled = 0

    def is_for(self, kind):
        return self.records.startswith("all") or kind in re.findall(r"\w+", self.records.split(";")[0])

    def check(self, text, kind, place, failed=False):
        if text == "":
            check(not self.is_for(kind) or self.may_be_empty or failed, f"{place} is empty")
            return
        self.filled += 1
        check(self.is_for(kind), f"{place} is {text} in a record of kind {kind}")
        if self.type == "text":
            check(not self.words or text in self.words, f"{place} is \"{text}\"")
        elif self.type == "boolean":
            check(text in ("true", "false"), f"{place} is {text}")
        elif self.type in ("integer", "number"):
            pattern = r"\d+" if self.type == "integer" else r"-?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?"
            check(re.fullmatch(pattern, text), f"{place} is {text}, no {self.type}")
            check(self.low - 1e-9 <= float(text) <= self.high + 1e-9, f"{place} is {text}")


def documented(project):
    lines = (project / "docs" / "formats.md").read_text(encoding="utf-8").split("\n")
    begin = lines.index("|---|---|---|---|---|") + 1
    end = next(i for i in range(begin, len(lines)) if not lines[i].startswith("|"))
    return [Column([cell.strip() for cell in line[1:-1].split("|")]) for line in lines[begin:end]]


def check_run(columns, name, records):
    head, extra = records[0], []
    fixed = {column.name for column in columns}
    for column in columns:
        if column.name is None:
            extra = sorted(n for n in head if n not in fixed)
    expected = [n for c in columns for n in ([c.name] if c.name else extra) if not c.only or c.only[1] == ONLY.get(name)]
    check(head == expected, f"{name}: the columns are {head}, documented {expected}")
    by_name = {column.name: column for column in columns}
    for number, record in enumerate(records[1:], 2):
        kind, failed = record[head.index("kind")], "failure" in head and record[head.index("failure")] != ""
        for column, text in zip(head, record):
            by_name.get(column, by_name[None]).check(text, kind, f"{name}, line {number}: {column}", failed)
        measured = record[head.index("regret"):head.index("basis")]
        check(not (failed and any(measured)), f"{name}, line {number}: a fit failed and has {measured}")
    return extra


ONLY = {"observed": "with unobserved pairs", "own": "with a family of one's own"}


def make_holes(folder):
    """A pool in which every context has the outputs of two of three agents, and what runs on it."""
    pool = folder / "holes"
    pool.mkdir(exist_ok=True)
    (pool / "pool.json").write_text(json.dumps({
        "format": "regret-pool-1", "name": "holes", "title": "holes", "version": "1", "licence": "none", "source": "made",
        "synthetic": True, "agents": [{"id": a, "title": a, "cost": i + 1} for i, a in enumerate("abc")],
        "components": [{"name": n, "low": 0, "high": 1} for n in ("q", "r")]}))
    with open(pool / "contexts.jsonl", "w") as contexts, open(pool / "outputs.jsonl", "w") as outputs:
        for x in range(60):
            contexts.write(json.dumps({"id": f"p{x}", "text": f"w{x % 7}", "tag": "st"[x % 2]}) + "\n")
            for a in {"abc"[x % 3], "abc"[(x + 1) % 3]}:
                q = (7 * x + 3 * ord(a)) % 11 / 11
                outputs.write(json.dumps({"context": f"p{x}", "agent": a, "draw": 0, "text": a,
                                          "components": {"q": q, "r": 1 - q}}) + "\n")
    every = [f"p{x},{a},0.5\n" for x in range(60) for a in "abc"]
    (folder / "few.csv").write_text("context,agent,prediction\n" + every[0])
    (folder / "all.csv").write_text("context,agent,prediction\n" + "".join(every))
    shared = {"pool": "holes", "seeds": 2, "contexts.hard": 0, "contexts.train_share": 0.5, "n_obs": 80, "n_exp": 40,
              "router.slate": 2, "features.buckets": 64}
    (folder / "observed.json").write_text(json.dumps(
        {**shared, "grid.policy": "observed", "families": ["exp-only", "obs-only"]}))
    (folder / "own.json").write_text(json.dumps(
        {**shared, "grid.policy": "impute-zero", "costs.enabled": True, "costs.budget": 2,
         "families": ["exp-only", *({"name": n, "predictions": f"{n}.csv"} for n in ("few", "all"))]}))
    return {name: [folder / f"{name}.json"] for name in ONLY}


def check_lists(project, folder, columns):
    """A member of a row is its key, a column of the document, or a list that docs/formats.md has; and every list is met."""
    text = (project / "docs" / "formats.md").read_text(encoding="utf-8").split("## Lists of rows\n", 1)[1].split("\n## ")[0]
    lists = {name for line in re.findall(r"^\| (`.+?) \|", text, re.M) for name in re.findall(r"`(\w+)`", line)}
    met = set()
    for name in RUNS:
        for line in open(folder / name / "results-1-of-1.jsonl", encoding="utf-8"):
            for member, value in json.loads(line).items():
                met |= {member} if isinstance(value, list) else set()
                check(member in lists or member in {"key", *(c.name for c in columns)}, f"{name}: {member} is not documented")
    check(lists == met, f"lists: documented alone {lists - met}, met alone {met - lists}")
    return len(lists)


def check_columns(regret, project, folder):
    columns = documented(project)
    RUNS.update(make_holes(folder))
    extra = {name: check_run(columns, name, run(regret, project, folder, name)[0]) for name in RUNS}
    check(extra["cached"] == ["features.agent"], f"other keys of cached: {extra['cached']}")
    check(extra["coding"] == ["reward.lambda_fix", "reward.omega"], f"of coding: {extra['coding']}")
    for column in columns:
        check(column.filled > 0, f"{column.name} is always empty")
    print(f"{len(columns)} columns and {check_lists(project, folder, columns)} lists of {len(RUNS)} runs")


# ---------------------------------------------------------------- tables and queries


def read_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def check_sweep(report, rows):
    """The means of the table of sweeps are those of the rows that have the value."""
    means = 0
    for record in read_csv(report / "tables" / "sweep.csv"):
        value = record["column"].removeprefix("β ").removeprefix(record["block"] + " ")
        x = [float(row["regret"]) for row in rows if row["kind"] != "fit" and row["family"] == record["row"] and row["regret"]
             and row.get(record["block"]) == value]
        if x and record["value"] and "R²" not in record["row"]:
            means += 1
            check(math.isclose(sum(x) / len(x), float(record["value"]), rel_tol=1e-9, abs_tol=1e-12),
                  f"sweep: {record}, but the rows have {sum(x) / len(x)}")
    check(means > 0 or not any(len({row[k] for row in rows}) > 1 for k in ("beta", "n_exp", "reward.map")), "sweep: no mean")
    return means


def check_sql(regret, run_folder, rows):
    """A query sees the rows that results.csv has, and its estimates are what is computed here."""
    query = "SELECT cell, seed, kind, family, regret FROM results WHERE {} ORDER BY cell, seed, kind, family"
    said = subprocess.run([regret, "sql", str(run_folder), query.format("regret IS NOT NULL"), "-f", "csv"], check=True,
                          capture_output=True, text=True).stdout
    told = [tuple(record.values()) for record in csv.DictReader(io.StringIO(said))]
    kept = [tuple(row[k] for k in ("cell", "seed", "kind", "family", "regret")) for row in rows if row["regret"]]
    order = lambda r: (int(r[0]), int(r[1]), *r[2:4])
    same = len(told) == len(kept) and all(a[:4] == b[:4] and float(a[4]) == float(b[4])
                                          for a, b in zip(told, sorted(kept, key=order)))
    check(same, f"{run_folder}: sql has {len(told)} rows with a regret, results.csv {len(kept)}")


def check_merged(regret, project, folder):
    """A merged run has its own name in its records, not that of the folder in which it was built."""
    config, *options = RUNS["world"]
    for k in (1, 2):
        subprocess.run([regret, "run", str(project / config), "-o", str(folder / f"s{k}"), "--force", "-q", "--shard",
                        f"{k}/2", "--no-report", *options], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([regret, "merge", str(folder / "s1"), str(folder / "s2"), "-o", str(folder / "joined"), "--force"],
                   check=True, capture_output=True)
    names = {row["run"] for row in read_csv(folder / "joined" / "report" / "results.csv")}
    check(names == {"joined"}, f"merged: runs {names}")


def check_tables(regret, project, folder):
    means = 0
    for name in RUNS:
        records, path = run(regret, project, folder, name)
        rows = [dict(zip(records[0], record)) for record in records[1:]]
        means += check_sweep(path.parent, rows)
        check_sql(regret, path.parent.parent, rows)
    check_merged(regret, project, folder)
    print(f"{means} means of {len(RUNS)} runs found again")


# ---------------------------------------------------------------- examples


def lines_of(project, heading):
    """The first indented lines under the heading."""
    text = (project / "docs" / "formats.md").read_text(encoding="utf-8")
    section = text.split(f"# {heading}\n", 1)[1]
    block = re.search(r"((?:^    .*\n)+)", section, re.M)[1]
    return re.sub(r"^    ", "", block, flags=re.M)


def example(project, file):
    return (project / "docs" / "examples" / file).read_text(encoding="utf-8")


def expected_means(regret, records, path):
    """By family, by loops here, and what the table "summary" has."""
    head, by_seed = records[0], {}
    at = {name: head.index(name) for name in ("kind", "family", "seed", "regret")}
    for record in records[1:]:
        if record[at["kind"]] == "family":
            seeds = by_seed.setdefault(record[at["family"]], {})
            seeds.setdefault(record[at["seed"]], []).append(float(record[at["regret"]]))
    means = {}
    for family, seeds in by_seed.items():
        x = [sum(values) / len(values) for values in seeds.values()]
        mean = sum(x) / len(x)
        means[family] = (mean, math.sqrt(sum((v - mean) ** 2 for v in x) / (len(x) - 1) / len(x)))
    table = subprocess.run([regret, "report", str(path.parents[1]), "-t", "summary", "-f", "csv"],
                           check=True, capture_output=True, text=True).stdout
    for record in csv.DictReader(io.StringIO(table)):
        if record["block"].startswith("all cells") and record["column"] == "Mean regret ± SE":
            pair = means.get(record["row"])
            same = pair and all(math.isclose(a, float(b), rel_tol=1e-9) for a, b in
                                zip(pair, (record["value"], record["se"])))
            check(same or not pair, f"summary has {record} and the records {pair}")
    return means


def compare(tool, command, folder, means):
    output = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
    for family, pair in means.items():
        found = re.search(rf"^\W*{re.escape(family)}[^\w\n-]+([\d.e-]+)[^\w\n]+([\d.e-]+)", output,
                          re.M)
        same = found and all(math.isclose(float(a), b, rel_tol=2e-4) for a, b in
                             zip(found.groups(), pair))
        check(same, f"{tool}: {family} is not {pair} in\n{output}")
    print(f"{tool}: {len(means)} families")


def close(a, b, what):
    check(len(a) > 0 and all(math.isclose(x, y, rel_tol=1e-5, abs_tol=1e-6) for x, y in zip(a, b)), what)


def check_frames(regret, project, folder, run_folder, means):
    """docs/examples/regret_results.py: its frames say what the records and tables do. Lists have six digits."""
    sys.path.insert(0, str(project / "docs" / "examples"))
    sys.dont_write_bytecode = True
    import regret_results as rr

    rows = rr.runs(run_folder)
    summary = rr.summary(rows).set_index("family")
    for family, (mean, se) in means.items():
        close(summary.loc[family, ["mean", "se"]], [mean, se], f"regret_results: summary of {family}")
    check(set(rows["run"]) == {"cached"} and rows["pool"].notna().all(), "regret_results: run and pool")
    paired = rr.difference(rows, "cvci", "obs-only").loc["cached"]
    close([paired["mean"]], [means["cvci"][0] - means["obs-only"][0]], "regret_results: difference")
    of = ["cell", "seed", "family"]
    regret_of = rows[rows["kind"] == "family"].set_index(of)["regret"].sort_index()
    losses = rr.by_context(run_folder).groupby(of)["loss"].mean().loc[regret_of.index]
    close(losses, regret_of, "regret_results: by_context")
    agents = rr.by_agent(run_folder)
    error = (agents["dm"] - agents["value"]).pow(2).groupby([agents[k] for k in of]).mean().pow(0.5)
    dm = rows[rows["kind"] == "family"].set_index(of)["dm_rmse"].sort_index()
    close(error.loc[dm.index], dm, "regret_results: by_agent")
    table = rr.table(f"{run_folder}/report/tables/budget.csv")
    check(len(table) > 0 and table.notna().any(axis=None), "regret_results: table")
    twice = rr.tables("summary", run_folder, run_folder).query("row == 'cvci' and block.str.startswith('all cells')")
    close(twice["Mean regret ± SE"], [means["cvci"][0]] * 2, "regret_results: tables")
    subprocess.run([regret, "cell", str(project / "configs" / "smoke.json"), "--export", str(folder / "cell"),
                    "--force", "--set", "contexts.hard=10", "--set", "n_obs=100"], check=True,
                   stdout=subprocess.DEVNULL)
    export = rr.export(folder / "cell")
    check(len(export["obs"]) == 100 and "predictions" in export and "seed" in export["cell"],
          f"regret_results: export has {sorted(export)}")


def check_joined(project, folder, run_folder, means):
    """R's lines for several runs, on one of them under two names."""
    (folder / "runs").mkdir(exist_ok=True)
    for name in ("main", "main-hard"):
        (folder / "runs" / name).unlink(missing_ok=True)
        (folder / "runs" / name).symlink_to(run_folder.resolve())
    (folder / "cell-7-3").unlink(missing_ok=True)
    (folder / "cell-7-3").symlink_to((folder / "cell").resolve())
    script = example(project, "runs.R") + "cat(names(sweep), nrow(export$obs))"
    said = subprocess.run(["Rscript", "-e", script], cwd=folder, capture_output=True, text=True)
    check(said.returncode == 0 and re.search(r"block row column value se text 100$", said.stdout),
          f"R, several runs: {said.stdout}{said.stderr}")
    for family, (mean, _) in means.items():
        found = re.search(rf" {re.escape(family)} +([\d.]+)$", said.stdout, re.M)
        check(found and math.isclose(float(found[1]), mean, rel_tol=2e-4), f"R, several runs: {family} in {said.stdout}")


def check_examples(regret, project, folder):
    try:
        import pandas  # noqa: F401: only whether it is there
    except ImportError as error:
        print(f"skipped: {error}")
        sys.exit(77)
    records, path = run(regret, project, folder, "cached")
    means = expected_means(regret, records, path)
    pandas_lines = lines_of(project, "pandas")
    check(len(pandas_lines.splitlines()) == 3, "the example for pandas has three lines")
    compare("pandas", [sys.executable, "-c", pandas_lines], path.parent, means)
    script = pandas_lines + lines_of(project, "Two families, paired")
    last = subprocess.run([sys.executable, "-c", script], cwd=path.parent, check=True,
                          capture_output=True, text=True).stdout.splitlines()[-1].split()
    check_frames(regret, project, folder, path.parent.parent, means)
    difference = means["cvci"][0] - means["obs-only"][0]
    check(abs(float(last[0]) - difference) < 1e-9 and float(last[1]) >= 0, f"paired: {last}")
    for tool, program, option, file in (("R", "Rscript", "-e", "results.R"), ("DuckDB", "duckdb", "-c", "results.sql")):
        if shutil.which(program):
            compare(tool, [program, option, example(project, file)], path.parent, means)
            if tool == "R":
                check_joined(project, folder, path.parent.parent, means)
        else:
            print(f"{tool}: not run, {program} is not installed")


def main():
    what, regret, project, folder = sys.argv[1:]
    steps = {"columns": check_columns, "tables": check_tables, "examples": check_examples}
    steps[what](regret, pathlib.Path(project), pathlib.Path(folder))
    print("\n".join(failures[:20]))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
