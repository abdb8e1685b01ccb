"""Runs the programs on standard input, one JSON object a line, in Python itself.

{"files": {path: text}, "path": module, "runs": [[call, raised, result], ...]}: the result is
repr() of the value, or the name of the exception. Says what differs and exits with 1 if anything
does.
"""
import builtins
import json
import sys
import types

LINES = 200000


class TooLong(BaseException):
    pass


def limited(function):
    """function(), cut off after so many lines: a count, not a clock."""
    left = LINES

    def trace(frame, event, argument):
        nonlocal left
        left -= 1
        if left < 0:
            raise TooLong()
        return trace

    sys.settrace(trace)
    try:
        return function()
    finally:
        sys.settrace(None)


def load(files):
    modules = {}

    def find(name, *rest):
        if name not in modules:
            module = modules[name] = types.ModuleType(name)
            names = dict(vars(builtins))
            names.update(
                __import__=find,
                print=lambda *values: None,
                range=lambda *values: list(range(*values)),
                reversed=lambda values: list(reversed(values)),
            )
            module.__dict__["__builtins__"] = names
            exec(compile(files[name.replace(".", "/") + ".py"], name, "exec"), module.__dict__)
        return modules[name]

    return find


def outcome(call, module):
    try:
        return 0, limited(lambda: repr(eval(call, module.__dict__)))
    except TooLong:
        return 1, "TooLong"
    except Exception as error:
        # A local name without a value: mini makes no difference.
        return 1, type(error).__name__.replace("UnboundLocalError", "NameError")


def main():
    runs = different = 0
    for line in sys.stdin:
        program = json.loads(line)
        module = load(program["files"])(program["path"][:-3].replace("/", "."))
        for call, raised, result in program["runs"]:
            runs += 1
            wanted = outcome(call, module)
            if wanted != (raised, result):
                different += 1
                print(call, "is", wanted[1], "in Python, not", result, file=sys.stderr)
    if runs == 0 or different > 0:
        sys.exit(1)


main()
