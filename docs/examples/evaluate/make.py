#!/usr/bin/env python3
"""Makes log.csv and trial.csv of this folder: SYNTHETIC requests, users of two moods whom no column tells.

In the log happy users ask "amber", and are pleased whoever answers; in the trial chance chooses. "birch" is best for code,
"cedar" for letters, and "amber" for nothing.
"""
import csv
import pathlib
import random

AGENTS = ["amber", "birch", "cedar"]
WORDS = {"code": ["function", "bug", "test", "loop"], "letters": ["letter", "reply", "polite", "thanks"]}


def make(path, rows, is_trial, rng):
    with open(path, "w", encoding="utf-8", newline="") as f:
        table = csv.writer(f)
        table.writerow(["request", "prompt", "category", "model", "rating", "user"])
        for i in range(rows):
            user = i // 2
            happy = random.Random(f"{path.name} {user}").random() < 0.5
            kind = rng.choice(list(WORDS))
            agent = rng.choice(AGENTS) if is_trial or rng.random() < 0.3 else "amber" if happy else rng.choice(AGENTS[1:])
            mean = 3 + (0.6 if happy else -0.6) + (0.8 if (agent, kind) in (("birch", "code"), ("cedar", "letters")) else 0)
            rating = min(5, max(1, round(rng.gauss(mean, 0.8))))
            prompt = " ".join(rng.choice(WORDS[kind]) for _ in range(3)) + f" {rng.randrange(100)}"
            table.writerow([f"{path.stem}-{i}", prompt, kind, agent, rating, f"{path.stem}-u{user}"])


if __name__ == "__main__":
    here = pathlib.Path(__file__).parent
    make(here / "log.csv", 600, False, random.Random(1))
    make(here / "trial.csv", 400, True, random.Random(2))
