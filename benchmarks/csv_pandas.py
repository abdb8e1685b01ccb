"""Speed of pandas.read_csv on the file that bench-csv made: csv_pandas.py FOLDER/bench.csv"""

import os
import sys
import time

import pandas

path = sys.argv[1]
size = os.path.getsize(path)
seconds = []
for _ in range(3):
    start = time.perf_counter()
    frame = pandas.read_csv(path, dtype=str, keep_default_na=False)
    seconds.append(time.perf_counter() - start)
    rows = len(frame)
    del frame
best = min(seconds)
print(f"pandas {pandas.__version__}: {rows} records {best:8.3f} s {1e-9 * size / best:8.2f} GB/s")
