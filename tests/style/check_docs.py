#!/usr/bin/env python3
"""Documents are few, short, and where they are said to be.

usage: check_docs.py PROJECT

Every docs/NAME.md that is named anywhere in the tree exists (but for CHANGELOG.md, which tells of what was); so do the files, and
in documents the headings, that links in Markdown lead to. README.md and docs/*.md have at most WORDS words, as `wc -w` counts
them, README.md at most LINES lines.
"""
import pathlib
import re
import sys

WORDS, LINES = 20000, 150
FOLDERS = ("src", "include", "tests", "benchmarks", "docs", "reports", "data", "configs", "cmake", ".ci")


def text(path):
    return path.read_text(encoding="utf-8", errors="ignore")


def headings(page):
    """The anchors of a page, as the usual renderers make them; code is no heading."""
    body = re.sub(r"^```.*?^```", "", text(page), flags=re.M | re.S)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in re.findall(r"^#+ (.*?)\s*$", body, re.M)}


def dead_links(root, page):
    for target in re.findall(r"\]\(([^)\s]+)\)", text(page)):
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", path):
            continue
        to = (page.parent / path) if path else page
        if not to.exists():
            yield f"{page.relative_to(root)}: {target} leads nowhere"
        elif anchor and to.suffix == ".md" and anchor not in headings(to):
            yield f"{page.relative_to(root)}: {target}: there is no such heading"


def main():
    root = pathlib.Path(sys.argv[1])
    readme, documents = root / "README.md", sorted((root / "docs").glob("*.md"))
    files = [readme, root / "CMakeLists.txt"]
    for folder in FOLDERS:
        files += [path for path in (root / folder).rglob("*") if path.is_file()]
    faults = [f"{path.relative_to(root)} names {name}, which is not there" for path in files
              for name in sorted(set(re.findall(r"\bdocs/[a-z-]+\.md\b", text(path)))) if not (root / name).exists()]
    for page in files:
        if page.suffix == ".md" and page.name != "report.md":  # of a run's report not every figure is kept
            faults += dead_links(root, page)
    words = sum(len(text(page).split()) for page in [readme, *documents])
    lines = text(readme).count("\n")
    if words > WORDS:
        faults.append(f"README.md and docs/*.md have {words} words: more than {WORDS}")
    if lines > LINES:
        faults.append(f"README.md has {lines} lines: more than {LINES}")
    print("\n".join(faults) if faults else f"{len(documents)} documents, {words} words, no dead link")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
