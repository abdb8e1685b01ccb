"""Results of one model, with columns that are no agents."""
import csv, json

def table(name, columns):
    rows = [{c: f(i) for c, f in columns.items()} for i in range(16)]
    with open(name, "w", newline="") as f:
        w = csv.DictWriter(f, list(columns))
        w.writeheader()
        w.writerows(rows)
    json.dump(rows, open(name.replace(".csv", ".json"), "w"))

key = {"id": lambda i: f"p{i}", "query": lambda i: f"question {i}?"}
table("bookkeeping.csv", {**key, "model": lambda i: "m1", "pass": lambda i: i % 2, "batch_size": lambda i: i % 3, "batch_number": lambda i: i // 4 % 2})
table("answers.csv", {**key, "ground_truth": lambda i: ["yes", "no"][i % 2], "predicted": lambda i: ["yes", "no", "maybe"][i % 3], "correct": lambda i: i % 3 == i % 2})
table("metrics.csv", {**key, "response": lambda i: f"text {i}", "bertscore_f1": lambda i: .8 + i % 5 / 50, "rougeL_f1": lambda i: .2 + i % 7 / 40, "cosine_similarity": lambda i: .5 + i % 3 / 9})
table("unnamed.csv", {**key, "fluency": lambda i: 1 + i % 5, "grammar": lambda i: 1 + i % 4, "tone": lambda i: 1 + i % 3, "latency_ms": lambda i: 90 + i})
table("agents.csv", {**key, "gpt-4o": lambda i: i % 2, "claude": lambda i: i % 3 > 0, "latency": lambda i: 90 + i, "seed": lambda i: i % 2, "difficulty": lambda i: 1 + i % 5})
