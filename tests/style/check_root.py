#!/usr/bin/env python3
"""The root holds what the layout in README.md names, and nothing else.

usage: check_root.py PROJECT

Named is what stands in backquotes in the first column of the table under "## Layout". Held against it is what git
keeps; of a tree without git, or in one that is no clone, everything but builds and runs.
"""
import pathlib
import re
import subprocess
import sys

MADE = {"build", "runs", "compile_commands.json", ".git"}  # by building and running, and git itself


def named(readme):
    section = re.search(r"^## Layout\n(.*?)(?=^## |\Z)", readme, re.M | re.S)
    first = re.findall(r"^\| (.*?) \|", section[1], re.M) if section else []
    return {name.rstrip("/") for cell in first for name in re.findall(r"`([^`]+)`", cell)}


def held(root):
    git = subprocess.run(["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                         capture_output=True, text=True)
    if git.returncode == 0 and (root / ".git").exists():
        return {path.split("/")[0] for path in git.stdout.split("\0") if path}
    return {path.name for path in root.iterdir()} - MADE


def main():
    root = pathlib.Path(sys.argv[1])
    there, told = held(root), named((root / "README.md").read_text())
    faults = [f"{name} stands at the root, and the layout in README.md does not name it" for name in sorted(there - told)]
    faults += [f"README.md names {name}, which is not there" for name in sorted(told - there)]
    print("\n".join(faults) if faults else "the root is as README.md says")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
