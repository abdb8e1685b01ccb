#!/usr/bin/env python3
"""Writes a synthetic pool of real size: contexts x agents with texts as long as answers of language models are.

usage: real_size_pool.py POOL [CONTEXTS [AGENTS [SEED [WORDS]]]]      797 contexts x 58 agents, seed 1, 170 words an
answer, if not said

Nothing in it is real. Words are drawn from a vocabulary of Zipf frequencies, of which every context prefers some;
an answer has a log-normal number of them around WORDS (170: 1,100 characters). `preference`, in [0, 1], depends on the
agent, on the fit of agent and context, and on length; `brevity` falls with length. Standard library only."""
import json
import math
import os
import random
import sys

VOCABULARY = 40000
SYLLABLES = [c + v for c in "bcdfghjklmnprstvwz" for v in ("a", "e", "i", "o", "u", "ai", "ou")]


def words(rng):
    made, seen = [], set()
    while len(made) < VOCABULARY:
        # Frequent words are short, as they are in languages.
        word = "".join(rng.choice(SYLLABLES) for _ in range(1 + int(math.log(3 + len(made)) / 3.2) + rng.randrange(2)))
        if word not in seen:
            seen.add(word)
            made.append(word)
    return made


def text(rng, vocabulary, cumulative, topic, n, share):
    out = []
    for i in range(n):
        word = rng.choice(topic) if rng.random() < share else rng.choices(vocabulary, cum_weights=cumulative)[0]
        out.append(word + rng.choice([".", ","]) if i % 11 == 10 else word)
    return " ".join(out) + "."


def logistic(x):
    return 1 / (1 + math.exp(-x))


def main(folder, n_contexts, n_agents, seed, usual):
    rng = random.Random(seed)
    vocabulary = words(rng)
    cumulative, total = [], 0.0
    for rank in range(VOCABULARY):
        total += 1 / (rank + 3) ** 1.05
        cumulative.append(total)
    os.makedirs(folder)
    skill = [rng.gauss(0, 1) for _ in range(n_agents)]
    length = [math.exp(rng.gauss(math.log(usual), 0.35)) for _ in range(n_agents)]
    with open(f"{folder}/contexts.jsonl", "w") as contexts, open(f"{folder}/outputs.jsonl", "w") as outputs:
        for x in range(n_contexts):
            topic = rng.choices(vocabulary, k=40)
            easy = rng.gauss(0, 0.7)
            name = f"context-{x:05d}"
            asked = text(rng, vocabulary, cumulative, topic, 8 + int(rng.expovariate(1 / 22)), 0.35)
            contexts.write(json.dumps({"id": name, "text": asked}) + "\n")
            for a in range(n_agents):
                n = max(5, int(length[a] * math.exp(rng.gauss(0, 0.45))))
                answer = text(rng, vocabulary, cumulative, topic, n, 0.12 + 0.03 * math.tanh(skill[a]))
                score = logistic(-0.7 + 0.9 * skill[a] + easy + 0.5 * math.log(n / usual) + rng.gauss(0, 1))
                outputs.write(json.dumps({
                    "context": name, "agent": f"agent-{a:03d}", "draw": 0, "text": answer,
                    "components": {"preference": round(score, 6), "brevity": round(usual / (usual + n), 6)},
                    "aux": {"words": n}}) + "\n")
    with open(f"{folder}/pool.json", "w") as pool:
        json.dump({
            "format": "regret-pool-1", "name": "real-size", "version": "1", "licence": "Apache-2.0",
            "title": f"Synthetic pool of real size: {n_contexts} contexts x {n_agents} agents", "synthetic": True,
            "source": "Made by benchmarks/real_size_pool.py; no text in it is real",
            "agents": [{"id": f"agent-{a:03d}", "title": f"Simulated agent {a}", "cost": round(1 + length[a] / 100, 3)}
                       for a in range(n_agents)],
            "components": [{"name": "preference", "low": 0, "high": 1}, {"name": "brevity", "low": 0, "high": 1}],
            "counts": [], "aux": ["words"],
            "segments": [{"name": "preference-first", "weights": {"preference": 0.85, "brevity": 0.15}},
                         {"name": "brevity-first", "weights": {"preference": 0.5, "brevity": 0.5}}]}, pool, indent=1)


if __name__ == "__main__":
    if len(sys.argv) < 2 or os.path.exists(sys.argv[1]):
        sys.exit(__doc__ if len(sys.argv) < 2 else f"{sys.argv[1]} exists already; choose another folder")
    main(sys.argv[1], *[int(v) for v in sys.argv[2:6] + ["797", "58", "1", "170"][len(sys.argv) - 2:]])
