#!/usr/bin/env python3
"""Holds the numbers of this folder against the text they were taken from.

usage: check.py [TEXT]

Without TEXT: tables.csv, views.csv and claims.csv have their columns, every word of them is known, names are there
once, and every file of numbers stands in tables.csv. TEXT is the paper as plain text with its tables as lines of
"| cell | cell |". Every table is read again from there, row by row, and compared with the CSV in order: names,
winners and numbers. Then come the numbers of the same lines that were not transcribed.
"""
import collections
import csv
import json
import pathlib
import re
import sys

FAMILIES = {"CVCI-Residual": "cvci-residual", "CVCI": "cvci", "OBS-Only": "obs-only",
            "EXP-Only": "exp-only", "Grounded": "grounded", "Representation-EXP": "representation-exp",
            "Best OBS-based method": "best-obs-based", "Proxy-bundle": "proxy", "Rubric-linear": "components"}
# The first and the last line of each table in the text, by how they begin.
TABLES = {"T4": ("| Method | Avg. rank", "| Method | ||||"), "T5": ("| Method | ||||", "5.3.2"),
          "T6": ("| Average regret over", "| Method | DM RMSE"),
          "T7": ("| Method | DM RMSE", "In this cached summarization benchmark, the raw"),
          "T10": ("A.5 ", "Table 10"), "T11": ("A.6 ", "Table 11"),
          "T12": ("Table 12 shows", "The smallest-budget"), "T13": ("Table 13 shows", "At , Grounded"),
          "T14": ("In this coding appendix", "Secondary axes")}


def cells_of(lines):
    """(subject, number) of each number of a table, in the order of the text; what else has digits."""
    found, others = [], []
    for line in lines:
        if not line.startswith("|"):
            continue
        subject = None
        for cell in (c.strip() for c in line.strip("|").split("|")):
            name = next((n for n in FAMILIES if cell.startswith(n)), None)
            subject = FAMILIES[name] if name else subject
            number = re.search(r"(?:^|\] ?)([-+]?\d+(?:\.\d+)?)$", cell)
            if number and subject:
                found.append((subject, float(number[1])))
            elif re.search(r"\d", cell):
                others.append(cell)
    return found, others


FOLDER = pathlib.Path(__file__).parent
KEY = r"(reward\.\w+|outcome\.\w+|beta|n_obs|n_exp)"
FAMILY = r"(obs-only|exp-only|representation-exp|cvci|cvci-residual|grounded|grounded-linear|grounded-anchored)"
ROW = rf"({FAMILY}|fit:[\w-]+|baseline:[\w-]+)"
MEASURE = (r"(regret|rmse|top1|top3|spearman|kendall|hit1|hit3|dm_rmse|dr_rmse|sndr_rmse|lambda|alpha|rho|tau|r2|"
           r"r2_clipped|rank|in-top3|excess|wins|most-wins|lambda<=0\.1|"
           r"costliest-tenth|dm_bias2|dr_bias2)")
CELLS = rf"{KEY}(=[\w.-]+|>first|>=middle|>=last-but-one)"
WORD = rf"({KEY}(=\d+|>1)|families|values|stressed|variant:{FAMILY})"
SHAPE = {"task": "summaries|world|coding",
         "shape": rf"({WORD}( {WORD})*)?",
         "config": r"[\w-]+( [\w-]+)*"}
RECORDS = {
    "tables": {"table": r"[TF]\d+", "file": r"(table\d+\.csv)?", "task": SHAPE["task"],
               "shape": SHAPE["shape"], "config": SHAPE["config"],
               "title": ".+", "reading": ".*"},
    "views": {"view": r"[\w-]+", **SHAPE},
    "claims": {"id": r"[\w-]+", "idea": ".+", "standing": "paper|construction|ours", "views": r"[\w-]+( [\w-]+)*",
               "subjects": rf"(\*|by-cell|by-top1|{ROW}( {ROW})*)?", "others": f"({ROW}( {ROW})*)?",
               "measure": f"{MEASURE}( {MEASURE})?",
               "against": "(each|other|dm|half|best-other|best-obs-based|best-ranked)?",
               "direction": "below|above|near",
               "over": f"(each( {KEY})?|slope {KEY}|change {KEY}( {KEY})?|flip {KEY}|cross {KEY}|fit|rows)?",
               "cells": rf"({CELLS}( {CELLS})*)?",
               "needs": f"((families|{KEY})( (families|{KEY}))*)?", "words": r"(.+ \| .+)?",
               "paper": ".+", "text": ".+"}}


def records_of(name):
    return list(csv.DictReader(open(FOLDER / f"{name}.csv", encoding="utf-8", newline="")))


def check_records():
    """Prints what is wrong with the three files; how much that is."""
    faults = []
    for name, fields in RECORDS.items():
        records, seen = records_of(name), set()
        for line, record in enumerate(records, 2):
            if list(record) != list(fields):
                faults.append(f"{name}.csv:{line}: the columns are {','.join(fields)}")
                continue
            first = record[next(iter(fields))]
            faults += [f"{name}.csv:{line}: {first} is there twice"] if first in seen else []
            seen.add(first)
            for field, rule in fields.items():
                if not re.fullmatch(rule, record[field]):
                    faults.append(f"{name}.csv:{line}: {field} \"{record[field]}\" is none of {rule}")
    views = {r["view"] for r in records_of("views")}
    for line, record in enumerate(records_of("claims"), 2):
        faults += [f"claims.csv:{line}: no view {v}" for v in record["views"].split() if v not in views]
        if record["idea"].endswith("(not counted)") != (record["standing"] != "paper"):
            faults.append(f"claims.csv:{line}: what is not the paper's stands under an idea that ends in (not counted)")
    for record in records_of("tables") + records_of("views"):
        for config in record["config"].split():
            path = FOLDER.parents[1] / "configs" / f"{config}.json"
            said = json.loads(path.read_text(encoding="utf-8")).get("paper", "") if path.exists() else None
            if said is None or (record.get("file") and record["table"] not in said.split(",")):
                fault = "is not there" if said is None else f"does not name {record['table']}"
                faults.append(f"configs/{config}.json {fault}")
    named = {r["file"] for r in records_of("tables")} - {""}
    there = {p.name for p in FOLDER.glob("table[0-9]*.csv")}
    faults += [f"tables.csv: {f} is not there" for f in sorted(named - there)]
    faults += [f"{f} is not in tables.csv" for f in sorted(there - named)]
    print("\n".join(faults) or f"{len(seen)} findings, {len(views)} views, {len(there)} tables of numbers")
    return len(faults)


def main(path):
    lines = pathlib.Path(path).read_text(encoding="utf-8").split("\n")
    faults = 0
    for table, (first, last) in TABLES.items():
        begin = next(i for i, line in enumerate(lines) if line.startswith(first))
        end = next(i for i in range(begin + 1, len(lines)) if lines[i].startswith(last))
        text, others = cells_of(lines[begin:end])
        rows = list(csv.DictReader(open(pathlib.Path(__file__).parent / f"table{table[1:]}.csv",
                                        encoding="utf-8")))
        mine = [(r["subject"], float(r["value"])) for r in rows
                if r["statistic"] not in ("none", "wins", "top1_wins", "top3_wins")]
        if table == "T11":  # its column of n_exp is a key, not a value
            keys = [(r["subject"], float(r["n_exp"])) for r in rows if r["statistic"] == "dm_rmse"]
            text = list((collections.Counter(text) - collections.Counter(keys)).elements())
            mine, text = sorted(mine), sorted(text)
        prose = len(rows) - len(mine)
        print(f"{table}: {len(mine)} numbers, {'as in the text' if mine == text else 'NOT as in the text'}"
              f"; {prose} from prose; not transcribed: {others or 'none'}")
        if mine != text:
            faults += 1
            print("  text:", text, "\n  here:", mine)
    return faults


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    sys.exit(check_records() + (main(sys.argv[1]) if len(sys.argv) == 2 else 0) > 0)
