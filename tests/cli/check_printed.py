#!/usr/bin/env python3
"""Do the commands that `regret init` prints work as they are printed, whatever a table holds?

usage: check_printed.py PROGRAM

Makes tables (SYNTHETIC) with names that shells, CSV and spreadsheets take for something else, with marks, line ends and
separators of all kinds, and with what is wrong with tables of one's own; hands every line that init prints to sh as it
stands; and asks for a message with the file, the line and a remedy where init refuses.
"""
import csv
import io
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

RNG = random.Random(29)
ROWS = 24
NAMES = ["a,b", "🤖 bot", 'say "hi"', "two words", "x" * 200, "=SUM(A1)", "-o", "--force", "é", "a'b", "$HOME", "`id`", "a\\b",
         "*", "a|b", "a;b", "c#d", "a/b", "%s%n", " lead", "trail ", "a\tb", "y"]
WORDS = ["two words", "=SUM(A1)", "`id`", "*", "%s%n"]  # they say something else of a column, or nothing
PLAIN = ["gpt", "claude", "llama"]
FULL = {"wide-four.csv", "it's \"quoted\" $x.csv", "votes.csv", "ranks.csv"}  # run, of 6 seeds

ANSWERS = {"votes.csv": " --winner "}  # which of the commands is meant


def table(head, rows, delimiter=",", end="\n"):
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, lineterminator=end)
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()


def rating(*_):
    return RNG.randint(1, 5)


def long(agents, cell=rating, score="score", **how):
    return table(["prompt_id", "prompt", "model", score],
                 [[f"p{i}", f"what is {i}?", a, cell(i, a)] for i in range(ROWS) for a in agents], **how)


def wide(agents, cell=rating, **how):
    return table(["prompt_id", "prompt", *agents],
                 [[f"p{i}", f"what is {i}?", *(cell(i, a) for a in agents)] for i in range(ROWS)], **how)


def votes(agents):
    rows = [[f"what is {i % 12}?", *RNG.sample(agents, 2), RNG.choice(["model_a", "model_b", "tie"])] for i in range(80)]
    return table(["prompt", "model_a", "model_b", "winner"], rows)


def one_of(*values):
    return lambda *_: RNG.choice(values)


def decimals(*_):
    return f"{RNG.random():.2f}".replace(".", ",")


def only(agent, value, other=rating):
    return lambda i, a: value if a == agent else other(i, a)


def average():
    rows = []
    for i in range(ROWS):
        scores = [rating() for _ in PLAIN]
        rows.append([f"p{i}", *scores, round(sum(scores) / len(scores), 2)])
    return table(["id", *PLAIN, "Average"], rows)


def taken():
    """Name of the file, its text, and how many agents the pool must have."""
    for i, name in enumerate(NAMES):
        yield f"long-{i}.csv", long(["m1", name, "m3"]), 3
        if name not in WORDS:
            yield f"wide-{i}.csv", wide(["m1", name, "m3"]), 3
    yield "long-names.csv", long(NAMES), len(NAMES)
    yield "wide-names.csv", wide([n for n in NAMES if n not in WORDS][:10]), 10
    yield "wide-four.csv", wide(NAMES[6:10]), 4
    yield "votes.csv", votes(NAMES[:6]), 6
    yield "it's \"quoted\" $x.csv", long(PLAIN), 3
    yield "a\x1b[1mb\tc.csv", long(PLAIN), 3
    yield "mark.csv", "\ufeff" + long(PLAIN), 3
    yield "mark-wide.csv", "\ufeff" + wide(PLAIN, end="\r\n"), 3
    yield "line-ends.csv", long(PLAIN, end="\r\n"), 3
    yield "semicolons.csv", long(PLAIN, decimals, delimiter=";"), 3
    yield "commas.csv", wide(PLAIN, decimals), 3
    yield "tabs.tsv", wide(PLAIN, delimiter="\t"), 3
    yield "bars.csv", wide(PLAIN, delimiter="|"), 3
    yield "yes-no.csv", long(PLAIN, one_of("yes", "no", "Yes")), 3
    yield "yes-no-1-0.csv", long(PLAIN, one_of("yes", "no", 1, 0)), 3
    yield "pass.csv", wide(PLAIN, one_of("PASS", "FAIL")), 3
    yield "grades.csv", long(PLAIN, one_of("A+", "B", "C-", "F"), "grade"), 3
    yield "grades-unnamed.csv", long(PLAIN, one_of("A+", "B", "C-", "F"), "result"), 3
    yield "grades-wide.csv", wide(PLAIN, one_of("A+", "B", "C-", "F")), 3
    yield "average.csv", average(), 3
    yield "ranks.csv", long(PLAIN, lambda i, a: PLAIN.index(a) + 1, "rank"), 3
    yield "raters.csv", table(["prompt_id", "model", "annotator_1", "annotator_2"],
                              [[f"p{i}", a, rating(), rating()] for i in range(ROWS) for a in PLAIN]), 3
    yield "one-name.csv", table(["id", "model", "quality (a)", "quality [a]"],
                                [[f"p{i}", a, rating(), rating()] for i in range(ROWS) for a in PLAIN]), 3
    yield "no-score-of-one.csv", long(PLAIN + ["mistral"], only("mistral", "")), 3
    yield "blank-lines.csv", long(PLAIN).replace("\n", "\n\n"), 3
    yield "other-text.csv", long(PLAIN).replace("p5,what is 5?,claude", "p5,what is it?,claude"), 3
    yield "infinite.csv", long(PLAIN, lambda i, a: "inf" if i == 3 else rating()), 3
    yield "rows.jsonl", "\n".join(json.dumps({"prompt_id": f"p{i}", "model": a, "score": rating()})
                                  for i in range(ROWS) for a in NAMES[:6]), 6


REFUSED = [  # the file, its text, and what the message must have
    ("percent.csv", long(PLAIN, lambda *_: f"{RNG.randint(0, 100)}%"), ["percent.csv:2: ", "percent sign"]),
    ("percent-of-one.csv", wide(PLAIN, only("llama", "95%", lambda *_: RNG.randint(0, 100))), [":2: ", '"llama"', "percent"]),
    ("yes-no-5.csv", long(PLAIN, one_of("yes", 5)), ["yes-no-5.csv:", "write all of them as numbers, or none"]),
    ("grades-95.csv", long(PLAIN, one_of("A", "F", 95), "grade"), ["grades-95.csv:", "as letter grades"]),
    ("partly.csv", long(PLAIN, one_of("yes", "no", "partly")), ["partly.csv:", '"partly"', "leave cells blank"]),
    ("fractions.csv", long(PLAIN, one_of("3/5", "4/5")), ["fractions.csv:2: ", "decimal point"]),
    ("thousands.csv", wide(PLAIN, lambda *_: f"{RNG.randint(1000, 9000):,}"), ["thousands.csv:2: ", "decimal point"]),
    ("twice.csv", wide(["gpt", "claude", "claude"]), ['twice.csv:1: column "claude" is given twice', "rename"]),
    ("twice-long.csv", long(PLAIN).replace("prompt_id,prompt,", "prompt_id,score,"), ["twice-long.csv:1: ", "rename"]),
    ("slip.csv", wide(PLAIN, lambda i, a: 55 if (i, a) == (3, "llama") else rating()), ["slip.csv: ", '"llama" holds 55 (line 5)']),
    ("folder.csv", long(["m1", "..", "m3"]), ["folder.csv:3: ", "rename it"]),
    ("latin.csv", long(["é", "b", "c"]).encode("latin-1"), ["latin.csv:2: ", "convert the file"]),
    ("utf16.csv", long(PLAIN).encode("utf-16"), ["iconv -f UTF-16"]),
    ("no-agent.csv", long(["a", "", "c"]), ["no-agent.csv: ", "line 3", "fill it in"]),
    ("ragged.csv", long(PLAIN) + "p1,x\n", [f"ragged.csv:{3 * ROWS + 2}: 2 fields, but the header has 4"]),
    ("quote.csv", long(PLAIN) + 'p1,"x,m,3\n', [f"quote.csv:{3 * ROWS + 2}: ", "close it"]),
    ("nothing.csv", "", ["is empty"]),
    ("head.csv", "a,b,c\n", ["no rows"]),
    ("turned.csv", table(["model"] + [f"prompt_{i}" for i in range(ROWS)], [[a] + [rating() for _ in range(ROWS)] for a in PLAIN]),
     ["turned.csv: ", '"model" has a row each', "a row a context"]),
    ("two-headers.csv", "\n".join([",,gpt,gpt,claude,claude", "id,prompt,score,cost,score,cost"]
                                  + [f"{i},what is {i}?,{rating()},.1,{rating()},.2" for i in range(ROWS)]) + "\n",
     ['two-headers.csv:1: column "gpt" is given twice']),
    ("votes-words.csv", votes(PLAIN).replace("model_a\n", "A>>B\n").replace("model_b\n", "B>>A\n"),
     ["votes-words.csv: ", "write model_a, model_b"]),
]


def shell(command, folder, bin_folder):
    environment = dict(os.environ, PATH=f"{bin_folder}:{os.environ['PATH']}")
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, errors="replace", check=False)


def write(root, name, text):
    folder = root / f"of {name}"
    folder.mkdir()
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def check_taken(root, name, text, agents):
    folder = write(root, name, text)
    init = shell(["regret", "init", name, "-o", "my out"], folder, root)
    for _ in range(3):  # a question is settled by a command that it prints
        said = [line for line in init.stderr.splitlines() if line.startswith("  regret init ")]
        if init.returncode == 2 and said:
            init = shell(["sh", "-c", next((x for x in said if ANSWERS.get(name, " --agents ") in x), said[0])], folder, root)
    if init.returncode:
        return [f"{name}: init: {init.stderr.strip()}"]
    if any(c < " " and c != "\n" for c in init.stdout):
        return [f"{name!r}: what init prints steers a terminal"]
    config = folder / "my out" / "config.json"
    config.write_text(config.read_text().replace('"seeds": 30', '"seeds": 6'))
    faults, commands = [], [line for line in init.stdout.splitlines() if line.startswith("  regret ")]
    if len(commands) != 4:
        faults.append(f"{name}: init prints {len(commands)} commands")
    for command in commands if name in FULL else commands[:2]:
        done = shell(["sh", "-c", command], folder, root)
        if done.returncode == 2 and "Which one counts?" in done.stderr:
            command = next(line for line in done.stderr.splitlines() if line.startswith("  regret recommend "))
            done = shell(["sh", "-c", command], folder, root)
        if done.returncode not in ((0, 3) if " recommend " in command else (0,)):
            faults.append(f"{name}: {command.strip()}: {done.returncode} {done.stderr.strip()[:300]}")
        if " import " in command and f" {agents} agents," not in done.stdout + done.stderr:
            faults.append(f"{name}: not {agents} agents: {(done.stdout + done.stderr).strip()[:200]}")
    return faults


def check_refused(root, name, text, words):
    init = shell(["regret", "init", name, "-o", "my out"], write(root, name, text), root)
    missing = [word for word in words if word not in init.stderr]
    return [f"{name}: exit {init.returncode}, without {missing}: {init.stderr.strip()}"] if init.returncode != 2 or missing else []


def main():
    faults = []
    with tempfile.TemporaryDirectory() as made:
        root = pathlib.Path(made)
        (root / "regret").symlink_to(os.path.abspath(sys.argv[1]))
        for name, text, agents in taken():
            faults += check_taken(root, name, text, agents)
        for name, text, words in REFUSED:
            faults += check_refused(root, name, text, words)
    print("\n".join(faults) or "every command works as it is printed")
    return int(bool(faults))


sys.exit(main())
