"""idx begins anew in each dataset: a wide and a long table; once.csv has an id that does not."""
import csv

agents = ["gpt-4o", "claude-3-haiku", "mixtral-8x7b"]
rows = [(d, i) for d in ("math", "code", "qa") for i in range(8)]
score = lambda d, i, a: (len(d) * 7 + i * 5 + len(a) * 3) % 10 / 10
with open("wide.csv", "w", newline="") as f:
    csv.writer(f).writerows([["dataset", "idx"] + agents] + [[d, i] + [score(d, i, a) for a in agents] for d, i in rows])
with open("long.csv", "w", newline="") as f:
    csv.writer(f).writerows([["dataset", "idx", "model", "score"]] + [[d, i, a, score(d, i, a)] for d, i in rows for a in agents])
with open("joined.csv", "w", newline="") as f:
    csv.writer(f).writerows([["id", "dataset"] + agents] + [[f"{d}-{i}", d] + [score(d, i, a) for a in agents] for d, i in rows])
