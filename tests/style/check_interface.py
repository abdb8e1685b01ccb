#!/usr/bin/env python3
"""Makes the documentation of the interface and looks for what is missing in it.

usage: check_interface.py DOXYGEN DOXYFILE HEADERS OUTPUT

Doxygen must have nothing to warn of; every public function and macro must have words, every struct and enum words or
a member with some; and every header a page that a browser can open.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET

ATTRIBUTES = {"REGRET_API", "REGRET_PRINTF", "REGRET_BEGIN_DECLS", "REGRET_END_DECLS", "REGRET_UNNAMED"}  # of compilers

doxygen, doxyfile, headers, output = sys.argv[1], *map(pathlib.Path, sys.argv[2:])


def words(element):
    return "".join(t for part in ("briefdescription", "detaileddescription")
                   for t in element.find(part).itertext()).strip()


def public():
    """(kind, name, header) of everything that the headers declare."""
    for path in sorted(headers.glob("*.h")):
        text = re.sub(r"/\*.*?\*/", " ", path.read_text(), flags=re.S)
        for name in re.findall(r"^REGRET_API[^;{]*?\b(regret_\w+)\(", text, re.M):
            yield "function", name, path
        for name in re.findall(r"^#define (REGRET_\w+)", text, re.M):
            if name not in ATTRIBUTES | {f"REGRET_{path.stem.upper()}_H", "REGRET_H"}:
                yield "define", name, path
        for kind, name in re.findall(r"^(struct|enum|union) (regret_\w+) \{", text, re.M):
            yield kind, name, path


def documented():
    """The names that have words, by kind."""
    found = set()
    for path in (output / "xml").glob("*.xml"):
        for compound in ET.parse(path).getroot().iter("compounddef"):
            if compound.get("kind") in ("struct", "union"):
                members = [m for m in compound.iter("memberdef")]
                if words(compound) or any(words(m) for m in members):
                    found.add((compound.get("kind"), compound.findtext("compoundname")))
            for member in compound.iter("memberdef"):
                values = any(words(v) for v in member.findall("enumvalue"))
                if words(member) or values:
                    found.add((member.get("kind"), member.findtext("name")))
    return found


def main():
    if not pathlib.Path(doxygen).is_file():
        print("skipped: no doxygen here")
        return 77
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    settings = doxyfile.read_text() + f'\nOUTPUT_DIRECTORY = "{output}"\n'
    done = subprocess.run([doxygen, "-"], input=settings, text=True, capture_output=True)
    failures = (done.stdout + done.stderr).splitlines()
    if done.returncode != 0 and not failures:
        failures.append(f"doxygen ends with {done.returncode}")
    told, n = documented(), 0
    for kind, name, path in public():
        n += 1
        if (kind, name) not in told:
            failures.append(f"{path.name}: {kind} {name} has no words")
    for path in headers.glob("*.h"):
        page = output / (path.stem.replace("_", "__") + "_8h.html")
        if not page.is_file():
            failures.append(f"{path.name} has no page")
    for failure in failures:
        print(failure)
    print(f"{n} declarations, {len(failures)} failures")
    return 1 if failures or n < 400 else 0


sys.exit(main())
