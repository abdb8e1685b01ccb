"""What the scripts of this folder share: a missing package, texts, interleaved timings."""

import importlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before NumPy is loaded; both sides have one thread
os.environ["OMP_NUM_THREADS"] = "1"


def require(*names):
    """The modules of these names; says what is missing and leaves with 77, "skipped", where one is."""
    modules = []
    for name in names:
        try:
            modules.append(importlib.import_module(name))
        except ImportError:
            print(f"skipped: there is no Python package {name.split('.')[0]}")
            sys.exit(77)
    return modules


def pool_texts(folder, most):
    """The outputs of a pool, at most so many of them, without zero bytes."""
    texts = []
    with open(pathlib.Path(folder) / "outputs.jsonl", encoding="utf-8") as lines:
        for line in lines:
            if len(texts) == most:
                break
            texts.append((json.loads(line).get("text") or "").replace("\0", " "))
    return texts


def text_file(texts):
    """A temporary file of texts, each ended by a zero byte."""
    file = tempfile.NamedTemporaryFile(suffix=".texts")
    file.write("".join(text + "\0" for text in texts).encode())
    file.flush()
    return file


def ours(program, *arguments):
    """Processor seconds that bench-peer took for a stage."""
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return float(done.stdout)


def timed(work):
    """Processor seconds of this process for a call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def interleave(runs, rivals):
    """`runs` rounds in which every rival, a name and a function that returns seconds, has a turn."""
    seconds = {name: [] for name in rivals}
    for _ in range(runs):
        for name, run in rivals.items():
            seconds[name].append(run())
    return seconds


def report(title, seconds, first="regret"):
    """Best, worst and median of every rival, and how many times as long as the first it took."""
    print(title)
    best, median = min(seconds[first]), statistics.median(seconds[first])
    for name, times in seconds.items():
        line = f"  {name:22s} best {1e3 * min(times):9.1f} ms   worst {1e3 * max(times):9.1f} ms   median {1e3 * statistics.median(times):9.1f} ms"
        if name != first:
            line += f"   ratio {min(times) / best:5.1f} (medians {statistics.median(times) / median:5.1f})"
        print(line, flush=True)
