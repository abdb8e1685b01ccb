"""Runs case folders: commands of a user on small files, held to the exact words that came out.

    python3 tests/cases/run.py [--program build/dev/regret] [--update] [NAME...]

A case is a folder with `cmd` (a command a line; `#` begins a comment), the files it needs, and `expected`. The commands
run in a copy of the folder; `expected` holds, of each, its line, its standard output, its standard error (behind "! ") and
"exit N" where N is not 0. `# tolerance 1e-6` in `cmd` lets numbers differ by so much, relative to the larger or to 1;
`# wants MODULE...` skips the case where Python has no such module. --update writes `expected` anew: read its diff.
"""
import argparse
import difflib
import importlib.util
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
SKIPPED = 77


def cases(names):
    found = sorted(os.path.relpath(folder, HERE) for folder, _, files in os.walk(HERE) if "cmd" in files)
    unknown = [name for name in names if not any(matches(case, name) for case in found)]
    if unknown:
        sys.exit(f"no such case: {' '.join(unknown)}")
    return [case for case in found if not names or any(matches(case, name) for name in names)]


def matches(case, name):
    return case == name or case.startswith(name.rstrip("/") + "/")


def read_commands(case):
    """The commands, the tolerance, and the modules that Python must have."""
    commands, tolerance, modules = [], 0.0, []
    with open(os.path.join(HERE, case, "cmd"), encoding="utf-8") as file:
        for line in (raw.strip() for raw in file):
            words = line.lstrip("# ").split()
            if line.startswith("# tolerance "):
                tolerance = float(words[1])
            elif line.startswith("# wants "):
                modules += words[1:]
            elif line and not line.startswith("#"):
                commands.append(line)
    return commands, tolerance, modules


def transcript(case, program, commands):
    """What the commands print in a copy of the case's folder."""
    with tempfile.TemporaryDirectory(prefix="regret-case-") as top:
        work = os.path.join(top, "work")
        shutil.copytree(os.path.join(HERE, case), work, ignore=shutil.ignore_patterns("cmd", "expected"))
        tools = os.path.join(top, "bin")
        os.mkdir(tools)
        os.symlink(program, os.path.join(tools, "regret"))
        environment = {**os.environ, "PATH": tools + os.pathsep + os.environ["PATH"], "HOME": top, "LC_ALL": "C.UTF-8",
                       "TZ": "UTC", "COLUMNS": "100", "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        text = []
        for command in commands:
            done = subprocess.run(["sh", "-c", command], cwd=work, env=environment, stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=300, check=False)
            text.append("$ " + command)
            text += lines_of(done.stdout, "", top)
            text += lines_of(done.stderr, "! ", top)
            if done.returncode:
                text.append(f"exit {done.returncode}")
        return text


def lines_of(raw, prefix, top):
    text = raw.decode("utf-8", "backslashreplace").replace(top, "TOP")
    return [(prefix + line).rstrip() for line in text.split("\n")[: -1 if text.endswith("\n") else None] if text]


def same(got, wanted, tolerance):
    """Whether two lines are equal, numbers within the tolerance."""
    if got == wanted:
        return True
    if tolerance == 0 or NUMBER.sub("N", got) != NUMBER.sub("N", wanted):
        return False
    pairs = zip(NUMBER.findall(got), NUMBER.findall(wanted))
    return all(math.isclose(float(a), float(b), rel_tol=tolerance, abs_tol=tolerance) for a, b in pairs)


def run_case(case, program, update):
    commands, tolerance, modules = read_commands(case)
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if missing:
        print(f"skipped: {case}: Python has no {' '.join(missing)}")
        return SKIPPED
    got = transcript(case, program, commands)
    path = os.path.join(HERE, case, "expected")
    if update:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(got) + "\n")
        return 0
    with open(path, encoding="utf-8") as file:
        wanted = file.read().split("\n")[:-1]
    if len(got) == len(wanted) and all(same(a, b, tolerance) for a, b in zip(got, wanted)):
        return 0
    print(f"{case}: what came out is not what tests/cases/{case}/expected holds")
    print("\n".join(difflib.unified_diff(wanted, got, "expected", "got", lineterm="")))
    return 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(HERE, "../../build/dev/regret"))
    parser.add_argument("--update", action="store_true", help="write what comes out as what is expected")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a case, or a folder of cases")
    args = parser.parse_args()
    program = os.path.abspath(args.program)
    if not os.path.exists(program):
        sys.exit(f"no such program: {program}")
    codes = [run_case(case, program, args.update) for case in cases(args.names)]
    if 1 in codes:
        return 1
    return SKIPPED if codes and all(code == SKIPPED for code in codes) else 0


if __name__ == "__main__":
    sys.exit(main())
