#!/usr/bin/env python3
"""AlpacaEval's published results read by a plain reader, and a replicate on them recomputed with NumPy.

Usage: check_alpacaeval.py REGRET SOURCE FOLDER

Every value, text and tag of the pool that `regret import alpacaeval` writes is compared with what Python's
own reader of JSON makes of the files; then check_export.py recomputes a cell of configs/alpacaeval.json with
each family. Exit code 77 where the data (REGRET_SHARED_DATA, or ../shared/data beside the source) or NumPy is
missing.
"""

import json
import os
import pathlib
import subprocess
import sys

JUDGE = "weighted_alpaca_eval_gpt4_turbo"


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def plain(results):
    """(instruction, model) -> text, preference, brevity, dataset; the first record counts."""
    pairs = {}
    for folder in sorted(results.iterdir()):
        records = json.loads((folder / JUDGE / "annotations.json").read_text(encoding="utf-8"))
        for r in records:
            if r["preference"] is not None:
                n, m = len(r["output_2"]), len(r["output_1"])
                preference = r["preference"] - 1 if r["preference"] else 0.5
                pairs.setdefault((r["instruction"], folder.name),
                                 (r["output_2"], preference, m / (n + m) if n + m else 0.5,
                                  r["dataset"]))
    return pairs


def check_pool(pool, pairs):
    contexts = {c["id"]: c for c in lines(pool / "contexts.jsonl")}
    costs = {a["id"]: a["cost"] for a in json.loads((pool / "pool.json").read_text())["agents"]}
    characters = {agent: [] for agent in costs}
    outputs = lines(pool / "outputs.jsonl")
    assert len(outputs) == len(pairs), f"{len(outputs)} outputs, not {len(pairs)}"
    for o in outputs:
        context = contexts[o["context"]]
        text, preference, brevity, dataset = pairs[context["text"], o["agent"]]
        assert o["text"] == text and context["tag"] == dataset, o["context"]
        assert abs(o["components"]["preference"] - min(max(preference, 0), 1)) < 1e-15
        assert abs(o["components"]["brevity"] - brevity) < 1e-15
        characters[o["agent"]].append(len(text))
    for agent, cost in costs.items():
        assert abs(cost - sum(characters[agent]) / len(characters[agent])) < 1e-9 * cost, agent
    print(f"pool: {len(outputs)} outputs of {len(contexts)} contexts are the reader's")


def main():
    program, source, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    shared = pathlib.Path(os.environ.get("REGRET_SHARED_DATA", source / "../shared/data"))
    results = shared / "alpacaeval" / "results"
    if not results.is_dir():
        print(f"skipped: no {results}")
        return 77
    pool = folder / "pool"
    subprocess.run([program, "import", "alpacaeval", results, "-o", pool, "--force"], check=True)
    check_pool(pool, plain(results))
    settings = [f"pool={pool}", "n_obs=500", "n_exp=120", "cvci.lambda=[0,0.3,0.75,1]",
                "cvci_residual.lambda=[0,0.5,1]", "cvci_residual.rho=[1,100]", "contexts.hard=60"]
    options = [word for setting in settings for word in ("--set", setting)]
    for cell in ("4", "9"):  # without the agent at β = .8, with it at .6
        done = subprocess.run([sys.executable, source / "tests/outside/check_export.py", program,
                               source / "configs/alpacaeval.json", folder, "--cell", cell,
                               "--seed", "4", *options])
        if done.returncode:
            return done.returncode
    return 0


sys.exit(main())
