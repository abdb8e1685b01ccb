#!/usr/bin/env python3
"""Reading a CSV beside other readers: csv_readers.py BENCH_CSV FOLDER [MEGABYTES [RUNS]]

BENCH_CSV is build/release/benchmarks/bench-csv; it makes FOLDER/bench.csv (1000 MB unless told, of made-up
patches). Every reader that is installed has a turn, RUNS (3) times, on one thread where it may be told:
pandas, polars and DuckDB of Python, and polars and DuckDB of Node where `nodejs-polars` and
`@duckdb/node-api` are installed in the working folder. What counts is processor time of reading, with every
field as text.
"""

import importlib.util
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys

from peer import interleave, report

PYTHON = {
    "pandas": "import pandas; pandas.read_csv({path!r}, dtype=str, keep_default_na=False)",
    "polars": "import polars; polars.read_csv({path!r}, infer_schema_length=0)",
    "duckdb": "import duckdb; duckdb.sql('SET threads = 1'); duckdb.sql(\"CREATE TABLE t AS SELECT * FROM "
              "read_csv({path!r}, all_varchar=true, max_line_size=100000000)\")",
}
NODE = {
    "nodejs-polars": "require('nodejs-polars').readCSV({path!r}, {{inferSchemaLength: 0}})",
    "@duckdb/node-api": "(async () => {{ const c = await (await require('@duckdb/node-api').DuckDBInstance"
                        ".create(':memory:', {{threads: '1'}})).connect(); await c.run(\"CREATE TABLE t AS "
                        "SELECT * FROM read_csv({path!r}, all_varchar=true, max_line_size=100000000)\"); "
                        "}})()",
}


def processor_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, env={**os.environ, "POLARS_MAX_THREADS": "1"},
                   stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rival(start, script):
    """Seconds of a process that reads, less those of one that only loads the reader."""
    load = script.split(";")[0] if start[0] == sys.executable else script.split("')")[0] + "')"
    if "async" in load:
        load = "require('@duckdb/node-api')"
    return lambda: processor_seconds([*start, script]) - processor_seconds([*start, load])


def ours(program, folder, megabytes):
    done = subprocess.run([program, folder, "-", megabytes], capture_output=True, text=True, check=True)
    return float(re.search(r"all fields resolved\s+([0-9.]+) s", done.stdout)[1])


def main():
    program, folder = sys.argv[1:3]
    megabytes = sys.argv[3] if len(sys.argv) > 3 else "1000"
    runs = int(sys.argv[4]) if len(sys.argv) > 4 else 3
    path = str(pathlib.Path(folder) / "bench.csv")
    rivals = {"regret": lambda: ours(program, folder, megabytes)}
    for name, script in PYTHON.items():
        if importlib.util.find_spec(name):
            rivals[name] = rival([sys.executable, "-c"], script.format(path=path))
        else:
            print(f"not compared: there is no Python package {name}")
    for name, script in NODE.items():
        if shutil.which("node") and pathlib.Path("node_modules", name).is_dir():
            rivals[name] = rival(["node", "-e"], script.format(path=path))
        else:
            print(f"not compared: there is no Node package {name} in the working folder")
    ours(program, folder, megabytes)  # makes the file and brings it into the page cache
    report(f"{megabytes} MB of CSV, all fields", interleave(runs, rivals))


if __name__ == "__main__":
    main()
