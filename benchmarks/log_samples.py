#!/usr/bin/env python3
"""Makes logs of Inspect, runs of HELM and results of promptfoo, of any size, for trying and measuring their importers:
MODELS models answer DOCS questions; of each answer there are KILOBYTES of transcript or tokens that nobody needs. All is made.

    benchmarks/log_samples.py FOLDER [MODELS DOCS KILOBYTES]

FOLDER/inspect, FOLDER/helm and FOLDER/results.json are what `regret import inspect`, `helm` and `promptfoo` read."""
import json
import os
import random
import sys
import zipfile

WORDS = [w + e for w in "ba ce di fo gu ha je ki lo mu na pe".split() for e in ("", "n", "r", "st")]


def text(rng, n):
    return " ".join(rng.choices(WORDS, k=n))


def inspect(path, model, docs, rights, answers, padding):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as log:
        head = {"version": 2, "eval": {"task": "questions", "task_version": 1, "model": model}, "plan": {"config": {}}}
        log.writestr("_journal/start.json", json.dumps(head))
        for i, doc in enumerate(docs):
            sample = {"id": i, "epoch": 1, "input": doc, "target": "yes", "output": {"completion": answers[i]},
                      "scores": {"match": {"value": "C" if rights[i] else "I"}},
                      "model_usage": {model: {"input_tokens": 60, "output_tokens": 40, "total_tokens": 100}}}
            log.writestr(f"samples/{i}_epoch_1.json", json.dumps(sample)[:-1] + ', "events": ' + padding + "}")
        log.writestr("header.json", json.dumps({**head, "status": "success"}))


def helm(folder, model, docs, rights, answers, padding):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "scenario_state.json"), "w") as out:
        out.write(json.dumps({"adapter_spec": {"method": "generation", "model": model}})[:-1] + ', "request_states": [')
        for i, doc in enumerate(docs):
            state = {"instance": {"input": {"text": doc}, "references": [], "split": "test", "id": f"id{i}"},
                     "train_trial_index": 0, "request": {"prompt": doc}}
            result = json.dumps({"success": True, "completions": [{"text": answers[i]}]})
            out.write((",\n" if i else "\n") + json.dumps(state)[:-1] + ', "result": '
                      + result[:-3] + ', "tokens": ' + padding + "}]}}")
        out.write("]}\n")
    stats = [{"instance_id": f"id{i}", "train_trial_index": 0,
              "stats": [{"name": {"name": n, "split": "test"}, "count": 1, "sum": v, "mean": v}
                        for n, v in (("quasi_exact_match", float(rights[i])), ("num_prompt_tokens", 60),
                                     ("num_output_tokens", 40))]} for i in range(len(docs))]
    with open(os.path.join(folder, "per_instance_stats.json"), "w") as out:
        json.dump(stats, out, indent=2)


def main():
    folder = sys.argv[1]
    n_models, n_docs, kilobytes = [int(a) for a in sys.argv[2:]] or [4, 120, 1]
    rng = random.Random(1)
    docs = [f"Question {i}: {text(rng, 30)}?" for i in range(n_docs)]
    kind = [i % 2 for i in range(n_docs)]
    tokens = json.dumps([{"text": text(rng, 1), "logprob": -1.5, "top_logprobs": {"a": -1.5}} for _ in range(kilobytes * 14)])
    results = []
    for m in range(n_models):
        name = f"made/model-{m}"
        rights = [rng.random() < 0.3 + 0.4 * m / n_models + 0.2 * (kind[i] == m % 2) for i in range(n_docs)]
        answers = [text(rng, 20 + 10 * m) for _ in docs]
        inspect(os.path.join(folder, "inspect", f"model-{m}.eval"), name, docs, rights, answers, tokens)
        helm(os.path.join(folder, "helm", f"boolq:model=made_model-{m}"), name, docs, rights, answers, tokens)
        results += [{"provider": {"id": name, "label": ""}, "prompt": {"raw": doc, "label": "{{q}}"}, "vars": {"q": doc},
                     "testCase": {"vars": {"q": doc}}, "response": {"output": answers[i]}, "cost": 0.001 * (m + 1),
                     "score": float(rights[i]), "success": bool(rights[i]), "testIdx": i} for i, doc in enumerate(docs)]
    with open(os.path.join(folder, "results.json"), "w") as out:
        json.dump({"evalId": "made", "results": {"version": 3, "results": results}}, out, indent=2)


main()
