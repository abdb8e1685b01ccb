"""Votes between models called by numbers: the winner as a side, as a name, and as what may be either; and scores of two models."""
import csv, random

random.seed(1)
def write(name, models, winner):
    with open(name, "w", newline="") as f:
        w = csv.writer(f)
        w.writerow(["question_id", "prompt", "model_a", "model_b", "winner"])
        for i in range(60):
            a, b = random.sample(models, 2)
            w.writerow([i, f"prompt {i}", a, b, winner(a, b, random.random() < .5 + .1 * (a > b))])

write("sides.csv", [101, 102, 103], lambda a, b, first: "model_a" if first else "model_b")
write("names.csv", [1, 2, 3], lambda a, b, first: a if first else b)
write("either.csv", [1, 2], lambda a, b, first: 1 if first else 2)
write("scores.csv", list(range(1, 11)), lambda a, b, first: "model_a" if a > b else "model_b")
