#!/usr/bin/env python3
"""Man pages and completions against the help of every command.

usage: check_manual.py PROGRAM

Every command and every option that --help shows is in a page and in each completion; pages pass groff's and
mandoc's checks; the completions are tried where their shell is there. What a missing program would check is
said, and the exit code is then 77.
"""
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


BASH = r"""
source "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_regret
printf '%s\n' "${COMPREPLY[@]}"
"""


def bash(script, *words):
    done = run("bash", "-c", BASH, "bash", script, "regret", *words)
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
            (("pool", "st"), "stats"), (("pool", "synth", "p"), "patches"),
            (("report", "r", "--format", "c"), "csv"), (("report", "r", "--format", "=", "h"), "html"),
            (("report", "r", "-f", "t"), "tex"), (("report", "r", "--table", "win"), "winners"),
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


def fish(script, line):
    done = run("fish", "--no-config", "-c", f"source '{script}'; complete -C '{line}'")
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
                         ("regret pool synth p", "patches")]:
        replies = fish(folder / "regret.fish", line)
        expect(replies == [wanted], f"fish {line}: {replies}")


def check_refusals():
    for arguments, said in [(("--completion", "tcsh"), "bash, zsh or fish"), (("--completion",), "usage"),
                            (("--man-page", "runn"), 'did you mean "run"'), (("--man-page", "run", "x"), "usage")]:
        done = run(PROGRAM, *arguments)
        expect(done.returncode == 2 and said in done.stderr and not done.stdout, f"{arguments}: {done.stderr}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        found = list(commands())
        expect(len(found) > 30, f"{len(found)} commands")
        pages = check_pages(folder, found)
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
