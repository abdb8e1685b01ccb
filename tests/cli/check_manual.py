#!/usr/bin/env python3
"""Man pages and completion against the help of every command.

usage: check_manual.py PROGRAM SOURCE MANUAL

Every command and every option that --help shows is in a page of MANUAL, the folder that the build made, and is what
`regret --complete` offers; pages pass mandoc's checks; what asks the program in bash, zsh and fish is tried where the shell
is there. Without mandoc the exit code is 77.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM, SOURCE, MANUAL = sys.argv[1:]
GLUE = pathlib.Path(SOURCE) / "data" / "completion"
failures, missing = [], []


def run(*words, **kw):
    return subprocess.run(words, text=True, capture_output=True, **kw)


def output(*arguments, **kw):
    done = run(PROGRAM, *arguments, **kw)
    expect(done.returncode == 0 and not done.stderr, f"{' '.join(arguments)}: {done.returncode} {done.stderr}")
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
    for name in re.findall(r"^  ([a-z]+(?: [a-z0-9-]+)?) {2,}", text, re.M):
        yield from commands(tuple(name.split()))


def options(text):
    part = text[text.index("\nOptions:"):]
    return re.findall(r"^  (?:-(\w), |    )?--([a-z-]+)", part.split("\nExamples:")[0], re.M)


def roff(text):
    for character, name in [("\\", "rs"), ("'", "aq"), ("`", "ga"), ("^", "ha"), ("~", "ti"), ('"', "dq")]:
        text = text.replace(character, "\\(" + name)
    return text.replace("-", "\\-")


def check_pages(found):
    pages = {path.stem: path.read_text() for path in pathlib.Path(MANUAL).iterdir()}
    expect(set(pages) == {"regret"} | {"regret-" + words[0] for words, _ in found}, f"pages: {sorted(pages)}")
    for name in pages:
        path = f"{MANUAL}/{name}.1"
        if have("mandoc"):
            said = [s for s in run("mandoc", "-Tlint", "-Wwarning", path).stdout.splitlines()
                    if "missing date" not in s]  # the same bytes whenever they are made
            expect(not said, f"page {name}: {said}")
    for words, text in found:
        page = pages["regret-" + words[0]]
        for letter, name in options(text):
            expect(roff((f"-{letter}, " if letter else "") + "--" + name) in page, f"page {words[0]}: no --{name}")
        for line in text[text.index("\nExamples:\n") + 11:].splitlines():
            expect(roff(line) in page, f"page {words[0]}: no {line}")
        expect(words[0] in pages["regret"], f"page regret: no {words[0]}")
    for key in re.findall(r"^([a-z][\w.]*)  ", output("config"), re.M):
        expect(key in pages["regret-config"], f"page config: no {key}")
    return len(pages)


# Words of a command line, the last of them begun, and what that may become. "=" by itself: as bash cuts words.
ASKED = [("rep", "report"), ("help pool sh", "show"), ("pool st", "stats"),
         ("pool synth newswire-c", "newswire-ceiling"), ("report r --format c", "csv"), ("report r --format = h", "html"),
         ("report r --format=h", "--format=html"), ("report r -f t", "text tex"), ("report r --table win", "winners"),
         ("run c --set reward.m", "reward.map="), ("run c -s sweep.bet", "sweep.beta="),
         ("run c --set reward.map = sh", "sharpened"), ("run c --set reward.map =", "priced sharpened smooth utility"),
         ("run c --set reward.map=sh", "reward.map=sharpened"),
         ("run c --set = sweep.reward.map = sh", "sharpened"), ("run c --set details = t", "true"),
         ("run c --seed", "--seeds"), ("run c -o fo", "folder/"), ("run c -o folder/d", "folder/deep/"),
         ("run m", "main main-hard map24 mine.json"), ("run folder/", "folder/deep/ folder/own.json"),
         ("pool stats shel", "shelved"), ("run c --set pool = shel", "shelved"), ("run c --threads ", ""),
         ("nonsense ", ""), ("--vers", "--version")]


def world(folder):
    """A folder with something to complete, where one more pool has a name."""
    here = folder / "here"
    for path in (here / "folder" / "deep", folder / "shelf" / "shelved", folder / "shelf" / "no pool"):
        path.mkdir(parents=True)
    for path in (here / "mine.json", here / "folder" / "own.json", folder / "shelf" / "shelved" / "pool.json"):
        path.write_text("{}")
    path = f"{pathlib.Path(PROGRAM).parent}:{os.environ['PATH']}"
    return {"cwd": here, "env": {**os.environ, "PATH": path, "REGRET_POOL_PATH": f"{folder}/none:{folder}/shelf"}}


def check_complete(found, there):
    for words, text in found:
        names = sorted({"--" + name for _, name in options(text)})
        expect(sorted(output("--complete", *words, "--").split()) == names, f"complete: options of {words}")
    for line, wanted in ASKED:
        got = sorted(output("--complete", *line.split(" "), **there).split())
        expect(got == sorted(wanted.split()), f"complete {line}: {got}")
    expect(set(output("--complete", "").split()) >= {words[0] for words, _ in found} | {"help", "--version"},
           "complete: commands")
    expect(set(output("--complete").split()) == set(output("--complete", "").split()), "complete: no words")
    pools = output("--names", "pools", **there).split()
    expect(pools[0] == "shelved" and {"newswire", "patches"} < set(pools), f"names: {pools}")
    configs = output("--names", "configs", **there).split()
    expect(sorted(configs) == sorted(p.stem for p in (pathlib.Path(SOURCE) / "configs").glob("*.json")), f"names: {configs}")
    with tempfile.TemporaryDirectory() as other:  # no data beside it
        done = run(shutil.copy(PROGRAM, other), "--names", "configs", cwd=other)
        expect(done.returncode == 0 and not done.stdout and not done.stderr, f"names of a lone program: {done}")


SHELLS = {
    "bash": ["-c", """source "$1"; shift; COMP_WORDS=(regret "$@") COMP_CWORD=$#; _regret regret
                      printf '%s\\n' "${COMPREPLY[@]}" """, "bash", f"{GLUE}/regret.bash"],
    "zsh": ["-f", "-c", """compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -rl -- "$@" }
                           file=$1; shift; words=(regret "$@"); CURRENT=$#words; complete() { source $file }; complete""",
            "zsh", f"{GLUE}/_regret"],
    "fish": ["--no-config", "-c", f"source {GLUE}/regret.fish; complete -C (string join ' ' -- regret $argv)"]}


def check_shells(there):
    for shell, words in SHELLS.items():
        for line, wanted in ASKED if shutil.which(shell) else []:
            if " = " in line and shell != "bash" or line.endswith("=") or line == "--vers" and shell == "fish":
                continue
            done = run(shell, *words, *line.split(" "), **there)
            got = [reply.split("\t")[0] for reply in done.stdout.split("\n") if reply]
            if shell == "fish":  # which also offers what it finds inside words
                got = [reply for reply in got if reply.startswith(line.split(" ")[-1])]
            expect(sorted(got) == sorted(wanted.split()) and not done.stderr, f"{shell} {line}: {got} {done.stderr}")


def check_refusals():
    for arguments, said in [(("--names",), "usage: regret --names configs|pools"),
                            (("--names", "pool"), 'did you mean "pools"?'), (("--complet",), 'did you mean "--complete"?')]:
        done = run(PROGRAM, *arguments)
        expect(done.returncode == 2 and said in done.stderr and not done.stdout, f"{arguments}: {done.stderr}")


def main():
    found = list(commands())
    expect(len(found) > 30, f"{len(found)} commands")
    pages = check_pages(found)
    with tempfile.TemporaryDirectory() as name:
        there = world(pathlib.Path(name))
        check_complete(found, there)
        check_shells(there)
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
