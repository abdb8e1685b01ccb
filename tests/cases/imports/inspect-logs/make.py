"""Logs of Inspect 0.3, archives and documents: each folder or file a case of its own."""
import json
import os
import zipfile


def eval_of(model, **more):
    return {"run_id": "r", "task": "popularity", "task_version": 0, "dataset": {}, "model": model, **more}


def sample(name, epoch=1, text=None, value=None, stop="stop", **more):
    out = {"id": name, "epoch": epoch, "input": f"Question {name}?", "target": "Yes"}
    if text is not None:
        out["output"] = {"choices": [{"message": {"role": "assistant", "content": text}, "stop_reason": stop}], "completion": text}
    if value is not None:
        out["scores"] = {"match": {"value": value}}
    return {**out, **more}


def log(model, *samples, eval_more=None, **more):
    return {"version": 3, "status": "success", "eval": eval_of(model, **(eval_more or {})), "samples": list(samples), **more}


def put(path, what):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(what if isinstance(what, str) else json.dumps(what))


def pack(path, *members):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, what in members:
            archive.writestr(zipfile.ZipInfo(name), what if isinstance(what, str) else json.dumps(what))


def start(model):
    return {"version": 2, "eval": eval_of(model), "plan": {"name": "plan"}}


ARCHIVE = [("_journal/start.json", start("m/a")), ("samples/1_epoch_1.json", sample(1, 1, "one", "C")),
           ("samples/1_epoch_2.json", sample(1, 2, "one again", "I")), ("_journal/summaries/1.json", []),
           ("samples/two/2_epoch_1.json", sample(2, 1, "two", "P")), ("samples/3_epoch_1.json", sample(3, 1, "three", "N")),
           ("summaries.json", []), ("header.json", start("m/a"))]
B = log("m/b", sample(1, 1, "uno", True), sample(2, 1, "due", "yes"), sample(3, 1, "", 0.25))
pack("logs/a.eval", *ARCHIVE)
put("logs/b.json", B)
put("logs/logs.json", {"a.eval": {}})
pack("turned.eval", *reversed(ARCHIVE))
for name, what in ARCHIVE:
    put(f"unpacked/a/{name}", what)
turns = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": [{"type": "text", "text": "What is this? "}, {"type": "image"}]}]
said = {"choices": [{"message": {"content": [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "B"}]}}]}
put("messages.json", log("m", {"id": "x", "epoch": 1, "input": turns, "choices": ["a cat", "a dog"], "output": said, "score": {"value": 1}},
                         {"id": 2, "epoch": 1, "input": [{"role": "user", "content": "alone"}], "output": {"choices": []}, "score": {"value": 0}}))
usage = {"m/a": {"input_tokens": 100, "output_tokens": 10, "total_tokens": 150, "input_tokens_cache_read": 40, "total_cost": 0.5},
         "judge": {"input_tokens": 1000, "output_tokens": 1000}}
put("costs.json", log("m/a", sample(1, 1, "x", 1, model_usage=usage), sample(2, 1, None, 0, output={
    "choices": [], "usage": {"input_tokens": 20, "output_tokens": 5}})))
for name, line in [("prices", "m/a,2,10\nm/c,1,1"), ("no-price", "m/b,2,10"), ("negative-price", "m/a,-2,10"), ("two-prices", "m/a,2,1\nm/a,1,1")]:
    put(f"{name}.csv", f"model,input,output\n{line}\n")
put("scores.json", log("m", sample(1, 1, "x", scores={"judge": {"value": {"style": 3, "facts": "C", "none": None}}, "list": {"value": [1, 2]},
                                                     "f1": {"value": 0.5}, "number": {"value": "2.5"}}),
                       sample(2, 1, "x", scores={"f1": {"value": 1}, "judge": {"value": {"style": 5, "facts": "I"}}, "number": {"value": "what"}}),
                       sample(3, 1, "x", scores={"judge": {"value": {"style": float("nan"), "facts": True}}})))
put("states.json", log("m", sample(1, 1, "fine", "C"), sample(2, 1, "", error={"message": "x"}), sample(3, 1, "no", "I", "content_filter"),
                       sample(4, 1, "cut", "I", "max_tokens"), sample(5, 1, "cut", "C", limit={"type": "token", "limit": 9}),
                       sample(6, 1, "x", "C", invalidation={"author": "me"})))
for folder, more in [("same", {"model_generate_config": {"temperature": 0, "max_retries": 9}}),
                     ("settings", {"model_generate_config": {"temperature": 1.5}, "solver": "react", "solver_args_passed": {"n": [1]}}),
                     ("arguments", {"task_args": {"a": 1, "b": 2}, "task_args_passed": {"a": 1}})]:
    put(f"{folder}/a.json", log("m", sample(1, 1, "x", "C"), eval_more={"model_generate_config": {"temperature": 0, "max_retries": 9}}))
    put(f"{folder}/b.json", log("m", sample(1, 1, "x", "C"), eval_more=more))
put("versions/a.json", log("m/a", sample(1, 1, "x", "C")))
put("versions/b.json", log("m/b", sample(1, 1, "x", "I"), eval_more={"task_version": 2}))
put("changed/a.json", log("m/a", sample(1, 1, "x", "C")))
put("changed/b.json", log("m/b", {"id": 1, "input": "Another?", "scores": {"match": {"value": "C"}}}))
put("without/b.json", B)
pack("without/c.eval", ("_journal/start.json", start("m/c")), ("header.json", {"version": 2, "status": "error", "eval": eval_of("m/c")}))
pack("without/d.eval", ("_journal/start.json", start("m/d")))
pack("without/z.zip", ("b.eval", "PK"))
few = {"task": "t", "model": "m"}
for name, what in [("other", {"x": 1}), ("list", [1]), ("cut", '{"version": 2, "eval": {"task": "t", "model": "m"}, "samples": [{"id": 1'),
                   ("new", {"version": 4, "eval": few, "samples": []}), ("nameless", {"eval": {"task": "t"}, "samples": []}),
                   ("empty", {"eval": few, "samples": []}), ("id", {"eval": few, "samples": [{"input": "x"}]}),
                   ("input", {"eval": few, "samples": [{"id": 1, "input": {}}]}), ("epoch", {"eval": few, "samples": [{"id": 1, "epoch": 0, "input": "x"}]})]:
    put(f"bad/{name}.json", what)
pack("bad/headless.eval", *ARCHIVE[1:3])
pack("bad/bad.eval", ("_journal/start.json", start("m")), ("samples/1_epoch_1.json", '{"id": 1, "epoch": }'))
put("bad/plain.eval", "no archive")
