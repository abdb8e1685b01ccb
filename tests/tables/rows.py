"""The rows of the labelled tables: what a recipe of tables.txt stands for, always the same."""
import csv
import hashlib
import json
import os
import random
import re

MODELS = ["gpt-4o", "claude-3-opus", "llama-3-70b", "mistral-large", "gemini-pro", "qwen-72b", "command-r", "phi-3", "yi-34b", "falcon-40b"]
TAGS = ["math", "writing", "coding", "travel", "law", "history", "biology", "chess"]
NOUNS = ["river", "engine", "sonnet", "ledger", "comet", "harbour", "orchard", "violin", "glacier", "market"]


class Cell:
    """One cell's place: context c, agent a, draw d, rater r of row i; b is the other agent of a vote."""

    def __init__(self, name, sizes, agents, c=0, a=0, d=0, r=0, i=0, b=1, agent=None):
        self.name, self.sizes, self.agents, self.c, self.a, self.d, self.r, self.i, self.b = name, sizes, agents, c, a, d, r, i, b
        self.row = {}

    def chance(self, *what):
        return random.Random("/".join(map(str, (self.name, *what)))).random()

    def good(self, column, a=None):
        """From 0 to 1: how good the answer is by a column; agents, contexts, draws and raters differ."""
        a = self.a if a is None else a
        noise = self.chance("answer", self.c, a, self.d) + .4 * self.chance(column, self.c, a, self.d, self.r)
        value = .45 * noise + .25 * self.chance("context", self.c) + .35 * self.chance("agent", a) - .08
        return min(max(value, 0), 1)


def levels(low, high):
    return lambda e, col: low + min(int(e.good(col) * (high - low + 1)), high - low)


def words(yes, no):
    return lambda e, col: yes if e.good(col) > .42 else no


def picked(e, col, seen):
    """The winner of a vote: 0 the first, 1 the second, 2 a tie."""
    gap = e.good("vote", e.a) - e.good("vote", e.b)
    return 2 if abs(gap) < .06 else 0 if gap > 0 else 1


SIMPLE = {
    "id": lambda e, c: f"q{e.c + 1}", "num": lambda e, c: e.c + 1, "row": lambda e, c: e.i, "uuid": lambda e, c: hashlib.md5(f"{e.c}".encode()).hexdigest()[:12],
    "rowid": lambda e, c: hashlib.md5(f"r{e.i}".encode()).hexdigest()[:12], "ansid": lambda e, c: f"s{e.c * 100 + e.a}",
    "text": lambda e, c: f"What should one know of the {NOUNS[e.c % 10]} in case no. {e.c + 1}?", "ref": lambda e, c: f"It is the {NOUNS[e.c % 10]} numbered {e.c + 1}.",
    "agent": lambda e, c: e.agents[e.a], "agent2": lambda e, c: e.agents[e.b], "answer": lambda e, c: f"Reply {e.chance('out', e.c, e.a, e.d):.6f} about the {NOUNS[e.c % 10]}, at some length.",
    "answer2": lambda e, c: f"Reply {e.chance('out', e.c, e.b, e.d):.6f} about the {NOUNS[e.c % 10]}, at some length.", "choice": lambda e, c: "ABCD"[int(4 * e.chance("choice", e.c, e.a, e.d))],
    "gold": lambda e, c: "ABCD"[int(4 * e.chance("gold", e.c))], "share": lambda e, c: f"{e.good(c):.2f}", "share4": lambda e, c: f"{e.good(c):.4f}", "likert": levels(1, 5),
    "seven": levels(1, 7), "ten": levels(0, 10), "points": levels(0, 100), "levels": levels(0, 2), "bit": words(1, 0), "yes": words("yes", "no"), "true": words("True", "False"),
    "pass": words("pass", "fail"), "PASS": words("PASS", "FAIL"), "tick": words("✅", "❌"), "correct": words("correct", "wrong"), "pct": lambda e, c: f"{100 * e.good(c):.1f}",
    "sign": lambda e, c: f"{100 * e.good(c):.0f}%", "comma": lambda e, c: f"{1 + 4 * e.good(c):.1f}".replace(".", ","), "grade": lambda e, c: "FDCBA"[min(int(5 * e.good(c)), 4)],
    "neg": lambda e, c: f"{6 * e.good(c) - 3:.2f}", "loss": lambda e, c: f"{2.5 - 2 * e.good(c):.3f}", "half": lambda e, c: [0, .5, 1][min(int(3 * e.good(c)), 2)],
    "big": lambda e, c: 900 + int(500 * e.good(c)), "few": lambda e, c: int(4 * (1 - e.good(c))), "cost": lambda e, c: f"{.0004 * (1 + e.a) * (1 + e.chance(c, e.c, e.a)):.6f}",
    "usd": lambda e, c: f"${.004 * (1 + e.a) * (1 + e.chance(c, e.c, e.a)):.4f}", "ms": lambda e, c: 300 + int(2000 * e.chance(c, e.c, e.a, e.d)), "sec": lambda e, c: f"{.3 + 4 * e.chance(c, e.c, e.a, e.d):.2f}",
    "tok": lambda e, c: 40 + int(500 * e.chance(c, e.c, e.a, e.d)), "date": lambda e, c: f"2025-0{1 + e.i % 9}-{10 + e.i % 19}T{10 + e.i % 13}:{10 + e.i * 7 % 50}:00", "blank": lambda e, c: "",
    "user": lambda e, c: f"u{int(60 * e.chance('user', e.i))}", "rater": lambda e, c: f"ann{e.r + 1}", "draw": lambda e, c: e.d, "draw1": lambda e, c: e.d + 1, "seed": lambda e, c: 41 + e.d,
    "best": lambda e, c: max(e.agents, key=lambda m: e.good("vote", e.agents.index(m))), "rank": lambda e, c: 1 + sum(e.good("vote", x) > e.good("vote", e.a) for x in range(len(e.agents))),
    "any": lambda e, c: f"{e.chance(c, e.i):.3f}", "length": lambda e, c: 5 + int(90 * e.chance("length", e.c)), "list": lambda e, c: f"[{e.good(c):.2f}, {e.good(c + '2'):.2f}]",
    "texts": lambda e, c: f"['Of the {NOUNS[e.c % 10]}.', 'And no. {e.c}.']", "ratings": lambda e, c: [{"name": n, "value": round(e.good(n), 2)} for n in ("helpfulness", "conciseness")],
    "answers": lambda e, c: [{"model": m, "response": f"Reply {e.chance('out', e.c, x):.6f}", "score": round(e.good("score", x), 2)} for x, m in enumerate(e.agents)],
    "winname": lambda e, c: [e.agents[e.a], e.agents[e.b], "tie"][picked(e, c, 0)], "gold2": lambda e, c: [1, 2, 1.5][picked(e, c, 0)], "json": lambda e, c: [{"who": w, "mark": levels(1, 5)(e, w)} for w in "xy"]}


def by(what):
    """A kind with words behind it: KIND:x,y."""
    head, rest = re.fullmatch(r"(tag|restart|[a-z]+(?=:)):?(.*)", what).groups() if ":" in what or what[-1:].isdigit() else (what, "")
    parts = rest.split(",")
    if head == "tag":
        return lambda e, c: TAGS[e.c % int(rest or 3)]
    if head == "restart":   # within each of so many tags from 1
        return lambda e, c: e.c // int(rest) + 1
    if head == "is":
        return lambda e, c: rest.replace("~", " ")
    if head in ("bycontext", "byagent", "bydraw", "byrater", "anyof"):
        at = {"bycontext": lambda e: e.c, "byagent": lambda e: e.a, "bydraw": lambda e: e.d, "byrater": lambda e: e.r, "anyof": lambda e: int(1e6 * e.chance("any", e.i))}[head]
        return lambda e, c: parts[at(e) % len(parts)].replace("~", " ")
    if head in ("kindbyagent", "kindbycontext", "kindbyrater", "kindbydraw"):   # another kind of number for each
        at = {"kindbyagent": lambda e: e.a, "kindbycontext": lambda e: e.c, "kindbyrater": lambda e: e.r, "kindbydraw": lambda e: e.d}[head]
        return lambda e, c: kind(parts[at(e) % len(parts)])(e, c)
    if head == "mix":   # mix:KIND,VALUE,CHANCE
        return lambda e, c: parts[1].replace("~", " ") if e.chance("mix", c, e.i) < float(parts[2]) else kind(parts[0])(e, c)
    if head == "merged":
        return lambda e, c: kind(rest)(e, c) if e.a == e.d == e.r == 0 else ""
    if head == "mean":
        return lambda e, c: f"{sum(float(e.row[p]) for p in parts) / len(parts):.3f}"
    if head == "won":   # FIRST,SECOND,TIE
        return lambda e, c: parts[picked(e, c, 0)].replace("~", " ")
    if head == "pad":
        return lambda e, c: f"{rest}{e.c + 1:04}"
    raise SystemExit(f"tables.txt: no kind {what}")


def kind(what):
    return SIMPLE.get(what) or by(what)


def read_tables(path):
    tables = []
    for line in open(path, encoding="utf-8").read().split("\n"):
        if line.startswith("= "):
            head, _, origin = line[2:].partition(": ")
            name, _, size = head.partition(" ")
            tables.append({"name": name, "origin": origin, "size": size, "raw": [], "above": [], "below": [], "end": [], "columns": ""})
        elif line[:2] in ("| ", "^ ", "_ ", "$ "):
            tables[-1][{"|": "raw", "^": "above", "_": "below", "$": "end"}[line[0]]].append(line[2:])
        elif line.startswith("> "):
            tables[-1]["label"] = line[2:]
        elif line.startswith("  ") and "label" in tables[-1]:
            tables[-1]["label"] += " " + line.strip()
        elif line and not line.startswith("#"):
            tables[-1]["columns"] += " " + line
    return tables


def places(t, sizes, agents):
    """The cells of the grid, of votes or of a log, in order."""
    n, name = len(agents), t["name"]
    make = lambda **at: Cell(name, sizes, agents, **at)
    if "votes" in sizes:
        pairs = [(int(sizes["c"] * random.Random(f"{name}{i}").random()), *random.Random(f"{name}/{i}").sample(range(n), 2)) for i in range(sizes["votes"])]
        return [make(c=c, a=a, b=b, i=i) for i, (c, a, b) in enumerate(pairs)]
    if "log" in sizes:
        return [make(c=i, a=random.Random(f"{name}{i}").randrange(n), i=i) for i in range(sizes["log"])]
    at = [(c, a, d, r) for c in range(sizes["c"]) for a in range(sizes.get("a", 1)) for d in range(sizes.get("d", 1)) for r in range(sizes.get("r", 1))]
    at = [x for x in at if random.Random(f"{name}{x[:3]}").random() >= sizes.get("h", 0)]
    return [make(c=c, a=a, d=d, r=r, i=i) for i, (c, a, d, r) in enumerate(at)]


def expand(t):
    """(names, rows as lists of texts, options, agents): the table itself."""
    sizes, agents, options = {}, None, set()
    for word in t["size"].split():
        m = re.fullmatch(r"(log|votes|[cadrh])(\d*\.?\d+)", word)
        if m:
            sizes[m[1]] = float(m[2]) if m[1] == "h" else int(m[2])
        elif word.startswith("A:"):
            agents = word[2:].replace("~", " ").split(",")
        else:
            options.add(word)
    agents = agents or MODELS[:sizes.get("a", 4)]
    if "a" not in sizes and not {"votes", "log"} & sizes.keys() and "{a}" not in t["columns"] and t["size"].find("A:") >= 0:
        sizes["a"] = len(agents)
    columns = []
    for word in t["columns"].split():
        name, _, what = word.rpartition("=")
        name = name.replace("~", " ")
        columns += [(name.replace("{a}", m), what, k, name) for k, m in enumerate(agents)] if "{a}" in name else [(name, what, None, name)]
    rows = []
    for e in places(t, sizes, agents) if columns else []:
        at = e.a
        for name, what, k, pattern in columns:
            e.a = at if k is None else k
            e.row[name] = kind(what)(e, pattern)
        e.a = at
        rows.append(e.row)
    return [c[0] for c in columns], rows, options, agents


def cell(value):
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list) else str(value)


def nest(row):
    out = {}
    for name, value in row.items():
        at, parts = out, name.split(".")
        for p in parts[:-1]:
            at = at.setdefault(p, {})
        text = str(value)
        at[parts[-1]] = value if isinstance(value, list) else {"True": True, "False": False, "": None}.get(text, json.loads(text) if re.fullmatch(r"-?(0|[1-9]\d*)(\.\d+)?", text) else text)
    return out


def write(t, folder):
    """Writes the table and keeps what its rows are; returns the path."""
    names, rows, options, t["agents"] = expand(t)
    end = next((x for x in ("tsv", "json", "jsonl") if x in options), "csv")
    path = os.path.join(folder, f"{t['name']}.{end}")
    if t["raw"]:
        text = "\n".join(t["raw"]) + "\n"
        some = list(csv.reader(t["raw"], delimiter="\t" if "\t" in text else ","))
        t["rows"] = [dict(zip(some[0], r)) for r in some[1:]]
    elif end in ("json", "jsonl"):
        lines = [json.dumps(nest(r), ensure_ascii=False) for r in rows]
        text = "[\n" + ",\n".join(lines) + "\n]\n" if end == "json" else "\n".join(lines) + "\n"
    else:
        between = "\t" if end == "tsv" else ";" if "semi" in options else "|" if "pipe" in options else ","
        quote = lambda x: '"' + x.replace('"', '""') + '"' if re.search(r'[",;|\n\t]', x) else x
        lines = t["above"] + ([] if "noheader" in options else [between.join(map(quote, names))]) + t["below"]
        text = "\n".join(lines + [between.join(quote(cell(r[n])) for n in names) for r in rows] + t["end"]) + "\n"
    t["rows"] = t.get("rows") or rows
    with open(path, "wb") as file:
        file.write(text.replace("\n", "\r\n" if "crlf" in options else "\n").encode("latin-1" if "latin1" in options else "utf-8-sig" if "bom" in options else "utf-8", "replace"))
    return path
