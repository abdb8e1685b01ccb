#!/usr/bin/env python3
"""The estimates of `regret rate estimate` with pandas, timed: rate_pandas.py FILE.

FILE is what `bench-rate make FILE` writes. Prints the naive effect and the double-rewrite ATE of
every reward model, and the time from file to numbers on one core.
"""
import json
import sys
import time

import pandas as pd


def estimate(frame, model):
    w = frame["w"]
    original = frame[f"scores.{model}.original"]
    rewrite = frame[f"scores.{model}.rewrite"]
    again = frame[f"scores.{model}.rewrite_of_rewrite"]
    naive = original[w].mean() - original[~w].mean()
    delta = (again - rewrite).where(w, rewrite - again)
    return naive, delta.mean(), delta.std() / len(delta) ** 0.5


def main(path):
    start = time.perf_counter()
    with open(path, "rb") as file:
        size = file.seek(0, 2)
    scores = pd.read_json(path, lines=True)
    parsed = time.perf_counter()
    flat = pd.json_normalize(scores["scores"].tolist())
    flat.columns = ["scores." + name for name in flat.columns]
    frame = pd.concat([scores[["w"]], flat], axis=1)
    models = sorted({name.split(".")[1] for name in flat.columns})
    results = {model: estimate(frame, model) for model in models}
    end = time.perf_counter()
    for model, (naive, ate, se) in results.items():
        print(f"{model}  naive {naive:.12g}  RATE_ATE {ate:.12g}  se {se:.12g}")
    print(json.dumps({"bytes": size, "read_json": parsed - start, "total": end - start,
                      "MB_per_s": size / 1e6 / (end - start)}))


if __name__ == "__main__":
    main(sys.argv[1])
