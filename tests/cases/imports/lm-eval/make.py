"""Samples of lm-evaluation-harness as its versions write them: each folder a case of its own."""
import json
import os

DATE, LATER = "2025-03-01T12-00-00.123456", "2025-03-02T09-30-00.000001"


def put(path, *records):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.writelines((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in records)


def results(model, version="1.0", **more):
    return {"results": {}, "versions": {"arc": version}, "n-shot": {"arc": 5},
            "config": {"model": "hf", "model_args": f"pretrained={model},dtype=auto"}, **more}


def choice(doc, first, second, acc):
    """A question with two choices, of which the second is right."""
    pair = [[str(first), "False"], [str(second), "True"]]
    return {"doc_id": doc, "target": "1", "arguments": {f"gen_args_{k}": {"arg_0": f"Q{doc}? A:", "arg_1": word}
            for k, word in enumerate([" red", " blue"])}, "resps": [[p] for p in pair], "filtered_resps": pair, "filter": "none",
            "metrics": ["acc", "acc_norm"], "doc_hash": f"h{doc}", "acc": acc, "acc_norm": 1.0}


def written(doc, which, text, em):
    return {"doc_id": doc, "target": "42", "arguments": {"gen_args_0": {"arg_0": f"Count {doc}.", "arg_1": {"until": []}}},
            "resps": [[text]], "filtered_resps": ["42"], "filter": which, "doc_hash": f"w{doc}", "exact_match": em}


def plain(doc, prompt, responses, filtered=None, **scores):
    return {"doc_id": doc, "arguments": prompt, "resps": responses, "filtered_resps": filtered or responses[0], **scores}


def model(folder, name, *arc, gsm=(), date=DATE, **more):
    put(f"{folder}/results_{date}.json", results(name, **more))
    put(f"{folder}/samples_arc_{date}.jsonl", *arc)
    if gsm:
        put(f"{folder}/samples_gsm_8k_{date}.jsonl", *gsm)


def two(top, **more):
    model(f"{top}/org__b", "org/b", choice(0, -1.5, -9.0, 0.0), choice(3, -8, -2, 1.0), model_name="org/b",
          gsm=[written(0, "strict-match", "so 41", 0.0), written(0, "flexible", "so 41", 1.0)], **more)
    model(f"{top}/org__a", "org/a", choice(0, -3, -1, 1.0),
          gsm=[written(0, "strict-match", "#### 42", 1.0), written(0, "flexible", "#### 42", 1.0)])


two("two")
two("runs")
model("runs/org__b", "org/b", choice(0, -9, -1, 1.0), date=LATER, model_name="org/b")
two("versions", version="2.0")
two("passed-over")
put("passed-over/c/samples_arc_" + DATE + ".jsonl")
put("passed-over/README.md", "runs of today")
os.symlink("c", "passed-over/link")
open("passed-over/e.zip", "w").close()
model("lower/m", "m", higher_is_better={"ppl": {"byte": False}})
put(f"lower/m/samples_ppl_{DATE}.jsonl", plain("a", [["text"]], [["-3.5"]], byte=3.5, pair=[1, 2], empty=None),
    plain("b", [["more"]], [["-3"]], byte=11))
put(f"perplexity/m/results_{DATE}.json", results("m", higher_is_better={"lambada": {"perplexity": False, "acc": True}}))
put(f"perplexity/m/samples_lambada_{DATE}.jsonl", plain(0, [["about", " signs"]], [[[-8.5, False]]], perplexity=-8.5, acc=0.0),
    plain(1, [["is", " it"]], [[[-0.5, True]]], perplexity=-0.5, acc=1.0))
put(f"draws/m/samples_t_{DATE}.jsonl", plain(0, [["p", {}]], [["x", "y", "z"]], [["x", "y", "z"]], metrics=["em"], em=[0, 1, True]),
    plain(1, [["q", {}]], [["x", "y", "z"]], ["x"], metrics=["em"], em=1))
turns = json.dumps([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi?"}])
put(f"turns/m/samples_t_{DATE}.jsonl", plain(0, {"gen_args_0": {"arg_0": [turns]}}, [["ho"]], em=1),
    plain(1, [["The cat", " ran"], ["The dog", " ran"]], [[[-2.0, False]], [[-1.0, True]]], [[-2.0, False], [-1.0, True]], em=1),
    plain(2, [["The sky is", " blue"]], [[[-2.0, True]]], em=1), plain(3, [["The sea is", " red"]], [[[-2.0, False]]], em=0))
put(f"beside/own_{DATE}.json", results("org/a"))
put(f"beside/own_{LATER}.json", results("org/b"))
put(f"beside/samples_arc_{DATE}.jsonl", choice(0, -3, -1, 1.0))
put(f"beside/samples_arc_{LATER}.jsonl", choice(0, -1, -3, 0.0))
put(f"many-256/m/samples_t_{DATE}.jsonl", plain(0, [["Q"]], [["A"]], **{f"m{k}": k % 2 for k in range(256)}))
for name, lines in [("cut", ['{"doc_id": 0']), ("array", ["[1]"]), ("no-samples", ['{"a": 1}']), ("no-prompt", [{"doc_id": 0, "em": 1}]),
                    ("no-score", ["", plain(0, [["p"]], [["x"]])]), ("out-of-range", [plain(0, [["p"]], [["x"]], acc=7)]),
                    ("twice", [plain(0, [["p"]], [["x"]], acc=1)] * 2)]:
    put(f"bad/{name}/m/samples_t.jsonl", *lines)
put(f"bad/results/m/results_{DATE}.json", '{"versions": ')
put("bad/results/m/samples_t.jsonl", "{}")
put("bad/nothing/README.md", "nothing")
