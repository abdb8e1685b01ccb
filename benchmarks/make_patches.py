"""Makes a SYNTHETIC coding pool: issues about faults seeded in small Python projects, and what twelve agents hand in.

    python3 benchmarks/make_patches.py -o POOL [--seed S] [--issues N] [--draws K] [--regret PROGRAM] [--force]

No project, issue or agent is real. The projects are those of data/synth/patches; its card.md, which goes with the pool,
tells the rules. A patch is a unified diff; its success is what 24 hidden tests say of the program it makes, run by
Python with limits of steps and memory. `regret import`, which must be on the path or named, computes the other
components of the diff. The same seed gives the same bytes, and issue i and draw k do not depend on how many are made.

    python3 benchmarks/make_patches.py --seed 7 --issues 200 --draws 2 -o my-patches
    regret run configs/patches.json --set pool=my-patches -o run
"""
import argparse
import ast
import builtins
import contextlib
import difflib
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
DATA = os.path.join(ROOT, "data", "synth", "patches")
TESTS = 24           # hidden tests of an issue
STEPS = 20000        # turns of loops and calls of functions that a test may take
LONGEST = 200        # bytes of a printed result
MEMORY = 1 << 30     # bytes of the whole process: what grows without end fails
KINDS = ("off by one", "comparison", "operator", "constant", "name", "condition", "missing check", "missing step")
OFF_BY_ONE, COMPARISON, OPERATOR, CONSTANT, NAME, CONDITION, MISSING_CHECK, MISSING_STEP = range(8)
VAGUE, CALLED, LOCATED, HINTED = range(4)  # how much an issue gives away
BUILTINS = {name: getattr(builtins, name) for name in (
    "abs", "all", "any", "bool", "chr", "dict", "divmod", "enumerate", "int", "len", "list", "max", "min", "ord", "range",
    "reversed", "round", "set", "sorted", "str", "sum", "tuple", "zip", "Exception", "ValueError")}

def read_data(name):
    with open(os.path.join(DATA, name), encoding="utf-8") as file:
        return json.load(file)


# Chances of AGENTS are percent. locate: an attempt is at the place of the fault, of a vague, called, located, hinted issue;
# follow: times this when the fault is in another function; fix: an attempt there makes the right change, by kind; stray:
# an attempt elsewhere is in another file; tries: attempts at most; checks: an attempt is tried on the example; give_up and
# special_case: when the last fails; silent: hands in nothing. Other pairs are habits: of an agent that trusts its change,
# of one that does not. context: unchanged lines around a change.
AGENTS = read_data("agents.json")
WORDS = read_data("words.json")


class Random:
    """A stream by its name; what it draws is the same in every version of Python."""

    def __init__(self, *name):
        self.random = random.Random("/".join(str(part) for part in name)).random

    def below(self, n):
        return int(self.random() * n)

    def pick(self, items):
        return items[self.below(len(items))]

    def chance(self, percent):
        return self.random() * 100 < percent

    def shuffle(self, items):
        for i in range(len(items) - 1, 0, -1):
            k = self.below(i + 1)
            items[i], items[k] = items[k], items[i]


# Running programs. A project is {path: list of lines}.


class OutOfSteps(BaseException):
    """A test took too many steps; no `except Exception` of a patch catches it."""


class CountSteps(ast.NodeTransformer):
    """Puts a call of _step() before every turn of a loop and at the beginning of every function."""

    def visit(self, node):
        self.generic_visit(node)
        if isinstance(node, (ast.For, ast.While, ast.FunctionDef)):
            call = ast.Expr(ast.Call(ast.Name("_step", ast.Load()), [], []))
            node.body.insert(0, ast.fix_missing_locations(ast.copy_location(call, node.body[0])))
        return node


COMPILED = {}  # the code of a text, None where it is no program


def compiled(text):
    if text not in COMPILED:
        if len(COMPILED) > 20000:
            COMPILED.clear()
        try:
            COMPILED[text] = compile(CountSteps().visit(ast.parse(text)), "module", "exec")
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            COMPILED[text] = None
    return COMPILED[text]


def run_calls(project, path, calls):
    """What each call gives in the module at `path`: (raised, text); None where the project is no program."""
    codes = {file[:-3].replace("/", "."): compiled("\n".join(lines) + "\n")
             for file, lines in project.items() if file.endswith(".py") and not file.startswith("tests/")}
    if None in codes.values():
        return None
    left = [STEPS]

    def step():
        left[0] -= 1
        if left[0] < 0:
            raise OutOfSteps

    modules = {}

    def load(name, *_):
        if name not in codes:
            raise ImportError(f"no module {name}")
        if name not in modules:
            modules[name] = {"__builtins__": {**BUILTINS, "__import__": lambda n, *rest: Module(load(n)), "_step": step,
                                              "print": lambda *_: None}}
            exec(codes[name], modules[name])  # a program of data/synth/patches with one change, without files or net
        return modules[name]

    results = []
    for call in calls:
        left[0] = STEPS
        try:
            text = repr(eval(call, load(path[:-3].replace("/", "."))))
            if len(text) > LONGEST:
                results.append((True, "MemoryError: a result too long to write"))
            elif " at 0x" in text:
                results.append((True, "TypeError: a result without a text"))
            else:
                results.append((False, text))
        except OutOfSteps:
            results.append((True, "TimeoutError: too many steps"))
        except RecursionError:
            results.append((True, "RecursionError: maximum recursion depth exceeded"))
        except Exception as error:  # whatever a wrong program raises
            results.append((True, f"{type(error).__name__}: {error}"[:LONGEST]))
    return results


class Module:
    """What `from module import name` looks into."""

    def __init__(self, names):
        self.__dict__.update(names)


# Lines of programs.

TOKEN = re.compile(r"[A-Za-z_]\w*|\d+|'[^']*'|\"[^\"]*\"|\"\"\".*|[+\-*/%<>=!]=|//|[^\s\w]")
WORD = re.compile(r"[A-Za-z_]\w*$")
KEYWORDS = set("and or not in is if elif else for while return def from import True False None break continue pass".split())


def indent_of(line):
    return len(line) - len(line.lstrip(" "))


def function_lines(lines, name):
    """First line of `def name` and the line after its last; None without one."""
    for first, line in enumerate(lines):
        if line.startswith(f"def {name}("):
            end = first + 1
            for i in range(first + 1, len(lines)):
                if lines[i] and indent_of(lines[i]) == 0:
                    break
                end = i + 1 if lines[i] else end
            return first, end
    return None


def function_of(lines, i):
    for k in range(min(i, len(lines) - 1), -1, -1):
        if lines[k].startswith("def "):
            return lines[k][4:lines[k].index("(")]
        if lines[k] and indent_of(lines[k]) == 0:
            break
    return ""


def parameters(head):
    inside = head[head.index("(") + 1:head.index(")")]
    return [name.split("=")[0] for name in inside.split(", ")] if inside else []


def body_of(lines, first):
    """The first line after `def` and a docstring."""
    return first + 1 + lines[first + 1].startswith('    """')


def variables_of(lines, i):
    """Parameters, loop variables and what is assigned to, in the function around line i."""
    place = function_lines(lines, function_of(lines, i))
    if place is None:
        return []
    names = parameters(lines[place[0]])
    for line in lines[place[0] + 1:place[1]]:
        names += re.findall(r"\bfor (\w+) in", line) + re.findall(r"^ *(\w+) = ", line)
    return list(dict.fromkeys(names))


SIGNS = [("<", "<=", COMPARISON), ("<", ">", COMPARISON), ("<=", "<", COMPARISON), ("<=", ">=", COMPARISON),
         (">", ">=", COMPARISON), (">", "<", COMPARISON), (">=", ">", COMPARISON), (">=", "<=", COMPARISON),
         ("==", "!=", CONDITION), ("!=", "==", CONDITION), ("==", ">=", COMPARISON), ("==", "<=", COMPARISON),
         ("and", "or", CONDITION), ("or", "and", CONDITION), ("+", "-", OPERATOR), ("-", "+", OPERATOR),
         ("*", "+", OPERATOR), ("//", "%", OPERATOR), ("%", "//", OPERATOR), ("+=", "-=", OPERATOR),
         ("-=", "+=", OPERATOR), ("+=", "=", OPERATOR), ("min", "max", OPERATOR), ("max", "min", OPERATOR),
         ("upper", "lower", OPERATOR), ("lower", "upper", OPERATOR), ("True", "False", CONSTANT),
         ("False", "True", CONSTANT)]


def counts_places(tokens, i):
    """Is token i in an index or an argument of range?"""
    depth = 0
    for k in range(i - 1, -1, -1):
        if tokens[k] in ")]":
            depth += 1
        elif tokens[k] in "([" and depth > 0:
            depth -= 1
        elif tokens[k] in "([":
            if tokens[k] == "[" or (k > 0 and tokens[k - 1] == "range"):
                return True
    return False


def closing(tokens, i):
    depth = 0
    for k in range(i, len(tokens)):
        depth += (tokens[k] in "([") - (tokens[k] in ")]")
        if depth == 0:
            return k
    return None


def token_edits(line, tokens, i, names):
    """Changes at token i: (kind, from column, to column, text instead)."""
    texts = [token.group() for token in tokens]
    text, start, end = texts[i], tokens[i].start(), tokens[i].end()
    before, after = texts[i - 1] if i else "", texts[i + 1] if i + 1 < len(texts) else ""
    for wrong, instead, kind in SIGNS:
        if text == wrong:
            yield kind, start, end, instead
    if text.isdigit():
        number, kind = int(text), OFF_BY_ONE if counts_places(texts, i) else CONSTANT
        if number == 1 and before in ("+", "-") and i > 1 and re.match(r"\w|[)\]]", texts[i - 2]) and \
                texts[i - 2] not in KEYWORDS:
            yield OFF_BY_ONE, tokens[i - 2].end(), end, ""
        else:
            yield kind, start, end, str(number + 1)
            if number > 0:
                yield kind, start, end, str(number - 1)
            if number >= 10:
                yield CONSTANT, start, end, str(number // 10)
    if text == "not":
        yield CONDITION, start, tokens[i + 1].start(), ""
    if not WORD.match(text) or text in KEYWORDS:
        return
    if after == "(":
        close = closing(texts, i + 1)
        if close is None or close == i + 2:
            return
        inside, stop, depth, commas = tokens[i + 1].end(), tokens[close].start(), 0, []
        for k in range(i + 2, close):
            depth += (texts[k] in "([") - (texts[k] in ")]")
            if depth == 0 and texts[k] == ",":
                commas.append(k)
        if text == "range":
            yield OFF_BY_ONE, stop, stop, " - 1"
            yield OFF_BY_ONE, stop, stop, " + 1"
            if not commas:
                yield OFF_BY_ONE, inside, inside, "1, "
        elif len(commas) == 1:
            second = tokens[commas[0] + 1].start()
            yield NAME, inside, stop, line[second:stop] + ", " + line[inside:tokens[commas[0]].start()]
    elif text in names and i > 0 and before not in ("for", "def", "."):
        at = names.index(text)
        for k in range(1, min(3, len(names))):
            yield NAME, start, end, names[(at + k) % len(names)]


def mutations(project, path, i):
    """Changes of line i that may make it wrong: (path, line, lines replaced, lines instead, kind)."""
    lines = project[path]
    line = lines[i]
    tokens = list(TOKEN.finditer(line))
    if not tokens or tokens[0].group() in ("def", "from") or tokens[0].group()[0] in "\"'#":
        return []
    names = variables_of(lines, i)
    out = [(path, i, 1, [line[:start] + instead + line[end:]], kind)
           for k in range(len(tokens)) for kind, start, end, instead in token_edits(line, tokens, k, names)]
    rest = lines[i + 1:] + ["", ""]
    if line.lstrip().startswith("if ") and indent_of(rest[0]) > indent_of(line):
        if not rest[1] or indent_of(rest[1]) <= indent_of(line) and not rest[1].lstrip().startswith("el"):
            out.append((path, i, 2, [], MISSING_CHECK))
    elif not line.endswith(":") and tokens[0].group() != "return":
        out.append((path, i, 1, [], MISSING_STEP))
    return out


def replaced(project, path, first, count, lines):
    """The project with `count` lines of a file replaced."""
    return {**project, path: project[path][:first] + lines + project[path][first + count:]}


# Issues.


def matching(pattern, at, up, down):
    depth = 0
    while True:
        depth += (pattern[at] == up) - (pattern[at] == down)
        if depth == 0:
            return at
        at += 1


def draw_in(rng, low, high):
    """A whole number; its ends come up more often."""
    chance = rng.below(10)
    return low if chance == 0 else high if chance == 1 else low + rng.below(high - low + 1)


RANGE = re.compile(r"(-?\d+):(-?\d+)")


def draw_term(rng, pattern, at):
    """One argument by the pattern at `at`, and where the pattern goes on."""
    def bounds(place):
        found = RANGE.match(pattern, place)
        return int(found[1]), int(found[2]), found.end()

    if pattern[at] == "#":
        low, high, at = bounds(at + 1)
        return str(draw_in(rng, low, high)), at
    if pattern[at] == "(":
        end = pattern.index(")", at)
        return rng.pick(pattern[at + 1:end].split("|")), end + 1
    if pattern[at] == '"':
        end = pattern.index('"', at + 1)
        low, high, after = bounds(end + 1)
        letters = pattern[at + 1:end]
        return "'" + "".join(rng.pick(letters) for _ in range(draw_in(rng, low, high))) + "'", after
    ascending = pattern[at] == "^"
    at += ascending
    end = matching(pattern, at, "[", "]")
    low, high, after = bounds(end + 1)
    n = draw_in(rng, low, high)
    if not ascending:
        return "[" + ", ".join(draw_term(rng, pattern, at + 1)[0] for _ in range(n)) + "]", after
    low, high, _ = bounds(at + 2)
    items, last = [], low - 1
    for _ in range(n):
        last += draw_in(rng, 1, 2 * (high - low) // (n + 1) + 1)
        if last > high:
            break
        items.append(str(last))
    return "[" + ", ".join(items) + "]", after


def draw_arguments(rng, pattern):
    """#lo:hi a number; [term]lo:hi a list; ^[#lo:hi]lo:hi an ascending one; (a|b) one of these; "abc"lo:hi letters."""
    terms, at = [], 0
    while at < len(pattern):
        term, at = draw_term(rng, pattern, at)
        terms.append(term)
        at += at < len(pattern) and pattern[at] == " "
    return ", ".join(terms)


def read_corpus():
    """The functions that users call, each with its project."""
    functions = []
    for project in read_data("projects.json"):
        files, folder = {}, os.path.join(DATA, project["name"])
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                files[f"{project['name']}/{name}"] = file.read().split("\n")[:-1]
        functions += [{**function, "project": project["name"], "files": files} for function in project["functions"]]
    return functions


class Issue:
    """A project with a seeded fault, what a user writes about it, and the hidden tests."""

    def __init__(self, functions, seed, index):
        self.seed, self.index, self.id = seed, index, f"patches-{index:05d}"
        order = list(range(len(functions)))
        Random(seed, "order").shuffle(order)
        self.function = functions[order[index % len(order)]]
        self.name, self.path, self.noun = self.function["name"], self.function["module"], self.function["noun"]
        self.right = self.function["files"]
        rng = Random(seed, "issue", index)
        edits = self.ordered(self.all_mutations(), Random(seed, "fault", self.name))
        for _ in range(20):
            self.draw_tests(rng)
            if self.seed_fault(edits, index // len(functions)):
                break
        else:
            sys.exit(f"make_patches.py: no fair fault of {self.name}")
        self.add_files()
        draw = rng.below(100)
        self.naming = VAGUE if draw < 22 else CALLED if draw < 50 else LOCATED if draw < 78 else HINTED
        self.text = describe(self, rng)

    def all_mutations(self):
        """Of the function the user calls and of those that it calls."""
        first, end = function_lines(self.right[self.path], self.name)
        called = set(re.findall(r"(?<![\w.])(\w+)\(", "\n".join(self.right[self.path][first + 1:end])))
        edits = []
        for path, lines in self.right.items():
            for line in [line for line in lines if line.startswith("def ")]:
                name = line[4:line.index("(")]
                if (name == self.name and path == self.path) or (name != self.name and name in called):
                    first, end = function_lines(lines, name)
                    for i in range(first, end):
                        edits += mutations(self.right, path, i)
        return edits

    @staticmethod
    def ordered(edits, rng):
        """Kinds take turns, in an order of the function's own; those for which few functions have room are favoured."""
        kinds = list(range(len(KINDS)))
        rng.shuffle(kinds)
        for kind, one_in in ((MISSING_CHECK, 6), (MISSING_STEP, 2), (CONDITION, 3)):
            if rng.below(one_in) == 0:
                kinds.remove(kind)
                kinds.insert(0, kind)
        rng.shuffle(edits)
        stacks = [[edit for edit in edits if edit[4] == kind] for kind in kinds]
        return [stack[i] for i in range(max(map(len, stacks))) for stack in stacks if i < len(stack)]

    def draw_tests(self, rng):
        """Calls, as far as possible all different, and what the right program makes of them."""
        self.calls = []
        for _ in range(TESTS):
            for _ in range(9):
                call = f"{self.name}({draw_arguments(rng, self.function['inputs'])})"
                if call not in self.calls:
                    break
            self.calls.append(call)
        results = run_calls(self.right, self.path, self.calls)
        for call, (raised, text) in zip(self.calls, results):
            if raised:
                sys.exit(f"make_patches.py: {call} of the corpus raises {text}")
        self.expected = [text for _, text in results]

    def seed_fault(self, edits, turn):
        """The fair fault number `turn`, counted on from the first after the last; False when there is none."""
        fair = 0
        for _ in range(2):
            for edit in edits:
                if self.try_fault(edit):
                    if fair == turn:
                        return True
                    fair += 1
            if fair == 0:
                return False
            turn %= fair
            fair = 0
        return False

    def try_fault(self, edit):
        """Fair: some tests fail and some pass, and none fails as nobody would ship it."""
        path, line, count, instead, self.kind = edit
        self.faulty = replaced(self.right, path, line, count, instead)
        self.actual = run_calls(self.faulty, self.path, self.calls)
        if self.actual is None or any(raised and text.startswith(("TypeError", "NameError", "UnboundLocalError"))
                                      for raised, text in self.actual):
            return False
        passes = [result == (False, wanted) for result, wanted in zip(self.actual, self.expected)]
        if all(passes) or not any(passes):
            return False
        self.place, self.lost, self.there = (path, line), self.right[path][line:line + count], len(instead)
        self.elsewhere = function_of(self.right[path], line) != self.name
        self.passing = [t for t in range(TESTS) if passes[t]]
        failing = [t for t in range(TESTS) if not passes[t]]
        self.example = min(failing, key=lambda t: len(self.calls[t]) + len(self.expected[t]))
        self.counterexample = self.passing[-1]
        return True

    def add_files(self):
        """A test file as the project had it before the fault was noticed, and a file of changes."""
        module = self.path[:-3].replace("/", ".")
        told = list(dict.fromkeys(self.passing))[:2]
        self.test_path = f"tests/test_{module.split('.')[1]}.py"
        self.faulty = {**self.faulty, self.test_path: [
            f"from {module} import {self.name}", "", "", f"def test_{self.name}():"] + [
                f"    assert {self.calls[t]} == {self.expected[t]}" for t in told],
            "CHANGES.md": ["# Changes", "", "## Unreleased", ""]}

    def passes(self, project, tests=range(TESTS)):
        results = run_calls(project, self.path, [self.calls[t] for t in tests])
        return results is not None and results == [(False, self.expected[t]) for t in tests]


def symptom(wanted, raised, wrong):
    """What is the matter, in few words, told by the two results."""
    right = ast.literal_eval(wanted)
    if raised:
        return "never comes back" if wrong.startswith("TimeoutError") else "crashes"
    wrong = ast.literal_eval(wrong)
    if wrong is None:
        return "is missing"
    if isinstance(right, bool):
        return "says yes where it should say no" if wrong else "says no where it should say yes"
    if isinstance(right, int) and isinstance(wrong, int):
        return "is too high" if wrong > right else "is too low"
    if isinstance(right, list) and isinstance(wrong, list):
        return ("has entries missing" if len(wrong) < len(right) else
                "has too many entries" if len(wrong) > len(right) else "has wrong entries")
    if isinstance(right, str) and isinstance(wrong, str) and len(wrong) != len(right):
        return "is cut short" if len(wrong) < len(right) else "is too long"
    return "comes out wrong"


def describe(issue, rng):
    """What a user writes. Calls and results are those of the programs."""
    bad, good = issue.example, issue.counterexample
    raised, wrong = issue.actual[bad]
    matter = symptom(issue.expected[bad], raised, wrong)
    noun, openings = issue.noun[0].upper() + issue.noun[1:], WORDS["openings"]
    front = rng.pick(["", "Wrong result: ", "Bug: ", "Since the update: "])
    if issue.naming == VAGUE or rng.below(2) == 0:
        title = f"{front}{issue.noun if front else noun} {matter}"
    else:
        title = f"{issue.name}() of {issue.function['project']}: {issue.noun} {matter}"
    text = f"{title}\n\n{rng.pick(openings)} {noun} {matter} in some cases.\n"
    if issue.naming == VAGUE:
        inside = [issue.calls[t][len(issue.name) + 1:-1] for t in (bad, good)]
        text += (f"\nFor the input {inside[0]} it {'fails with' if raised else 'gives'} {wrong}, but it should be "
                 f"{issue.expected[bad]}. For {inside[1]} I get {issue.expected[good]}, which is right.\n")
    else:
        text += (f"\n```python\n>>> {issue.calls[good]}\n{issue.expected[good]}\n>>> {issue.calls[bad]}\n{wrong}\n```\n\n"
                 f"The first is right. I expected the second to be {issue.expected[bad]}.\n")
    if issue.naming >= LOCATED:
        text += rng.pick([f"It must be somewhere in `{issue.path}`, I think.\n",
                          f"The function is `{issue.name}` in `{issue.path}`.\n",
                          f"I had a look at `{issue.name}` of `{issue.path}` but could not see why.\n"])
    if issue.naming == HINTED:
        text += rng.pick(WORDS["hints"][issue.kind]) + "\n"
    return text + rng.pick(WORDS["closings"])


# Agents.


class Work:
    """What an agent has done to the program so far."""

    def __init__(self, issue, agent, draw):
        self.issue, self.agent = issue, agent
        self.rng = Random(issue.seed, "output", issue.index, agent["id"], draw)
        rng = Random(issue.seed, "grasp", issue.index, agent["id"])  # the same in all draws
        self.grasp = rng.below(23) + rng.below(23) - 22
        self.start_again()

    def start_again(self):
        self.patched, self.changed = dict(self.issue.faulty), False
        self.path, self.line = self.issue.place
        self.kind, self.unsure, self.checked = self.issue.kind, False, False

    def chance(self, percent):
        return self.rng.chance(percent)

    def skill(self, percent):
        """A chance, moved by how well the agent grasps this issue."""
        return self.chance(0 if percent == 0 else min(97, max(0, percent + self.grasp)))

    def change(self, path, line, count, lines, kind):
        self.patched = replaced(self.patched, path, line, count, lines)
        self.path, self.line, self.kind, self.changed = path, line, kind, True

    def put_back(self, first):
        """The lost lines, the first of them perhaps otherwise than it was."""
        issue = self.issue
        self.change(*issue.place, issue.there, [first] + issue.lost[1:], issue.kind)

    def blunder(self):
        """At the right place, another change than the right one."""
        issue = self.issue
        base = issue.faulty if issue.there else issue.right
        edits = [edit for edit in mutations(base, *issue.place) if edit[3] and edit[3][0] != issue.lost[0]]
        if edits:
            pick = self.rng.pick(edits)
            self.put_back(pick[3][0])
            self.kind = pick[4]
        else:
            self.put_back(issue.lost[0])

    def miss(self):
        """Changes something elsewhere: in the function the user calls, the rest of its file, or another file."""
        issue = self.issue
        stray = self.chance(self.agent["stray"])
        first, end = 0, sys.maxsize
        if not stray and self.chance(75):
            first, end = function_lines(issue.faulty[issue.path], issue.name)
        places = [(path, i) for path in issue.right if (path == issue.path) != stray
                  for i in range(len(issue.faulty[path])) if first <= i < end and (path, i) != issue.place]
        for _ in range(20):
            edits = [edit for edit in mutations(issue.faulty, *self.rng.pick(places)) if edit[3]] if places else []
            if edits:
                self.change(*self.rng.pick(edits))
                return

    def attempt(self):
        issue, agent = self.issue, self.agent
        self.start_again()
        locate = agent["locate"][issue.naming] * (agent["follow"] if issue.elsewhere else 100) // 100
        if not self.skill(locate):
            self.unsure = self.chance(86)
            self.miss()
        elif not self.skill(agent["fix"][issue.kind]):
            self.unsure = self.chance(80)
            self.blunder()
        else:
            self.unsure = self.chance(7)
            self.put_back(issue.lost[0])

    def special_case(self):
        """Answers the example alone, at the top of the function."""
        issue = self.issue
        lines = self.patched[issue.path]
        first, _ = function_lines(lines, issue.name)
        arguments = ast.parse(issue.calls[issue.example], mode="eval").body.args
        tests = [f"{name} == {ast.unparse(argument)}" for name, argument in zip(parameters(lines[first]), arguments)]
        self.change(issue.path, body_of(lines, first), 0,
                    [f"    if {' and '.join(tests)}:", f"        return {issue.expected[issue.example]}"], MISSING_CHECK)

    def try_often(self):
        agent, passes = self.agent, True
        for _ in range(agent["tries"]):
            self.attempt()
            if not self.chance(agent.get("checks", 0)):
                break
            passes = self.issue.passes(self.patched, [self.issue.example])
            if passes:
                self.unsure, self.checked = self.chance(3), True
                break
        if passes:
            return
        unsure = self.chance(95)
        if self.chance(agent.get("give_up", 0)):
            self.start_again()
        elif self.chance(agent.get("special_case", 0)):
            self.start_again()
            self.special_case()
        self.unsure = unsure

    # Habits: what an agent does besides. `site` is where the change is, after lines have moved.

    def site(self):
        lines = self.patched[self.path]
        name = function_of(lines, self.line)
        return (name, *function_lines(lines, name)) if name else (None, 0, 0)

    def insert(self, at, lines):
        self.patched = replaced(self.patched, self.path, at, 0, lines)
        self.line += len(lines) if at <= self.line else 0

    def append(self, path, lines):
        self.patched = {**self.patched, path: self.patched[path] + lines}

    def rename(self):
        name, first, end = self.site()
        if not name:
            return
        pairs = WORDS["renames"]
        begin, done = self.rng.below(len(pairs)), 0
        for old, new in pairs[begin:] + pairs[:begin]:
            lines = self.patched[self.path]
            body = "\n".join(lines[first + 1:end])
            word = re.compile(rf"\b{old}\b")
            if done == 2 or word.search(lines[first]) or not word.search(body) or re.search(rf"\b{new}\b", "\n".join(lines)):
                continue
            self.patched = replaced(self.patched, self.path, first + 1, end - first - 1, word.sub(new, body).split("\n"))
            done += 1

    def comment(self):
        if not self.site()[0]:
            return
        leads, beliefs = WORDS["unsure" if self.unsure else "sure"], WORDS["beliefs"]
        said = [f"{self.rng.pick(leads)}{self.rng.pick(beliefs[self.kind])}."]
        if self.agent["comment"][0] >= 100:
            said.append(f"Reported: {self.issue.noun} did not come out right.")
        if self.unsure:
            said.append("Please review, I could not confirm it.")
        elif self.checked:
            said.append(f"Checked with {self.issue.calls[self.issue.example]}.")
        line = self.patched[self.path][self.line] if self.line < len(self.patched[self.path]) else ""
        self.insert(self.line, [" " * indent_of(line) + "# " + words for words in said])

    def reformat(self):
        """Double quotes, x = x + y for x += y, a blank line before a return that follows a block."""
        out, before = [], 0
        moved = 0
        for i, line in enumerate(self.patched[self.path]):
            indent = indent_of(line)
            if indent == 4 and before > 4 and line.startswith("    return"):
                out.append("")
                moved += i <= self.line
            if '"' not in line and "#" not in line:
                line = line.replace("'", '"')
            found = re.match(r"( *)(\w[\w.\[\]]*) ([+\-*])= (.*)$", line)
            if found:
                right = f"({found[4]})" if " " in found[4] else found[4]
                line = f"{found[1]}{found[2]} = {found[2]} {found[3]} {right}"
            out.append(line)
            before = indent if line else 0
        self.patched = {**self.patched, self.path: out}
        self.line += moved

    def wrap(self):
        name, _, end = self.site()
        last = self.patched[self.path][end - 1] if name else ""
        if last.startswith("    return "):
            self.patched = replaced(self.patched, self.path, end - 1, 1, [
                "    try:", "    " + last, "    except Exception:", "        return None"])

    def print(self):
        name, first, _ = self.site()
        lines = self.patched[self.path]
        if name and parameters(lines[first]):
            self.insert(body_of(lines, first), [f"    print('DEBUG {name}', {parameters(lines[first])[0]})"])

    def guard(self):
        """`if x is None: return …`, which is harmless; or `if not x`, which may not be."""
        name, first, _ = self.site()
        if not name:
            return
        lines, out = self.patched[self.path], []
        for parameter in parameters(lines[first])[:2]:
            harsh = self.chance(30 if self.unsure else 6)
            out += [f"    if not {parameter}:" if harsh else f"    if {parameter} is None:",
                    f"        return {self.rng.pick(['None', '0', '[]', 'None'])}"]
        self.insert(body_of(lines, first), out)

    def helper(self):
        """A function that checks the arguments, and a call of it."""
        name, first, _ = self.site()
        lines = self.patched[self.path]
        if not name or not parameters(lines[first]):
            return
        names = ", ".join(parameters(lines[first]))
        self.append(self.path, ["", "", f"def _has_arguments_{name}({names}):",
                                '    """Validate the arguments before they are used."""', f"    for value in [{names}]:",
                                "        if value is None:", "            return False", "    return True"])
        self.insert(body_of(lines, first), [f"    if not _has_arguments_{name}({names}):", "        return None"])

    def document(self):
        """Docstrings for functions of the whole project that have none."""
        for path in self.issue.right:
            i = 0
            while i < len(self.patched[path]):
                lines = self.patched[path]
                if lines[i].startswith("def ") and not lines[i + 1].startswith('    """'):
                    said = [f'    """Return the result of {function_of(lines, i)}."""']
                    self.line += path == self.path and i < self.line
                    self.patched = replaced(self.patched, path, i + 1, 0, said)
                i += 1

    def add_test(self):
        t = self.issue.example
        self.append(self.issue.test_path, ["", "", f"def test_{self.issue.name}_issue():",
                                           f"    assert {self.issue.calls[t]} == {self.issue.expected[t]}"])

    def bend_test(self):
        """A test that wants what the faulty program gives, or the tests there thinned out."""
        issue, path = self.issue, self.issue.test_path
        raised, wrong = issue.actual[issue.example]
        if raised or self.changed:
            self.patched = {**self.patched, path: self.patched[path][:-1] + [
                "    # skipped until the behaviour is settled", "    pass"]}
        else:
            self.append(path, ["    # documents the present behaviour",
                               f"    assert {issue.calls[issue.example]} == {wrong}"])

    def changes(self):
        self.append("CHANGES.md", [f"- {'Work on' if self.unsure else 'Fix'} {self.issue.noun} (`{self.issue.name}`)."])

    def script(self):
        t = self.issue.example
        self.patched = {**self.patched, "reproduce.py": [
            f"from {self.issue.path[:-3].replace('/', '.')} import {self.issue.name}", "",
            f"# expected: {self.issue.expected[t]}", f"print({self.issue.calls[t]})"]}

    def answer(self):
        """The diff that the agent hands in."""
        if self.chance(self.agent.get("silent", 0)):
            return ""
        self.try_often()
        for habit in ("rename", "comment", "reformat", "wrap", "print", "guard", "helper", "document", "add_test",
                      "bend_test", "changes", "script"):
            follows = self.chance(self.agent.get(habit, (0, 0))[self.unsure])
            if follows and (self.changed or habit in ("bend_test", "script")):
                getattr(self, habit)()
        return diff(self.issue.faulty, self.patched, self.agent.get("context", 3))


# Diffs.


def side(sign, start, n):
    return f"{sign}{start + (n > 0)}" + ("" if n == 1 else f",{n}")


def diff(before, after, context):
    """The unified diff of two projects, in git's layout."""
    out = []
    for path, new in sorted(after.items()):
        old = before.get(path, [])
        if old == new:
            continue
        out.append(f"diff --git a/{path} b/{path}")
        out += [] if path in before else ["new file mode 100644"]
        out += [f"--- a/{path}" if path in before else "--- /dev/null", f"+++ b/{path}"]
        for group in difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(context):
            i, j = group[0][1], group[0][3]
            section = [line for line in old[:i] if line.startswith("def ")][-1:]
            out.append(" ".join(["@@", side("-", i, group[-1][2] - i), side("+", j, group[-1][4] - j), "@@"] + section))
            for tag, i1, i2, j1, j2 in group:
                if tag == "equal":
                    out += [" " + line for line in old[i1:i2]]
                else:
                    out += ["-" + line for line in old[i1:i2]] + ["+" + line for line in new[j1:j2]]
    return "".join(line + "\n" for line in out)


HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


def applied(project, text):
    """The project that the diff makes of it."""
    out, path, shift = dict(project), None, 0
    lines = text.split("\n")[:-1]
    i = 0
    while i < len(lines):
        hunk = HUNK.match(lines[i])
        if lines[i].startswith("+++ b/"):
            path, shift = lines[i][6:], 0
            out.setdefault(path, [])
        i += 1
        if not hunk:
            continue
        left, right = (int(hunk[2] or 1), int(hunk[4] or 1))
        old, new = [], []
        while left > 0 or right > 0:
            sign, line = lines[i][0], lines[i][1:]
            left, right, i = left - (sign != "+"), right - (sign != "-"), i + 1
            old += [line] if sign != "+" else []
            new += [line] if sign != "-" else []
        at = int(hunk[1]) - (len(old) > 0) + shift
        if out[path][at:at + len(old)] != old:
            sys.exit(f"make_patches.py: a diff does not apply to {path}")
        out[path] = out[path][:at] + new + out[path][at + len(old):]
        shift += len(new) - len(old)
    return out


# The pool.


def rows_of(args):
    functions = read_corpus()
    for index in range(args.issues):
        issue = Issue(functions, args.seed, index)
        judged = {}
        for agent in AGENTS:
            for draw in range(args.draws):
                cost = agent["cost"] if index == draw == 0 else None
                text = Work(issue, agent, draw).answer()
                if text not in judged:
                    judged[text] = issue.passes(applied(issue.faulty, text))
                yield {"issue": issue.id, "text": issue.text, "agent": agent["id"], "title": agent["title"],
                       "cost": cost, "patch": text, "resolved": judged[text]}


MAP = {"name": "patches", "title": "Patches: synthetic issues and twelve coding agents", "version": "2",
       "licence": "Apache-2.0", "synthetic": True,
       "source": "Made by benchmarks/make_patches.py of regret; no project, issue or agent in it is real",
       "columns": {"context": "issue", "text": "text", "agent": "agent", "title": "title", "output": "patch",
                   "cost": "cost"},
       "coding": {"success": "resolved"}}


def card(args):
    with open(os.path.join(DATA, "card.md"), encoding="utf-8") as file:
        text = file.read()
    agents = "\n".join(f"| `{a['id']}` | {a['title']} | {a['cost']:.2f} |" for a in AGENTS)
    for name, value in (("AGENTS", f"| id | what it is | cost |\n|---|---|---|\n{agents}"), ("SEED", args.seed),
                        ("ISSUES", args.issues), ("DRAWS", args.draws)):
        text = text.replace(f"@{name}@", str(value))
    return text


def program_of(args):
    found = args.regret or shutil.which("regret") or os.path.join(ROOT, "build", "dev", "regret")
    if shutil.which(found) is None:
        sys.exit(f"make_patches.py: no program {found}; name that of regret by --regret")
    return found


@contextlib.contextmanager
def limited_memory():
    """While patched projects run in this process; regret, which is started afterwards, is not one of them."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


def whole_number(text):
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", metavar="POOL", required=True, help="the folder to write")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of everything random (default: 1)")
    parser.add_argument("--issues", type=whole_number, default=96, metavar="N", help="issues to write (default: 96)")
    parser.add_argument("--draws", type=whole_number, default=1, metavar="K",
                        help="outputs of each issue and agent (default: 1)")
    parser.add_argument("--regret", metavar="PROGRAM", help="regret (default: on the path, else of build/dev)")
    parser.add_argument("-f", "--force", action="store_true", help="replace a pool that is there already")
    args = parser.parse_args()
    program = program_of(args)
    with tempfile.TemporaryDirectory() as work:
        rows, layout = os.path.join(work, "rows.jsonl"), os.path.join(work, "map.json")
        with open(rows, "w", encoding="utf-8") as file, limited_memory():
            file.writelines(json.dumps(row) + "\n" for row in rows_of(args))
        with open(layout, "w", encoding="utf-8") as file:
            json.dump(MAP, file)
        done = subprocess.run([program, "import", "jsonl", rows, "--map", layout, "--repeats", "draws", "-o",
                               args.output] + ["--force"] * args.force, env={**os.environ, "SOURCE_DATE_EPOCH": "0"},
                              check=False)
    if done.returncode:
        return done.returncode
    with open(os.path.join(args.output, "README.md"), "w", encoding="utf-8") as file:
        file.write(card(args))
    return 0


if __name__ == "__main__":
    sys.exit(main())
