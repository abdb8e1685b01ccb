#!/usr/bin/env python3
"""Man pages and completions against the help of every command.

usage: check_manual.py PROGRAM

Every command and every option that --help shows is in a page and in each completion; pages pass groff's and
mandoc's checks; the completions are tried where their shell is there. What a missing program would check is
said, and the exit code is then 77.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]
failures, missing = [], []


def run(*words, **kw):
    return subprocess.run(words, text=True, capture_output=True, **kw)


def output(*arguments):
    done = run(PROGRAM, *arguments)
    if done.returncode != 0 or done.stderr:
        failures.append(f"{' '.join(arguments)}: {done.returncode} {done.stderr}")
    return done.stdout


def expect(condition, what):
    if not condition:
        failures.append(what)


def have(program):
    if shutil.which(program) is None:
        missing.append(program)
        return False
    return True


def commands(words=()):
    """Every command with its help: ("pool", "show")."""
    text = output(*words, "--help")
    if words and "\nOptions:" in text:
        yield words, text
        return
    for name in re.findall(r"^  ([a-z]+(?: [a-z]+)?) {2,}", text, re.M):
        yield from commands(tuple(name.split()))


def options(text):
    part = text[text.index("\nOptions:"):]
    return re.findall(r"^  (?:-(\w), |    )?--([a-z-]+)", part.split("\nExamples:")[0], re.M)


def check_pages(folder, found):
    pages = {"": output("--man-page")}
    for words, _ in found:
        pages.setdefault(words[0], output("--man-page", words[0]))
    for name, page in pages.items():
        expect(page.isascii(), f"page {name}: not ASCII")
        path = folder / f"regret-{name}.1"
        path.write_text(page)
        if have("groff"):
            done = run("groff", "-man", "-ww", "-z", "-Tutf8", str(path))
            expect(done.returncode == 0 and not done.stderr, f"page {name}: {done.stderr}")
        if have("mandoc"):
            said = [s for s in run("mandoc", "-Tlint", "-Wwarning", str(path)).stdout.splitlines()
                    if "missing date" not in s]  # the same bytes whenever they are made
            expect(not said, f"page {name}: {said}")
    for words, text in found:
        page = pages[words[0]]
        for letter, name in options(text):
            shown = (f"\\-{letter}, " if letter else "") + "\\-\\-" + name.replace("-", "\\-")
            expect(shown in page, f"page {words[0]}: no {shown}")
        for line in text[text.index("\nExamples:\n") + 11:].splitlines():
            expect(line.strip().replace("\\", "\\(rs").replace("-", "\\-").replace("'", "\\(aq")
                   .replace("~", "\\(ti") in page, f"page {words[0]}: no {line}")
        expect(words[0] in pages[""], f"page regret: no {words[0]}")
    for key in re.findall(r"^([a-z][\w.]*)  ", output("config"), re.M):
        expect(f"\n\\fB{key}\\fR\n" in pages["config"], f"page config: no {key}")
    return len(pages)


NAMED = [("run", "mai", "main main-hard"), ("cost", "smo", "smoke"), ("config", "swe", "swebench"),
         ("plan", "main-", "main-hard"), ("cell", "world-s", "world-smoke"), ("pool show", "newswire-", "newswire-fitted"),
         ("pool stats", "shel", "shelved"), ("pool validate", "shel", "shelved"), ("pool pack", "patc", "patches")]


def named_world(folder):
    """An empty folder, and the environment in which `regret` is the program and one more pool has a name."""
    here = folder / "here"
    here.mkdir(exist_ok=True)
    (folder / "shelf" / "shelved").mkdir(parents=True, exist_ok=True)
    (folder / "shelf" / "shelved" / "pool.json").write_text("{}")
    (folder / "shelf" / "no pool").mkdir(exist_ok=True)
    path = f"{pathlib.Path(PROGRAM).parent}:{os.environ['PATH']}"
    return {"cwd": here, "env": {**os.environ, "PATH": path, "REGRET_POOL_PATH": f"{folder}/none:{folder}/shelf"}}


def check_names(folder):
    world = named_world(folder)
    configs = run(PROGRAM, "--names", "configs", **world).stdout.split()
    source = pathlib.Path(__file__).parents[2]
    expect(sorted(configs) == sorted(p.stem for p in (source / "configs").glob("*.json")), f"names: {configs}")
    pools = run(PROGRAM, "--names", "pools", **world).stdout.split()
    expect(pools[0] == "shelved" and {"newswire", "patches"} < set(pools), f"names: {pools}")
    for name in configs:
        expect(run(PROGRAM, "config", name, **world).returncode == 0, f"names: {name} is no configuration")
    with tempfile.TemporaryDirectory() as other:  # no data beside it
        alone = shutil.copy(PROGRAM, other)
        done = run(alone, "--names", "configs", cwd=other)
        expect(done.returncode == 0 and not done.stdout and not done.stderr, f"names of a lone program: {done}")


BASH = r"""
source "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_regret
printf '%s\n' "${COMPREPLY[@]}"
"""


def bash(script, *words, program="regret", **kw):
    done = run("bash", "-c", BASH, "bash", script, program, *words, **kw)
    expect(done.returncode == 0 and not done.stderr, f"bash {words}: {done.stderr}")
    return done.stdout.split()


def check_bash(folder, found):
    script = str(folder / "regret.bash")
    (folder / "regret.bash").write_text(output("--completion", "bash"))
    for words, text in found:
        names = sorted({"--" + name for _, name in options(text)})
        expect(sorted(bash(script, *words, "--")) == names, f"bash: options of {words}")
    for words, wanted in [
            (("rep",), "report"), (("",), None), (("help", "pool", "sh"), "show"),
            (("pool", "st"), "stats"), (("pool", "synth", "newswire-c"), "newswire-ceiling"),
            (("report", "r", "--format", "c"), "csv"), (("report", "r", "--format", "=", "h"), "html"),
            (("report", "r", "-f", "t"), "text tex"), (("report", "r", "--table", "win"), "winners"),
            (("run", "c", "--set", "reward.m"), "reward.map="), (("run", "c", "-s", "sweep.bet"), "sweep.beta="),
            (("run", "c", "--set", "reward.map", "=", "sh"), "sharpened"),
            (("run", "c", "--set", "=", "sweep.reward.map", "=", "sh"), "sharpened"),
            (("run", "c", "--set", "details", "=", "t"), "true"), (("run", "c", "--seed"), "--seeds"),
            (("run", "c", "-o", str(folder / "a f")), str(folder / "a folder"))]:
        (folder / "a folder").mkdir(exist_ok=True)
        replies = bash(script, *words)
        expect(wanted is None or replies == wanted.split(), f"bash {words}: {replies}")
    expect(set(bash(script, "")) >= {words[0] for words, _ in found} | {"help", "--version"}, "bash: commands")
    expect(bash(script, "run", "c", "--threads", "") == [], "bash: a number is completed")
    expect(bash(script, "nonsense", "") == [], "bash: an unknown command is completed")
    world = named_world(folder)
    for command, begun, wanted in NAMED:
        replies = bash(script, *command.split(), begun, **world)
        expect(sorted(replies) == wanted.split(), f"bash {command} {begun}: {replies}")
    (world["cwd"] / "mine.json").write_text("{}")
    expect(sorted(bash(script, "run", "m", **world)) == ["main", "main-hard", "map24", "mine.json"], "bash: files, too")
    expect(bash(script, "run", "c", "--set", "pool", "=", "shel", **world) == ["shelved"], "bash: a pool's name")
    expect(bash(script, "run", "mi", program="/nowhere/regret", **world) == ["mine.json"], "bash: no program")


def check_zsh(folder, found):
    (folder / "_regret").write_text(output("--completion", "zsh"))
    text = (folder / "_regret").read_text()
    for words, help_text in found:
        body = text[text.index("\n_regret_" + "_".join(words) + "() {"):].split("\n}\n")[0]
        for _, name in options(help_text):
            expect("--" + name in body, f"zsh: no --{name} of {words}")
    if have("zsh"):
        done = run("zsh", "-n", str(folder / "_regret"))
        expect(done.returncode == 0 and not done.stderr, f"zsh: {done.stderr}")
        # the functions with _arguments in place of zsh's own: every specification is one word with a text
        done = run("zsh", "-f", "-c", "_arguments() { print -rl -- \"$@\" }; words=(x); source $1; _regret_run",
                   "zsh", str(folder / "_regret"))
        expect(re.search(r"^\(-o --output\)--output=\[.*\]:RUN:_files -/$", done.stdout, re.M),
               f"zsh: {done.stdout}{done.stderr}")
        expect("*:argument:_regret_a_config" in done.stdout, f"zsh: {done.stdout}")
        for kind, wanted in [("pool", "shelved"), ("config", "main-hard")]:
            done = run("zsh", "-f", "-c", "_arguments() { }; _call_program() { shift; $@ }; "
                       "_alternative() { print -rl -- \"$@\" }; words=(x); source $1; _regret_a_$2",
                       "zsh", str(folder / "_regret"), kind, **named_world(folder))
            found_names = re.search(rf"^{kind}s:name:\((.*)\)$", done.stdout, re.M)
            expect(found_names and wanted in found_names[1].split() and not done.stderr, f"zsh {kind}: {done}")


def fish(script, line, **kw):
    done = run("fish", "--no-config", "-c", f"source '{script}'; complete -C '{line}'", **kw)
    expect(done.returncode == 0 and not done.stderr, f"fish {line}: {done.stderr}")
    return [reply.split("\t")[0] for reply in done.stdout.splitlines()]


def check_fish(folder, found):
    text = output("--completion", "fish")
    (folder / "regret.fish").write_text(text)
    for words, help_text in found:
        for _, name in options(help_text):
            expect(name == "help" or f"'__regret_at {' '.join(words)}' -l {name} " in text,
                   f"fish: no --{name} of {words}")
    if not have("fish"):
        return
    for line, wanted in [("regret rep", "report"), ("regret pool st", "stats"), ("regret help pool st", "stats"),
                         ("regret report r --format c", "csv"), ("regret run c --set reward.m", "reward.map="),
                         ("regret run c --set sweep.bet", "sweep.beta="), ("regret run c --seed", "--seeds"),
                         ("regret run c --set reward.map=sh", "reward.map=sharpened"),
                         ("regret pool synth newswire-c", "newswire-ceiling")]:
        replies = fish(folder / "regret.fish", line)
        expect(replies == [wanted], f"fish {line}: {replies}")
    world = named_world(folder)
    for command, begun, wanted in NAMED:
        replies = fish(folder / "regret.fish", f"regret {command} {begun}", **world)
        expect(sorted(r for r in replies if r.startswith(begun)) == wanted.split(), f"fish {command} {begun}: {replies}")
    expect(fish(folder / "regret.fish", "regret run c --set pool=shel", **world) == ["pool=shelved"], "fish: a pool's name")
    expect(fish(folder / "regret.fish", "/nowhere/regret run mi", **world) == ["mine.json"], "fish: no program")


def check_refusals():
    for arguments, said in [(("--completion", "tcsh"), "bash, zsh or fish"), (("--completion",), "usage"),
                            (("--man-page", "runn"), 'did you mean "run"'), (("--man-page", "run", "x"), "usage"),
                            (("--names",), "usage: regret --names configs|pools"),
                            (("--names", "pool"), 'did you mean "pools"?')]:
        done = run(PROGRAM, *arguments)
        expect(done.returncode == 2 and said in done.stderr and not done.stdout, f"{arguments}: {done.stderr}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        found = list(commands())
        expect(len(found) > 30, f"{len(found)} commands")
        pages = check_pages(folder, found)
        check_names(folder)
        check_bash(folder, found)
        check_zsh(folder, found)
        check_fish(folder, found)
    check_refusals()
    for failure in failures:
        print(failure)
    print(f"{len(found)} commands, {pages} pages, {len(failures)} failures")
    if failures:
        return 1
    if missing:
        print("skipped: not here:", ", ".join(sorted(set(missing))))
        return 77
    return 0


sys.exit(main())
