#!/usr/bin/env python3
"""Holds benchmarks/paper.py against the committed pages and against runs whose findings are planted.

usage: check_paper.py ROOT FOLDER [--update]

Of the committed runs the rows of two seeds are there (reports/NAME/rows.csv): the pages of these are paper-against.md and
paper-findings.md beside this file (--update writes them anew), and in what does not hang on seeds they are reports/NAME/against.md
and reports/claims.md. A made-up run of twelve seeds has orders, slopes and equalities that are known.
"""
import csv
import itertools
import json
import pathlib
import random
import subprocess
import sys

try:
    import numpy as np
except ImportError:
    print("no NumPy here")
    sys.exit(77)

ROOT, FOLDER = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "benchmarks"))
import paper_runs  # noqa: E402

RUNS = "main values grounded map24 world patches swebench"
FAMILIES = ["exp-only", "obs-only", "representation-exp", "grounded", "cvci", "cvci-residual"]


def page(*arguments, fails=False):
    done = subprocess.run([sys.executable, "-B", ROOT / "benchmarks" / "paper.py", *map(str, arguments)],
                          capture_output=True, text=True)
    assert (done.returncode != 0) == fails, done.stderr
    return done.stderr if fails else done.stdout


def rows_of(text):
    """The cells of each row of each table."""
    return [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]


def check_committed(update):
    reports = {name: ROOT / "reports" / name for name in RUNS.split()}
    against = {name: page("against", reports[name]) for name in reports}
    findings = page("findings", *(ROOT / "reports" / name for name in [*reports, "world-dr"]))
    for file, text in (("paper-against.md", against["map24"] + against["values"] + against["swebench"]),
                       ("paper-findings.md", findings)):
        if update:
            (HERE / file).write_text(text, encoding="utf-8")
        assert (HERE / file).read_text(encoding="utf-8") == text, f"{file} is not what paper.py says; --update"
    for name, text in against.items():
        committed = (reports[name] / "against.md").read_text(encoding="utf-8")
        ours, theirs = ([row[:4] for row in rows_of(t) if len(row) == 10] for t in (text, committed))
        assert ours == theirs and len(ours) > 1, f"{name}: other numbers of the paper than in its against.md"
        ours, theirs = ([row[:2] for row in rows_of(t) if len(row) == 11] for t in (text, committed))
        assert ours == theirs, f"{name}: other rows of the headline"
    committed = (ROOT / "reports" / "claims.md").read_text(encoding="utf-8")
    ours, theirs = ({tuple(row[:4]) for row in rows_of(t) if len(row) == 12} for t in (findings, committed))
    assert ours == {row for row in theirs if row[1] != "patches-axes"}, ours ^ theirs


def made_up(name, regret, seeds=12):
    """A run with the keys of `main`, as CSV. Regrets: regret(family, map, beta, n_obs, n_exp) and noise that all share."""
    rng, folder = random.Random(7), FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps({"families": FAMILIES, "seeds": seeds}))
    cells = list(itertools.product(("smooth", "sharpened"), (0, 1), (100, 400), (20, 80)))
    with open(folder / "results.csv", "w", newline="") as file:
        out = csv.writer(file)
        out.writerow("cell seed kind family reward.map beta n_obs n_exp regret top1 top3 r2 pool synthetic".split())
        for (cell, keys), seed in itertools.product(enumerate(cells), range(seeds)):
            shared = rng.gauss(0, .02)
            for family in FAMILIES:
                y = regret(family, *keys) + shared + rng.gauss(0, .004)
                out.writerow([cell, seed, "family", family, *keys, repr(y), .5, .5, "", "made", "true"])
            for fit in ("proxy", "components"):
                out.writerow([cell, seed, "fit", fit, *keys, "", "", "", repr(.4 + rng.gauss(0, .01)), "made", "true"])
    return folder


def verdicts(folder):
    rows = rows_of(page("findings", folder))
    return {row[0]: row[9].strip("*") for row in rows if len(row) == 12 and row[0] != "Claim"}


def check_planted():
    place = {f: .02 * i for i, f in enumerate(("cvci", "obs-only", "exp-only", "grounded", "cvci-residual",
                                               "representation-exp"))}

    def planted(family, reward, beta, n_obs, n_exp):
        y = .5 + place[family] + (.1 if reward == "sharpened" else 0)
        return y - (.00025 * n_exp if family in ("exp-only", "representation-exp") else 0)
    found = verdicts(made_up("planted", planted))
    wanted = {"cvci-best-rank": "holds", "representation-last": "holds", "residual-behind": "holds",
              "exp-only-wins-large": "mixed", "sharpened-is-harder": "holds", "cvci-stays-at-floor": "holds",
              "exp-only-improves": "holds", "grounded-improves": "not separable", "representation-nears-floor": "holds",
              "representation-reaches-floor": "does not hold", "sharpened-favours-exp": "does not hold",
              "proxy-fit-stays": "holds", "scarce-exp-needs-obs": "holds", "smooth-favours-obs": "holds"}
    wrong = {name: (found.get(name), verdict) for name, verdict in wanted.items() if found.get(name) != verdict}
    assert not wrong, wrong
    turned = verdicts(made_up("turned", lambda family, *keys: 2 - planted(family, *keys)))
    assert turned["cvci-best-rank"] == "does not hold" and turned["representation-last"] == "does not hold", turned
    assert turned["exp-only-improves"] == "does not hold" and turned["proxy-fit-stays"] == "holds", turned
    few = verdicts(made_up("few", planted, 9))
    assert set(few.values()) <= {"not separable", "not applicable"}, few
    own = FOLDER / "own.csv"
    own.write_text("table,row,column,statistic,subject,n_exp,value\nmine,a,b,regret,cvci,#1/2,0.5\n"
                   "mine,a,c,regret,obs-only,#1/2,0.6\nmine,a,d,lead,obs-only,20,0.1\nmine,a,e,regret,cvci,#1/3,1\n")
    text = page("against", FOLDER / "planted", own)
    assert "| mine regret | 2 of 3 | 1 of 1 | 1 of 1 |" in text and "| no: cvci |" in text, text
    assert "the run has 2 values of n_exp, not 3" in text, text
    assert "there are paper, T4" in page("against", FOLDER / "planted", "T98", fails=True)
    assert "no run here has the shape" in page("findings", ROOT / "reports" / "phase", fails=True)
    assert "would count twice" in page("findings", FOLDER / "planted", FOLDER / "planted", fails=True)
    assert "holds neither" in page("findings", FOLDER, fails=True)


def check_statistics():
    assert ["%08x" % x for x in paper_runs.philox((0, 0, 0, 0))] == ["6627e8d5", "e169c58d", "bc57ac4c", "9b00dbd8"]
    assert abs(paper_runs.student_quantile(.975, 9) - 2.2621571627409915) < 1e-9
    assert abs(paper_runs.student_cdf(-1.5, 3) - .1152922) < 1e-6
    p = [.01, .04, .03, float("nan")]
    assert np.allclose(paper_runs.adjusted(p, True)[:3], [.03, .06, .06])
    assert np.allclose(paper_runs.adjusted(p, False)[:3], [.03, .04, .04])
    weight = paper_runs.resamples(12)
    assert weight.sum() == 12 * 2000 and abs(weight[:, 0].mean() - 1) < .1
    assert abs(paper_runs.kendall([1, 2, 3], [1, 3, 2]) - 1 / 3) < 1e-12


check_statistics()
check_committed("--update" in sys.argv)
check_planted()
print("the pages of paper.py are as committed, and findings as planted")
