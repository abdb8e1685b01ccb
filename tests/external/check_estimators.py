#!/usr/bin/env python3
"""Families of one's own, as a user has them: runs of the program with the templates of docs/examples/estimators and
with workers that misbehave.

Usage: check_estimators.py CHECK REGRET PROJECT FOLDER AGENT_MEANS

CHECK is one of those at the end of this file. Exit code 77 where a library for Python is missing.
"""
import csv
import importlib.util
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

WORKER = r'''
import json, os, pathlib, struct, sys, time
mode, note = sys.argv[1], pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
def put(folder, name, numbers, kind="<f8"):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }" % (kind, len(numbers))
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    (folder / name).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode()
                                + struct.pack("<%dd" % len(numbers), *numbers))
for line in sys.stdin:
    folder = pathlib.Path(line.rstrip("\n").split(" ", 1)[1])
    facts = json.loads((folder / "problem.json").read_text())
    n = facts["pairs"]
    if note: note.write_text(" ".join([str(os.getpid()), str(folder.parent)]))
    odd = facts["random"] % 2 == 1
    if mode == "hang" or (mode == "hang-once" and odd): time.sleep(1000)
    if mode == "late" and not (folder.parent.parent / "late").exists():
        (folder.parent.parent / "late").touch()
        time.sleep(1)
    if mode == "slow": time.sleep(0.25)
    if mode in ("crash", "late"): os._exit(3)
    if mode == "garbage": print("Epoch 1 of 10")
    if mode == "failed" or (mode == "fail-some" and odd): print("failed for a reason", flush=True); continue
    put(folder, "prediction.npy", [0.5 if mode != "nan" else float("nan")] * (n + (mode == "shape")),
        "<f4" if mode == "f4" else "<f8")
    if mode == "cross-fit": put(folder, "cross_fit.npy", [0.5])
    print("done", flush=True)
'''
SMALL = ["--set", "n_obs=200", "--set", "n_exp=80", "--set", "features.buckets=512", "--set", "contexts.hard=10"]
failures = []


def check(condition, what):
    if not condition:
        failures.append(what)


class Bench:
    """A folder with a configuration and the worker above."""

    def __init__(self, regret, project, folder, agent_means):
        self.regret, self.project, self.agent_means = regret, project, agent_means
        self.folder = pathlib.Path(folder)
        shutil.rmtree(folder, ignore_errors=True)
        (self.folder / "tmp").mkdir(parents=True)
        (self.folder / "worker.py").write_text(WORKER)
        self.estimators = project / "docs" / "examples" / "estimators"
        self.environment = dict(os.environ, TMPDIR=str(self.folder / "tmp"), OPENBLAS_NUM_THREADS="1")

    def config(self, *families, name="config.json", **keys):
        pool = str(self.project / "data" / "pools" / "newswire")
        text = {"pool": pool, "seeds": 2, "sweep": {"reward.map": ["smooth", "sharpened"], "beta": [0, 1]},
                "families": list(families), **keys}
        (self.folder / name).write_text(json.dumps(text))

    def mine(self, *words, limit=60):
        return {"name": "mine", "command": [sys.executable, "worker.py", *words], "time_limit": limit}

    def template(self, name):
        return {"name": name, "command": [sys.executable, f"{name}.py"], "folder": str(self.estimators)}

    def start(self, *words):
        return subprocess.Popen([self.regret, *words], cwd=self.folder, env=self.environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, *words, code=0):
        """What was said on stderr."""
        process = self.start(*words)
        _, said = process.communicate()
        check(process.returncode == code, f"{words}: exit code {process.returncode}, not {code}: {said}")
        check(not list((self.folder / "tmp").iterdir()), f"{words}: something is left in the temporary folder")
        return said

    def rows(self, run):
        return [json.loads(line) for line in self.bytes(run).decode().splitlines()]

    def bytes(self, run):
        return (self.folder / run / "results-1-of-1.jsonl").read_bytes()

    def numbers(self, run, family):
        """Its rows but for their name and what it tunes."""
        left_out = ("family", "rho", "lambda", "cv", "leak")
        return [{k: v for k, v in row.items() if k not in left_out} for row in self.rows(run) if row["family"] == family]


def want(*modules):
    for module in modules:
        if importlib.util.find_spec(module) is None:
            print(f"skipped: {sys.executable} has no {module}")
            sys.exit(77)


def ridge(bench):
    """NumPy's ridge is exp-only, whatever DR is cross-fitted by, and in a controlled world."""
    want("numpy")
    bench.config("exp-only", "cvci", bench.template("ridge"))
    world = ["--set", "task=world", "--set", "pool=synth:newswire", "--set", "synth.articles=20", "--set",
             "proxy.kind=predicted-labels", "--set", "contexts.hard=0"]
    cases = [[], ["--set", "values.fold_unit=row"], ["--set", "values.plugin=full"],
             ["--set", "contexts.folds=3", "--fold", "2"], ["--set", "values.enabled=false"]]
    for case in cases:
        bench.run("cell", "config.json", "--cell", "1", "--seed", "1", "--export", "e", "--force", "--allow-commands",
                  "--set", "n_obs=200", "--set", "n_exp=80", "--set", "contexts.hard=12", *case)
        compare(bench.folder / "e", case)
    bench.config("exp-only", bench.template("ridge"), sweep={"beta": [0, 1]})
    bench.run("cell", "config.json", "--cell", "1", "--export", "e", "--force", "--allow-commands", *world)
    compare(bench.folder / "e", "world")


def compare(folder, case):
    with open(folder / "predictions.csv", encoding="utf-8") as file:
        worst = max(abs(float(row["exp-only"]) - float(row["ridge"])) for row in csv.DictReader(file))
    check(worst < 1e-10, f"{case}: predictions differ by {worst}")
    with open(folder / "values.csv", encoding="utf-8") as file:
        rows = {(row["family"], row["agent"]): row for row in csv.DictReader(file)}
    for (family, agent), row in rows.items():
        for kind in ("dm", "dr", "sndr"):
            mine, theirs = float(row[kind]), float(rows["exp-only", agent][kind])
            if family == "ridge" and not (mine != mine and theirs != theirs):
                check(abs(mine - theirs) < 1e-10, f"{case}: {kind} of agent {agent} is {mine}, not {theirs}")


def bytes_(bench):
    """Two threads, shards and a resumed run give the bytes of one thread, and every table counts the family."""
    want("numpy")
    bench.config("exp-only", bench.template("ridge"))
    bench.run("run", "config.json", "-o", "one", "--threads", "1", "--allow-commands", *SMALL)
    bench.run("run", "config.json", "-o", "two", "--threads", "2", "--allow-commands", *SMALL)
    check(bench.bytes("one") == bench.bytes("two"), "two threads give other rows")
    for i in (1, 2, 3):
        bench.run("run", "config.json", "--shard", f"{i}/3", "-o", f"s{i}", "--allow-commands", *SMALL)
    bench.run("merge", "s1", "s2", "s3", "-o", "merged")
    check(bench.bytes("one") == bench.bytes("merged"), "shards give other rows")
    lines = bench.bytes("one").splitlines(keepends=True)
    (bench.folder / "two" / "results-1-of-1.jsonl").write_bytes(b"".join(lines[:20]) + lines[20][:30])
    bench.run("run", "config.json", "-o", "two", "--resume", "--allow-commands", *SMALL)
    check(bench.bytes("one") == bench.bytes("two"), "a resumed run gives other rows")
    close = [(a["regret"], a["dr_rmse"]) for a in bench.numbers("one", "exp-only")], \
            [(b["regret"], b["dr_rmse"]) for b in bench.numbers("one", "ridge")]
    check(all(abs(x - y) < 1e-9 for a, b in zip(*close) for x, y in zip(a, b)), "the ridge is not exp-only")
    report = (bench.folder / "one" / "report" / "report.md").read_text()
    check("| ridge |" in report and "Own family" in report and "--allow-commands" in report, "the report lacks it")
    bench.run("run", "two/run.json", "-o", "again", "--allow-commands")
    check(bench.bytes("one") == bench.bytes("again"), "the run.json of a run gives other rows")
    (bench.folder / "elsewhere").mkdir()
    shutil.copy(bench.folder / "one" / "report" / "config.json", bench.folder / "elsewhere" / "config.json")
    bench.run("run", "elsewhere/config.json", "-o", "afar", "--allow-commands")
    check(bench.bytes("one") == bench.bytes("afar"), "the config.json of a report gives other rows")


def failures_(bench):
    """What goes wrong is a word in the rows, a count in the tables, and nothing else."""
    bench.config("exp-only", name="alone.json")
    bench.run("run", "alone.json", "-o", "alone", "--seeds", "1", *SMALL)
    for mode, word in {"crash": "crash", "hang": "time-out", "garbage": "protocol", "failed": "failed", "f4": "format",
                       "shape": "shape", "nan": "not-finite", "cross-fit": "shape"}.items():
        bench.config("exp-only", bench.mine(mode, limit=1 if mode == "hang" else 60))
        said = bench.run("run", "config.json", "-o", mode, "--threads", "2", "--seeds", "1", "--allow-commands", *SMALL)
        check(f"mine has no fit in cell 0, seed 0 ({word}): " in said, f"{mode}: {said}")
        check("mine has no fit in 4 of the 4 replicates computed" in said, f"{mode}: {said}")
        rows = [row for row in bench.rows(mode) if row["family"] == "mine"]
        check([row["failure"] for row in rows] == [word] * 4, f"{mode}: not every row says {word}")
        check(all(row["regret"] is None and row["loss"] is None for row in rows), f"{mode}: a failed row has numbers")
        check(bench.numbers(mode, "exp-only") == bench.numbers("alone", "exp-only"), f"{mode}: exp-only is another")
    check(not any("failure" in row for row in bench.rows("alone")), "a row without families of one's own has a failure")
    with open(bench.folder / "alone" / "report" / "results.csv", encoding="utf-8") as file:
        check("failure" not in next(csv.reader(file)), "results.csv has a column that nobody needs")
    with open(bench.folder / "crash" / "report" / "results.csv", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["family"] == "mine"]
        check([(row["failure"], row["regret"]) for row in rows] == [("crash", "")] * 4, "results.csv")
    bench.config("exp-only", bench.mine("late"))
    process = bench.start("run", "config.json", "-o", "late", "--threads", "2", "--seeds", "1", "--allow-commands", *SMALL)
    said = [line.split()[7] for line in process.communicate()[1].splitlines() if "has no fit in cell" in line]
    check(said == ["0,", "1,", "2,"], f"the first worker is the last to fail, and the cells named are {said}")
    (bench.folder / "tmp" / "late").unlink()
    bench.config("exp-only", bench.mine("fail-some"), seeds=8)
    bench.run("run", "config.json", "-o", "some", "--allow-commands", *SMALL)
    n = sum("failure" in row for row in bench.rows("some"))
    report = (bench.folder / "some" / "report" / "report.md").read_text()
    check(0 < n < 32 and n % 4 == 0, f"{n} of 32 fail: the random number is that of the seed")
    check(f"mine has no fit in {n} of 32 replicates (failed {n})" in report, "the report does not count")
    check(f"mine has no DR and SNDR in {32 - n} of 32 replicates" in report, "nor what lacks DR")
    check("INCOMPLETE" not in report, "a failure is no gap")
    said = bench.run("cell", "config.json", "--export", "e", "--allow-commands", "--set",
                     "families=" + json.dumps([bench.mine("crash")]), code=2)
    check('family "mine" has no fit (crash): it ended with status 3' in said, said)


def refusals(bench):
    """Before anything is written."""
    def refused(family, words, *options):
        bench.config("exp-only", family)
        said = bench.run("run", "config.json", "-o", "never", *options, code=2)
        check(words in said, f"no \"{words}\" in: {said}")
        check(not (bench.folder / "never").exists(), f"a folder is made after: {said}")

    allow = "--allow-commands"
    mine = bench.mine("ok")
    refused(mine, "if you trust it, add --allow-commands")
    refused(dict(mine, command=["no-such-program-of-ours"]), "there is no program", allow)
    refused(dict(mine, folder="nowhere"), "cannot enter the folder", allow)
    refused(dict(mine, command=[]), "an array of 1 to 64 words", allow)
    refused(dict(mine, command="python3 mine.py"), "an array of 1 to 64 words", allow)
    refused(dict(mine, command=["a" * 2000]), "must have 1 to", allow)
    refused(dict(mine, time_limit=0), "must be 0.01 to 1e+06 seconds", allow)
    refused(dict(mine, timelimit=5), "time_limit", allow)
    refused({"name": "mine"}, 'either a "command" or "predictions"', allow)
    refused(dict(mine, predictions="p.csv"), 'either a "command" or "predictions"', allow)
    for name in ("cvci", "oracle"):
        refused(dict(mine, name=name), "is taken", allow)
    for name in ("", "1st", "a b", "<b>", "a" * 41, "=1+1", "a/b", "é"):
        refused(dict(mine, name=name), "wants a name of", allow)
    bench.config(mine, dict(mine))
    check("is taken" in bench.run("run", "config.json", "-o", "never", allow, code=2), "twice the same name")
    bench.config(*[dict(mine, name=f"m{i}") for i in range(5)])
    check("more than 4 of your own" in bench.run("run", "config.json", "-o", "never", allow, code=2), "five")
    bench.config("exp-only", mine)
    for command in (["cell", "config.json", "--export", "e"], ["cost", "config.json"]):
        check("add --allow-commands" in bench.run(*command, code=2), f"{command} starts it")
    check('"mine"' in bench.run("run", "config.json", "-o", "never", code=2), "the family is not named")
    resumed(bench)


def resumed(bench):
    """A run of another estimator is no run to resume."""
    bench.config("exp-only", bench.mine("ok"))
    bench.run("run", "config.json", "-o", "r", "--allow-commands", "--seeds", "1", *SMALL)
    again = ["run", "config.json", "-o", "r", "--resume", "--seeds", "1", *SMALL]
    check("add --allow-commands" in bench.run(*again, code=2), "resuming starts it unasked")
    bench.run(*again, "--allow-commands")
    bench.config("exp-only", bench.mine("failed"))
    said = bench.run(*again, "--allow-commands", code=2)
    check("is a run of another configuration (families is" in said, said)
    bench.config("exp-only", bench.mine("ok"))
    (bench.folder / "worker.py").write_text(WORKER + "# changed\n")
    said = bench.run(*again, "--allow-commands", code=2)
    check("is a run of another estimator (the digest of the files of mine is" in said, said)


def files(bench):
    """Predictions of a file rank as those of the family that they are of."""
    bench.config("exp-only", "obs-only", **{"values.enabled": False})
    bench.run("run", "config.json", "-o", "plain", *SMALL)
    grid = json.loads((bench.folder / "plain" / "run.json").read_text())["grids"][0]
    (bench.folder / "p").mkdir()
    for seed in (0, 1):
        with open(bench.folder / "p" / f"{seed}.csv", "w", encoding="utf-8", newline="") as file:
            out = csv.writer(file)
            out.writerow(["cell", "seed", "context", "agent", "prediction"])
            for cell in range(4):
                bench.run("cell", "config.json", "--cell", str(cell), "--seed", str(seed), "--export", "e", "--force",
                          *SMALL)
                with open(bench.folder / "e" / "predictions.csv", encoding="utf-8") as predictions:
                    for i, row in enumerate(csv.DictReader(predictions)):
                        x, a = divmod(i, len(grid["agents"]))
                        out.writerow([cell, seed, grid["contexts"][x], grid["agents"][a], row["obs-only"]])
    file = {"name": "mine", "predictions": "p"}
    bench.config("exp-only", "obs-only", file, **{"values.enabled": False})
    bench.run("run", "config.json", "-o", "filed", "--threads", "2", *SMALL)
    check(bench.numbers("filed", "mine") == bench.numbers("plain", "obs-only"), "they rank as something else")
    again = ["run", "config.json", "-o", "filed", "--resume", *SMALL]
    bench.run(*again)
    (bench.folder / "p").rename(bench.folder / "moved")
    bench.config("exp-only", "obs-only", dict(file, predictions="moved"), **{"values.enabled": False})
    bench.run(*again)
    text = (bench.folder / "moved" / "1.csv").read_text().splitlines(keepends=True)
    (bench.folder / "moved" / "1.csv").write_text("".join(text[:len(text) // 2]))
    check("is a run of another estimator" in bench.run(*again, code=2), "other predictions are resumed")
    said = bench.run("run", "config.json", "-o", "half", *SMALL)
    check("seed 1 (missing): the predictions have none of context" in said, said)
    words = {row.get("failure") for row in bench.rows("half") if row["family"] == "mine" and row["seed"] == 1}
    check(words == {None, "missing"}, f"{words}")
    (bench.folder / "moved" / "2.csv").write_text("context,agent,prediction\n")
    check("2.csv:1: other columns" in bench.run("run", "config.json", "-o", "never", *SMALL, code=2), "the message")


def wait_for(condition, seconds=60):
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.02)
    return condition()


def is_alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def is_quiet(path):
    """Nobody has written there for two seconds: all threads wait for a worker that hangs."""
    return time.time() - path.stat().st_mtime > 2


def interrupt(bench):
    """An interrupt ends a run that waits for a command at once; the worker with it, and the run can be resumed."""
    bench.config("exp-only", bench.mine("ok"), seeds=6)
    bench.run("run", "config.json", "-o", "whole", "--allow-commands", *SMALL)
    for number in (signal.SIGINT, signal.SIGTERM):
        bench.config("exp-only", bench.mine("hang-once", "note"), seeds=6)
        words = ["run", "config.json", "-o", f"cut-{number}", "--threads", "2", "--allow-commands", "-q", *SMALL]
        process = bench.start(*words)
        wait_for(lambda: (bench.folder / "note").exists() and is_quiet(bench.folder / "note"))
        check(process.poll() is None, "nothing hangs")
        pid, folder = (bench.folder / "note").read_text().split()
        begun = time.monotonic()
        process.send_signal(number)
        _, said = process.communicate()
        check(time.monotonic() - begun < 10, "the interrupt is slow")
        check(process.returncode == 1 and "regret: stopped after " in said and "--resume goes on" in said, said)
        check(wait_for(lambda: not is_alive(pid)), "the worker lives on")
        (bench.folder / "note").unlink()
        check(not pathlib.Path(folder).exists() and not list((bench.folder / "tmp").iterdir()), "files are left")
        rows = (bench.folder / f"cut-{number}" / "results-1-of-1.jsonl").read_text()
        check(rows.count("\n") % 8 == 0 and rows.endswith("\n" if rows else ""), "half a replicate")
    text = (bench.folder / "worker.py").read_text()
    check(text == WORKER, "the worker is as it was")
    bench.config("exp-only", bench.mine("hang-once", limit=0.5), seeds=6)
    bench.run("run", "config.json", "-o", "late", "--threads", "2", "--allow-commands", *SMALL)
    words = [row.get("failure") for row in bench.rows("late") if row["family"] == "mine"]
    check(set(words) == {None, "time-out"}, f"{set(words)}: only those that hang are late")
    check(bench.numbers("late", "exp-only") == bench.numbers("whole", "exp-only"), "exp-only is another")


SPY = r'''
import pathlib, shutil, sys
for line in sys.stdin:
    folder = pathlib.Path(line.rstrip("\n").split(" ", 1)[1])
    shutil.copytree(folder, sys.argv[1], dirs_exist_ok=True)
    print("failed on purpose", flush=True)
'''


def written(bench):
    """What a problem says: the files of docs/formats.md, the numbers of an export, no segment, no target and no
    outcome of a held-out context."""
    want("numpy")
    import numpy as np
    (bench.folder / "spy.py").write_text(SPY)
    spy = {"name": "spy", "command": [sys.executable, "spy.py", "seen"]}
    options = ["--set", "values.fold_unit=context", "--set", "values.plugin=folds", *SMALL]
    bench.config("exp-only", spy)
    bench.run("cell", "config.json", "--cell", "3", "--seed", "1", "--export", "e", "--allow-commands", *options, code=2)
    bench.run("cell", "config.json", "--cell", "3", "--seed", "1", "--export", "e", "--set", 'families=["exp-only"]',
              *options)
    seen, export = bench.folder / "seen", bench.folder / "e"
    names = sorted(path.name for path in seen.iterdir())
    document = (bench.project / "docs" / "formats.md").read_text()
    check(names == sorted(set(names) & set(document.replace("`", " ").split())), f"{names}: not all are documented")
    array = {name[:-4]: np.load(seen / name) for name in names if name.endswith(".npy")}
    facts = json.loads((seen / "problem.json").read_text())
    for fact in facts:
        check(f"`{fact}`" in document, f"{fact} is not documented")
    read = lambda name: np.genfromtxt(export / name, delimiter=",", names=True)
    for rows in ("obs", "exp"):
        table = read(f"{rows}.csv")
        check(np.array_equal(array[f"{rows}_pair"], table["pair"]) and np.array_equal(array[f"{rows}_y"], table["y"]),
              f"the {rows} rows are others")
        check(array["train"][array[f"{rows}_pair"]].all(), f"{rows} has rows of held-out contexts")
    z = np.genfromtxt(export / "z-aux-svd.csv", delimiter=",", skip_header=1)
    check(np.array_equal(array["z"], z[:, -facts["z_columns"]:]), "z is another")
    lines = [line.split() for line in (export / "phi.mtx").read_text().splitlines() if line[0] != "%"]
    pairs, columns, entries = map(int, lines[0])
    check((pairs, columns, entries) == (facts["pairs"], facts["columns"], len(array["phi_data"])), "φ has other sizes")
    triplets = np.array(lines[1:], dtype=float)
    row = np.repeat(np.arange(pairs), np.diff(array["phi_indptr"]))
    check(np.array_equal(triplets, np.stack([row + 1, array["phi_indices"] + 1, array["phi_data"]], 1)), "φ is another")
    check(not (array["train"] & array["evaluated"]).any() and array["evaluated"].any(), "held-out contexts train")
    fold = array["exp_dr_fold"]
    context = array["pair_context"]
    of_context = dict(zip(context[array["exp_pair"]], fold))
    wanted = [of_context.get(x, -1) for x in context[array["obs_pair"]]]
    check(np.array_equal(array["obs_dr_fold"], wanted), "OBS rows are left out with other folds")
    check(facts["wants_cross_fit"] and facts["wants_fold_mean"] and facts["dr_mode"] == "contexts", "the facts")
    check(len(np.unique(fold)) == facts["dr_folds"], "the folds of DR")
    secret = json.dumps(facts) + " ".join(names)
    check(not any(word in secret for word in ("segment", "target", "truth")), "the names tell something")
    held_out = {x for x, train in zip(context, array["train"]) if not train}
    before = problem_of(bench, options, "before", ())
    after = problem_of(bench, options, "after", held_out)
    check(before == after, "the scores of held-out contexts change " + ", ".join(k for k in before if before[k] != after[k]))
    trained = problem_of(bench, options, "trained", set(context) - held_out)
    changed = sorted(name for name in before if before[name] != trained[name])
    check(changed == ["exp_y.npy", "obs_pair.npy", "obs_y.npy", "z.npy"], f"scores of training contexts change {changed}")


def problem_of(bench, options, name, contexts):
    """The files of the problem in a pool of as many contexts as the export has, where the scores of some are others."""
    source, pool = bench.project / "data" / "pools" / "newswire", bench.folder / name
    ids = json.loads((bench.folder / "e" / "cell.json").read_text())["contexts"]
    other = {ids[x] for x in contexts}
    pool.mkdir()
    facts = json.loads((source / "pool.json").read_text())
    (pool / "pool.json").write_text(json.dumps({k: v for k, v in facts.items() if "digest" not in k}))
    for file, key in (("contexts.jsonl", "id"), ("outputs.jsonl", "context")):
        rows = [json.loads(line) for line in (source / file).read_text().splitlines()]
        rows = [row for row in rows if row[key] in ids]
        for row in rows:
            if row[key] in other and "components" in row:
                row["components"] = {k: 5 - v for k, v in row["components"].items()}
        (pool / file).write_text("".join(json.dumps(row) + "\n" for row in rows))
    bench.config({"name": "spy", "command": [sys.executable, "spy.py", f"{name}/seen"]}, pool=name)
    bench.run("cell", "config.json", "--cell", "3", "--seed", "1", "--export", "never", "--allow-commands", *options,
              "--set", "contexts.hard=0", code=2)
    return {path.name: path.read_bytes() for path in (pool / "seen").iterdir()}


def agent_means(bench):
    """The template in C, which registers its family, and a hyper-parameter that a configuration can set."""
    bench.config("exp-only", **{"agent_means.kappa": 0})
    process = subprocess.run([bench.agent_means, "config.json", "run"], cwd=bench.folder, text=True, capture_output=True,
                             env=bench.environment, check=False)
    check(process.returncode == 0, process.stderr)
    report = (bench.folder / "run" / "report" / "report.md").read_text()
    check("| agent-means |" in report, "the report lacks it")
    rows = bench.rows("run")
    mine = [row for row in rows if row["family"] == "agent-means"]
    best = [row for row in rows if row["family"] == "best-exp"]
    check([row["regret"] for row in mine] == [row["regret"] for row in best] and len(mine) == 8,
          "without shrinkage it recommends the best agent of EXP")
    check(all(row["dr_rmse"] is not None for row in mine), "it has no DR")


def boosting(bench):
    """scikit-learn's boosting is a family like others."""
    want("numpy", "sklearn")
    bench.config("exp-only", bench.template("boosting"), seeds=1, sweep={"beta": [0, 1]})
    bench.run("run", "config.json", "-o", "one", "--threads", "1", "--allow-commands", *SMALL)
    bench.run("run", "config.json", "-o", "two", "--threads", "2", "--allow-commands", *SMALL)
    check(bench.bytes("one") == bench.bytes("two"), "two threads give other rows")
    rows = bench.numbers("one", "boosting")
    check(len(rows) == 2 and all(row["regret"] is not None and row["dr_rmse"] is not None for row in rows), f"{rows}")


def counted(bench):
    """A dry run waits for the command and counts that: 8 answers of a quarter of a second each, at the least."""
    bench.config("exp-only", bench.mine("slow"))
    process = bench.start("run", "config.json", "-o", "r", "--dry-run", "--allow-commands", "--threads", "1", *SMALL)
    said = process.communicate()[0]
    takes = re.search(r"takes +about ([0-9.]+) s ", said)
    check(takes and float(takes[1]) >= 2.0, f"takes 2 s and more, by a dry run: {said}")
    cost = bench.start("cost", "config.json", "--allow-commands", "--format", "json", *SMALL)
    replicate = json.loads(cost.communicate()[0])["seconds_per_replicate"]
    check(replicate >= 0.25, f"a replicate takes {replicate} s")
    bench.config("exp-only", dict(bench.mine("ok"), command=["/bin/false"]))
    said = bench.run("run", "config.json", "-o", "r", "--dry-run", "--allow-commands", *SMALL)
    check("mine has no fit in cell 0, seed 0 (crash)" in said, f"a dry run says who fails in what it measures: {said}")


CHECKS = {"counted": counted, "ridge": ridge, "bytes": bytes_, "failures": failures_, "refusals": refusals, "files": files,
          "interrupt": interrupt, "written": written, "agent-means": agent_means, "boosting": boosting}


def main():
    name, regret, project, folder, program = sys.argv[1:6]
    CHECKS[name](Bench(regret, pathlib.Path(project), folder, program))
    for what in failures:
        print(what)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
