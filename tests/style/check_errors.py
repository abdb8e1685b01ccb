#!/usr/bin/env python3
"""Holds the sources against the one way to hand a failure up (docs/style.md, "Errors").

usage: check_errors.py PROJECT

Refused are blocks on success, statuses picked by a conditional, assignments inside conditions, and text
built in a function without a status of its own that nobody asks whether it is whole. What
must look at success by hand is named below, with its number of lines and why; another number, more or
less, is a fault too, so that the list stays true.
"""
import pathlib
import re
import sys

REFUSED = [
    (r"\brc == REGRET_OK\b", "a block on success: TRY or TRY_CLEANUP the call before it"),
    (r"\brc (?:!= REGRET_OK )?\? rc :", "a status picked by a conditional: TRY_CLEANUP both calls"),
    (r"\(rc = ", "an assignment in a condition: TRY or TRY_CLEANUP the call"),
]

ALLOWED = {
    "src/cli/report.c": (2, "the command has failed already and says what for"),
    "src/base/files.c": (1, "a name that is taken is not a failure: the next one is tried"),
}


def faults_of(path, name):
    faults = []
    for number, line in enumerate(path.read_text().split("\n"), 1):
        faults += [f"{name}:{number}: {why}" for pattern, why in REFUSED if re.search(pattern, line)]
    return faults


FUNCTION = re.compile(r"\n((?:static )?void) (\w+)\([^;{]*\)\n\{\n(.*?)\n\}\n", re.S)


def silent_texts(path, name):
    """Buffers of void functions: their failure has to become that of what they were built for."""
    faults = []
    source = path.read_text()
    for function in FUNCTION.finditer(source):
        body = function[3]
        for text in re.findall(r"(\w+) = REGRET_BUFFER_INIT", body):
            if not re.search(rf"(_status\(|_free_into\(\S+, |sql_give\(c, |put_wrapped\(d, |leaf_(take|item|paragraph)\(w, (\w+, )?)&{text}\)", body):
                number = source.count("\n", 0, function.start(2)) + 1
                faults.append(f"{name}:{number}: {function[2]}() frees `{text}`, whole or not: "
                              "regret_buffer_free_into()")
    return faults


def main():
    root = pathlib.Path(sys.argv[1])
    faults = []
    for path in sorted(root.glob("src/**/*.c")):
        name = str(path.relative_to(root))
        found = faults_of(path, name) + silent_texts(path, name)
        allowed, reason = ALLOWED.get(name, (0, ""))
        if len(found) != allowed:
            faults += found
            if allowed:
                faults.append(f"{name}: {len(found)} places where {allowed} are allowed ({reason})")
    print("\n".join(faults) if faults else "every failure is handed up in one way")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
