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
               "needs": f"((families|{KEY})( (families|{KEY}))*)?",
               "paper": ".+", "text": ".+"}}


RANKED = {"obs-only", "exp-only", "representation-exp", "cvci", "cvci-residual", "grounded"}


def fault_of(r):
    """What the evaluator (benchmarks/paper_findings.py) could make nothing of in a finding; None where there is nothing."""
    measures, over, against = r["measure"].split(), r["over"].split(" ")[0], r["against"]
    subjects, others = r["subjects"].split(), r["others"].split()
    first, choice = measures[0], r["subjects"] in ("by-cell", "by-top1")
    special = {"rank", "in-top3", "excess", "wins", "most-wins", "lambda<=0.1", "costliest-tenth", "dm_bias2", "dr_bias2"}
    named = [s for s in subjects + others if s not in ("*", "by-cell", "by-top1")]
    one, share = not over and len(measures) == 1, first in ("lambda<=0.1", "costliest-tenth")
    placed = first in ("rank", "in-top3", "excess") or (first == "wins" and (against == "each" or not others))
    return next((says for wrong, says in (
        (r["idea"].endswith("(not counted)") != (r["standing"] != "paper"),
         "idea: what is not the paper's stands under one that ends in (not counted), and nothing else does"),
        (len(named) > 5 or len(r["cells"].split()) > 4 or len(r["needs"].split()) > 4, "too many words"),
        (len({s.split(":")[0] if ":" in s else "family" for s in named}) > 1, "subjects: they are of one kind"),
        (len(measures) > 1 and special & set(measures), "measure: two of them are of rows"),
        (not subjects and first != "most-wins", "subjects: it names none"),
        (placed and set(named) - RANKED, "subjects: ranks, excesses and wins among all are of families that the paper ranks"),
        (against in ("other", "best-other") and not others, "others: it is taken against another, but names none"),
        ((first == "most-wins") != (over == "rows"), "over: most-wins are compared over rows, and nothing else is"),
        (first in ("rank", "in-top3", "excess") and (against != "each" or not one),
         "against: ranks and excesses are taken against each, over all"),
        (first == "wins" and (not one or (against != "each" and (len(subjects) != 1 or
                                                                 against not in ("half", "other", "best-ranked")))),
         "against: wins of one subject are taken against half, other or best-ranked, of several against each, over all"),
        (first != "wins" and (share != (against == "half") or (share and not one)),
         "against: lambda<=0.1 and costliest-tenth are taken against half, over all, and no measure of rows is"),
        (first in ("dm_bias2", "dr_bias2") and against not in ("", "other", "dm"),
         "against: dm_bias2 and dr_bias2 are taken against nothing, other or dm"),
        (choice and (against != "best-ranked" or over), "against: a choice of families is taken against best-ranked, over all"),
        (against == "each" and over and len(subjects) != 1, "over: what is taken against each along a key is one subject"),
        (r["direction"] == "near" and over not in ("each", "change") and r["subjects"] != "by-cell",
         "direction: near is said of a change, over each, or of by-cell")) if wrong), None)


def records_of(name):
    return list(csv.DictReader(open(FOLDER / f"{name}.csv", encoding="utf-8", newline="")))


def faults_of(name, records):
    """What is wrong with the records of one of the three files by themselves, a line each."""
    faults, fields, seen = [], RECORDS[name], set()
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
        if name == "claims" and not faults and fault_of(record):
            faults.append(f"{name}.csv:{line}: {fault_of(record)}")
    return faults


def check_records():
    """Prints what is wrong with the three files; how much that is."""
    faults = [fault for name in RECORDS for fault in faults_of(name, records_of(name))]
    views, claims = {r["view"] for r in records_of("views")}, records_of("claims")
    faults += [f"claims.csv:{line}: no view {v}" for line, claim in enumerate(claims, 2)
               for v in claim["views"].split() if v not in views]
    faults += ["views.csv: more than 32"] if len(views) > 32 else []
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
    print("\n".join(faults) or f"{len(claims)} findings, {len(views)} views, {len(there)} tables of numbers")
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
