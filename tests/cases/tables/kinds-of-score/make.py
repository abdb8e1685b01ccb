"""score_MODEL, cost_MODEL, latency_MODEL of seven agents, m3 best; either.csv, whose names say nothing of which end is the agent."""
import csv, random

random.seed(3)
models = [f"lab/m{k}" for k in range(7)]
with open("wide.csv", "w", newline="") as f:
    w = csv.writer(f)
    w.writerow(["prompt", "category"] + [f"{kind}_{m}" for kind in ("score", "cost", "latency") for m in models])
    for i in range(60):
        score = [round(min(1, max(0, random.gauss(.7 if k == 3 else .55, .2))), 3) for k in range(7)]
        w.writerow([f"question {i}", "abcd"[i % 4]] + score + [(k + 1) / 1000 for k in range(7)] + [100 + 30 * k for k in range(7)])
with open("either.csv", "w", newline="") as f:
    w = csv.writer(f)
    w.writerow(["prompt", "north_red", "south_red", "north_blue", "south_blue"])
    w.writerows([f"question {i}"] + [random.random() for _ in range(4)] for i in range(20))
