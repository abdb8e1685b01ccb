#!/usr/bin/env python3
"""Runs, tables and exports of regret as pandas frames. Copy this file beside your notebook; it needs pandas alone.

    import regret_results as rr
    rows = rr.runs("runs/main", "runs/main-hard")       # a row a family, baseline or fit, with the columns run and pool
    rr.summary(rows)                                     # mean regret and its standard error over seeds
    rr.difference(rows, "cvci", "obs-only")              # paired over seeds
    rr.table("runs/main/report/tables/sweep.csv")        # a report's table, a column a column
    rr.tables("sweep", "runs/main", "runs/main-hard")    # that table of several runs as data: keys as columns
    rr.by_context("runs/main"), rr.by_agent("runs/main") # the lists of the rows, long
    rr.export("cell-7-3")["predictions"]                 # what `regret cell --export` wrote

As a program it prints the summary of the runs it is given: python3 regret_results.py RUN...
"""
import glob
import json
import os
import sys

import pandas as pd

BY_CONTEXT = ("best", "choice", "loss")
BY_AGENT = ("value", "value_grid", "dm", "dr", "sndr", "dm_half", "dr_half", "sndr_half")


def _records(folder):
    """The JSON rows of a run folder, of all of its shards, and what run.json says."""
    with open(os.path.join(folder, "run.json"), encoding="utf-8") as file:
        facts = json.load(file)
    rows = []
    for path in sorted(glob.glob(os.path.join(glob.escape(folder), "results-*-of-*.jsonl"))):
        with open(path, encoding="utf-8") as file:
            rows += [json.loads(line) for line in file]
    return rows, facts


def _flat(row, folder, facts):
    """Keys of the cell as columns of their own; lists left out."""
    flat = {"run": os.path.basename(os.path.normpath(folder)), "pool": facts.get("pool", {}).get("name")}
    for name, value in row.items():
        if name == "key":
            flat.update(value)
        elif name not in ("context", *BY_CONTEXT, *BY_AGENT):
            flat[name] = value
    return flat


def runs(*folders):
    """The rows of one or more runs: columns run, pool, cell, the swept keys, seed, kind, family and the measures."""
    frames = []
    for folder in folders:
        rows, facts = _records(folder)
        frames.append(pd.DataFrame([_flat(row, folder, facts) for row in rows]))
    return pd.concat(frames, ignore_index=True)


def by_seed(rows, measure="regret"):
    """A row a run and seed, a column a family or baseline: means over the cells, which is what intervals are about."""
    told = rows[rows["kind"] != "fit"]
    return told.pivot_table(measure, ["run", "seed"], "family", sort=False)


def summary(rows, measure="regret"):
    """Mean and standard error over seeds of every family and baseline of every run, the lowest first."""
    seeds = by_seed(rows, measure).groupby(level="run", sort=False)
    frame = pd.concat({"mean": seeds.mean().stack(), "se": seeds.sem().stack()}, axis=1).reset_index()
    return frame.sort_values(["run", "mean"], ignore_index=True)


def difference(rows, a, b, measure="regret"):
    """Mean of a − b over seeds and its standard error, paired; a row a run."""
    seeds = by_seed(rows, measure)
    runs_of = (seeds[a] - seeds[b]).groupby(level="run", sort=False)
    return pd.DataFrame({"mean": runs_of.mean(), "se": runs_of.sem()})


def table(path, what="value"):
    """A report's table as it stands on the page: index block and row, a column a column; `what` is value, se or text."""
    long = pd.read_csv(path, dtype={"block": str, "row": str, "column": str, "text": str})
    long = long[~long["block"].isin(["title", "note"])]
    wide = long.pivot_table(what, ["block", "row"], "column", aggfunc="first", sort=False, dropna=False)
    return wide.reindex(long["column"].drop_duplicates(), axis=1).dropna(how="all").dropna(how="all", axis=1)


def tables(name, *folders, what="value"):
    """The table of that name of several runs in one frame: index run, block and row, a column a column."""
    paths = [os.path.join(folder, "report", "tables", f"{name}.csv") for folder in folders]
    return pd.concat([table(path, what) for path in paths], keys=[os.path.basename(f) for f in folders], names=["run"])


def _long(folder, lists, index, ids):
    rows, facts = _records(folder)
    grids = {cell["cell"]: cell.get("grid", 0) for cell in facts["cells"]}
    shared = {(r["cell"], r["seed"]): r for r in rows if r["family"] == "oracle"}
    frames = []
    for row in rows:
        oracle = shared.get((row["cell"], row["seed"]), {})
        given = {name: row.get(name) or oracle.get(name) for name in (index, *lists)}
        names = facts["grids"][grids[row["cell"]]][ids]
        numbers = given.pop(index) or range(len(names))
        given = {name: values for name, values in given.items() if values and len(values) == len(numbers)}
        if row["kind"] != "fit" and given:
            frame = pd.DataFrame(given)
            frame.insert(0, index, [names[i] for i in numbers])
            for name, value in reversed(list(_flat(row, folder, facts).items())):
                if name in ("run", "pool", "cell", "seed", "family") or name in row["key"]:
                    frame.insert(0, name, value)
            frames.append(frame)
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()


def by_context(folder):
    """A row a held-out context of a replicate and family: the agent recommended (its number) and the loss."""
    return _long(folder, BY_CONTEXT, "context", "contexts")


def by_agent(folder):
    """A row an agent of a replicate and family: its true value, DM, DR and SNDR and half-widths of their intervals."""
    return _long(folder, BY_AGENT, "agent", "agents")


def export(folder):
    """The CSV files of `regret cell --export` by name, and cell.json, hyper.json and folds.json as they are."""
    found = {}
    for path in sorted(glob.glob(os.path.join(glob.escape(folder), "*"))):
        name, end = os.path.splitext(os.path.basename(path))
        if end == ".csv":
            found[name] = pd.read_csv(path)
        elif end == ".json":
            with open(path, encoding="utf-8") as file:
                found[name] = json.load(file)
    return found


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    print(summary(runs(*sys.argv[1:])).to_string(index=False))
