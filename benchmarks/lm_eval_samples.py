#!/usr/bin/env python3
"""Makes a folder of samples as lm-evaluation-harness 0.4 writes them, of any size, for measuring `regret import lm-eval`:
MODELS models answer DOCS questions of each of TASKS tasks, half of them by choosing, half by writing. All of it is made.

    benchmarks/lm_eval_samples.py FOLDER [MODELS DOCS TASKS SHOTS]"""
import hashlib
import json
import os
import random
import sys

DATE = "2025-03-01T12-00-00.000000"
WORDS = [w + e for w in "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu".split()
         for e in ("", "n", "r", "st", "l", "nd", "rk", "m")]


def text(rng, n):
    return " ".join(rng.choices(WORDS, k=n))


def digest(value):
    return hashlib.sha256(value.encode()).hexdigest()


def sample(rng, doc, task, skill):
    question, choices, gold, shots = doc["question"], doc["choices"], doc["gold"], doc["shots"]
    prompt = shots + "Question: " + question + "\nAnswer:"
    right = rng.random() < skill
    row = {"doc_id": doc["id"], "doc": {"question": question, "choices": choices, "gold": gold, "source": doc["source"]}}
    if task % 2 == 0:  # log likelihoods of choices
        chosen = gold if right else (gold + 1) % 4
        row["target"] = str(gold)
        row["arguments"] = {f"gen_args_{i}": {"arg_0": prompt, "arg_1": " " + c} for i, c in enumerate(choices)}
        scores = [[str(-20.0 + 10.0 * (i == chosen) - rng.random()), "False"] for i in range(4)]
        row["resps"] = [[s] for s in scores]
        row["filtered_resps"] = scores
        row["filter"], row["metrics"] = "none", ["acc", "acc_norm"]
        values = {"acc": float(right), "acc_norm": float(right)}
    else:
        answer = text(rng, 60) + ("\n#### " + choices[gold] if right else "\n#### no")
        row["target"] = choices[gold]
        row["arguments"] = {"gen_args_0": {"arg_0": prompt, "arg_1": {"until": ["Question:"], "do_sample": False}}}
        row["resps"] = [[answer]]
        row["filtered_resps"] = [answer.split("#### ")[1]]
        row["filter"], row["metrics"] = "strict-match", ["exact_match"]
        values = {"exact_match": float(right)}
    row["doc_hash"], row["prompt_hash"], row["target_hash"] = digest(question), digest(prompt), digest(row["target"])
    row.update(values)
    return row


def main():
    folder = sys.argv[1]
    models, docs, tasks, shots = [int(a) for a in sys.argv[2:6]] if len(sys.argv) > 5 else (8, 1000, 4, 5)
    for task in range(tasks):
        rng = random.Random(task)
        name = f"task_{task}"
        shot_text = "".join(f"Question: {text(rng, 60)}\nAnswer: {text(rng, 8)}\n\n" for _ in range(shots))
        corpus = [{"id": i, "question": text(rng, 60), "choices": [text(rng, 4) for _ in range(4)], "gold": rng.randrange(4),
                   "shots": shot_text, "source": text(rng, 40)} for i in range(docs)]
        for model in range(models):
            path = os.path.join(folder, f"made__model-{model}")
            os.makedirs(path, exist_ok=True)
            own = random.Random(1000 * model + task)
            with open(os.path.join(path, f"samples_{name}_{DATE}.jsonl"), "w") as out:
                for doc in corpus:
                    out.write(json.dumps(sample(own, doc, task, 0.3 + 0.5 * model / models), ensure_ascii=False) + "\n")
    for model in range(models):
        results = {"results": {}, "versions": {f"task_{t}": 1.0 for t in range(tasks)},
                   "n-shot": {f"task_{t}": shots for t in range(tasks)},
                   "higher_is_better": {f"task_{t}": {"acc": True, "acc_norm": True} if t % 2 == 0 else {"exact_match": True}
                                        for t in range(tasks)},
                   "config": {"model": "hf", "model_args": f"pretrained=made/model-{model}"},
                   "model_name": f"made/model-{model}", "model_name_sanitized": f"made__model-{model}"}
        with open(os.path.join(folder, f"made__model-{model}", f"results_{DATE}.json"), "w") as out:
            json.dump(results, out, indent=2)


if __name__ == "__main__":
    main()
