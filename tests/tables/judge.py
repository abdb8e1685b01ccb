#!/usr/bin/env python3
"""How `regret init` decides the labelled tables of tables.txt: right, asked or wrong, a table and in all.

    judge.py REGRET [-v] [-k DIR] [NAME ...]      -v: what it says, too; -k: the tables stay there

Of each table `regret init FILE -o DIR` is run and the map compared with the label. Where init asks (exit code 2), the
command that it prints and that agrees with the label is run, four in a row at most, and the map that comes of it
compared. The exit code is 1 where one is wrong, or more than a quarter of those that can be decided are asked about.
"""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

import rows

HERE = os.path.dirname(os.path.abspath(__file__))
MOST_ASKED = .25


def label_of(text):
    """{"ask": words or None, "may": bool, "shape": …, role: what stands behind it}; ~ is a blank."""
    label = {"ask": None, "may": False}
    for part in text.split(" ; "):
        words = [w.replace("~", " ") for w in part.split()]
        if words[0] == "ask":
            label["ask"] = [w.lower() for w in words[1:]]
            continue
        if words[0] == "may":
            label["may"] = True
            words = words[1:]
        label["shape"] = words[0] if words else None
        label.update(w.split("=", 1) for w in words[1:])
    return label


def fill(name, agents):
    """The columns that a pattern stands for."""
    return {re.sub(r"\{a(gent)?\}", lambda _: a, name) for a in agents} if "{a" in name else {name}


def scores_of(label, agents):
    """{column: (less is better, need not be taken)}."""
    out = {}
    for s in label.get("score", "").split(","):
        low, may = s.startswith("-"), s.endswith("?")
        out.update({c: (low, may) for c in fill(s[low:len(s) - may], agents)} if s else {})
    return out


def same(t, some, others):
    """Whether two lists of columns are the same, or part the rows alike."""
    if sorted(some) == sorted(others):
        return True
    if any(n not in r for r in t["rows"] for n in [*some, *others]):
        return False
    keys = [(tuple(map(str, (r[n] for n in some))), tuple(map(str, (r[n] for n in others)))) for r in t["rows"]]
    number = re.fullmatch(r"\d+\.\d+", keys[0][0][0]) is not None
    return not number and len(set(keys)) == len({k for k, _ in keys}) == len({k for _, k in keys})


def as_list(x):
    return x if isinstance(x, list) else [x] if x else []


def same_as(t, columns, label, role):
    return any(same(t, columns, x.split("+")) for x in label.get(role, "").split("^"))


def faults(t, label, m):
    """What is wrong with a map."""
    at, votes, out = m["columns"], m.get("votes"), []
    shape = "votes" if votes else "wide" if "agents" in m else "long"
    if shape != label["shape"]:
        return [f"{shape}, not {label['shape']}"]
    if not same_as(t, as_list(at.get("context")), label, "context"):
        out.append(f"context {at.get('context')}")
    if votes:
        winner = label["winner"].split(",")
        return out + [f"{k} {votes.get(k)}" for k, right in (("model_a", [label["a"]]), ("model_b", [label["b"]]), ("winner", winner)) if as_list(votes.get(k)) != right]
    agents = t["agents"] if shape == "wide" else []
    mine = m.get("agents")
    if isinstance(mine, str):
        mine = [x[1] for n in t["rows"][0] for x in [re.fullmatch(re.escape(mine).replace(r"\{agent\}", "(.+)"), n)] if x]
    if shape == "long" and not same_as(t, as_list(at.get("agent")), label, "agent"):
        out.append(f"agent {at.get('agent')}")
    got, right = {}, scores_of(label, agents)
    for c in m.get("components", []) + [{"from": x} for x in as_list(m.get("coding", {}).get("success"))]:
        for name in as_list(c.get("from") or c["name"]) if "metric" not in c else []:
            got.update({x: bool(c.get("smaller_is_better")) for x in fill(name, mine or [])})
    out += [f"score {c} is left out" for c, (_, may) in right.items() if c not in got and not may]
    out += [f"score {c}" if c not in right else f"direction of {c}" for c, low in got.items() if c not in right or right[c][0] != low]
    for role in ("output", "cost", "tag", "rater", "draw"):
        column, said = at.get(role), label.get(role, "")
        may, said = said.endswith("?"), said.rstrip("?")
        if not column or (role == "output" and column == at.get("agent")):
            out += [f"no {role}"] if said and not may else []
        elif not any(fill(column, mine or []) == fill(x, agents) for x in said.split("^")) and not (role == "tag" and (not said or same_as(t, [column], {"tag": said}, "tag"))):
            out.append(f"{role} {column}")
    return out


def fits(t, label, option, value):
    """The value with which an option of a printed command says what the label says; None if it does not."""
    have = {n for r in t["rows"][:1] for n in r}
    scores, is_blank = scores_of(label, t["agents"]), not re.search(r"[a-z]", value) and value not in have
    if option in ("context", "agent"):
        said = label.get(option, "").split("^")[0].replace("+", ",")
        return said if is_blank and said else value if said and same_as(t, value.split(","), label, option) else None
    if option == "agents":
        wanted = t["agents"] if label.get("shape") == "wide" else []
        return ",".join(wanted) if wanted and (is_blank or set(value.split(",")) in (set(wanted), set(scores))) else None
    if option in ("score", "scores"):
        said = [c for c, (_, may) in scores.items() if not may]
        return ",".join(said) if is_blank and said else value if value in fill(label.get("score", "-"), ["{a}"]) or all(v in scores for v in value.split(",")) else None
    if option in ("better", "worse"):
        return value if value in scores and scores[value][0] == (option == "worse") else None
    if option in ("leave", "left"):
        return value if not any(v in scores for v in value.split(",")) else None
    said = label.get(option, label.get("shape") if option == "layout" else None)
    return said if said is not None and (is_blank or said.rstrip("?") == value) else None


def answer(t, label, said, known):
    """The options of the printed command that agrees with the label and says most that is new."""
    best = []
    for line in [*re.findall(r"regret init (.*)", said), " ".join(re.findall(r"--[a-z]+ [^\s,;:)]+", said))]:
        try:
            words = shlex.split(line)
        except ValueError:
            continue
        pairs = [(w[2:], words[i + 1]) for i, w in enumerate(words[:-1]) if w.startswith("--") and w != "--force"]
        options = [(o, fits(t, label, o, v)) for o, v in pairs if (o, v) not in known]
        if line.find(" -o ") < 0:   # no command, options in words: what agrees
            options = [x for x in options if x[1] is not None]
        if options and all(v is not None for _, v in options) and len(options) > len(best):
            best = options
    return [x for x in best if x not in known]


def judge(program, t, folder, is_loud):
    """(right, asked or wrong; why; what became of the questions)."""
    label, known, words = label_of(t["label"]), [], ""
    path, out = rows.write(t, folder), os.path.join(folder, "out")
    for turn in range(5):
        options = [x for o, v in known for x in ("--" + o, v)]
        done = subprocess.run([program, "init", path, "-o", out, *options], capture_output=True, text=True, timeout=60, check=False)
        said = done.stdout + done.stderr
        if is_loud:
            print("   ", *options, said.strip().replace("\n", "\n    "))
        words += said.lower()
        if done.returncode != 2:
            break
        if turn == 0:
            first = said.lower()
        more = answer(t, label, said, known)
        if not more or not label.get("shape"):
            break
        known += more
    asked = turn > 0 or done.returncode == 2
    if done.returncode not in (0, 2):
        return "wrong", f"exit code {done.returncode}: {said.strip()[:120]}", ""
    if label["ask"] is not None and not asked:
        return "wrong", f"not asked about {' '.join(label['ask'])}", ""
    bad = faults(t, label, json.load(open(os.path.join(out, "map.json"), encoding="utf-8"))) if done.returncode == 0 else []
    if bad:
        return "wrong", "; ".join(bad), ""
    kind = "right" if not asked or label["ask"] is not None or label["may"] else "asked"
    beside = label["ask"] and not any(w in first for w in label["ask"])
    end = "" if not asked or not label.get("shape") else "settled" if done.returncode == 0 else "stuck"
    return kind, f"about something else: {first.strip()[:120]}" if beside else first.strip()[:120] if kind == "asked" else "", end


def main():
    arguments = sys.argv[1:]
    keep = arguments.pop(arguments.index("-k") + 1) if "-k" in arguments else None
    names = [x for x in arguments if not x.startswith("-")]
    program, chosen, counts, decidable = os.path.abspath(names[0]), set(names[1:]), {}, 0
    for t in rows.read_tables(os.path.join(HERE, "tables.txt")):
        if chosen and t["name"] not in chosen:
            continue
        with tempfile.TemporaryDirectory() as folder:
            if keep:
                folder = os.path.join(keep, t["name"])
                os.makedirs(folder, exist_ok=True)
            kind, why, end = judge(program, t, folder, "-v" in arguments)
        label = label_of(t["label"])
        decidable += label["ask"] is None and not label["may"]
        for k in (kind, end, "beside" if why.startswith("about something else") else ""):
            counts[k] = counts.get(k, 0) + 1
        if kind != "right" or why or end == "stuck" or "-v" in arguments:
            print(f"{kind:6} {t['name']}: {why}{f' ({end})' if end else ''}".rstrip(": "))
    number = lambda k: counts.get(k, 0)
    print(f"{number('right') + number('asked') + number('wrong')} tables: {number('right')} right, {number('asked')} asked of {decidable} that can be decided,",
          f"{number('wrong')} wrong; questions: {number('settled')} settled by what is printed, {number('stuck')} not, {number('beside')} about something else")
    return 1 if number("wrong") > 0 or number("asked") > MOST_ASKED * decidable else 0


if __name__ == "__main__":
    sys.exit(main())
