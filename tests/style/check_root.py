"""check_root.py PROJECT: what git tracks at the root is what the README's section "Layout" names in `marks`, and no more.

Dot files are the tools', and are left out.
"""
import re
import subprocess
import sys


def main(project):
    listed = subprocess.run(["git", "-C", project, "ls-files"], capture_output=True, text=True)
    if listed.returncode != 0:
        print("skipped: not a clone")
        return 0
    found = {path.split("/")[0] for path in listed.stdout.splitlines()}
    found = {name for name in found if not name.startswith(".")}
    with open(project + "/README.md", encoding="utf-8") as file:
        section = re.search(r"^##+ Layout\n(.*?)(?=^## |\Z)", file.read(), re.M | re.S)
    if section is None:
        print("README.md has no section Layout: nothing to hold the root against")
        return 0
    named = {name.rstrip("/").split("/")[0] for name in re.findall(r"`([^`\s]+)`", section[1])}
    named = {name for name in named if not name.startswith(".")}
    for name in sorted(found - named):
        print(f"{name}: README.md, Layout does not name it")
    for name in sorted(named - found):
        print(f"{name}: README.md, Layout names it, the root has it not")
    return 1 if found != named else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
