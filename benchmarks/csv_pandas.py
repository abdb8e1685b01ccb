"""Speed of pandas.read_csv on the file that bench-csv made: csv_pandas.py FOLDER/bench.csv"""

import os
import sys
import time

import pandas

path = sys.argv[1]
size = os.path.getsize(path)
for engine in ("c", "pyarrow"):
    seconds = []
    for _ in range(2):
        start = time.perf_counter()
        try:
            frame = pandas.read_csv(path, engine=engine, dtype=str, keep_default_na=False)
        except ImportError as error:
            print(f"pandas {pandas.__version__}, engine {engine}: not there ({error})")
            break
        seconds.append(time.perf_counter() - start)
        rows = len(frame)
        del frame
    if seconds:
        print(
            f"pandas {pandas.__version__}, engine {engine}: {rows} records, "
            f"{min(seconds):8.3f} s {1e-9 * size / min(seconds):8.2f} GB/s"
        )
