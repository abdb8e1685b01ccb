"""HELM's runs and promptfoo's results: of each the refusal, or what was counted and kept."""
import json
import os
import shutil
import subprocess
import zipfile


def put(path, what):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(what if isinstance(what, str) else json.dumps(what))


def run(name, *words, texts=True):
    shutil.rmtree("p", ignore_errors=True)
    done = subprocess.run(["regret", "import", *words, "-o", "p"], capture_output=True, text=True)
    name = " ".join(name.split())
    if done.returncode:
        print(f"{name} -> {' '.join(done.stderr.replace('regret: ', '').split())}")
        return
    print(f"== {name}")
    lines = done.stderr.splitlines()
    for line in [line for line in lines if " holds " in line or line.startswith("    ")]:
        if line.strip() and "agent are missing" not in line:
            print("  " + " ".join(line.replace("regret: ", "").split()))
    if texts:
        print("  costs", *[f"{a.get('title', a['id'])!r} {a.get('cost', 1):g}" for a in json.load(open("p/pool.json", encoding="utf-8"))["agents"]])
        for c in map(json.loads, open("p/contexts.jsonl", encoding="utf-8")):
            print(f"  {c['id']}: {c['text']!r} {c.get('tag', '')}")
        for o in map(json.loads, open("p/outputs.jsonl", encoding="utf-8")):
            print(f"  {o['context']} {o['agent']} {o['draw']} {o['text']!r}", *o["components"].values())


# HELM.
def instance(name, **more):
    return {"input": {"text": f"Input of {name}"}, "references": [{"output": {"text": "no"}, "tags": []}, {"output": {"text": "right"}, "tags": ["x", "correct"]}],
            "split": "test", "id": name, **more}


def result(text, reason="stop"):
    return {"success": True, "completions": [{"text": text, "finish_reason": {"reason": reason}}], "cached": True}


def state(name, text, trial=0, reason="stop", more=None, **extra):
    return {"instance": instance(name, **(more or {})), "train_trial_index": trial, "request": {"prompt": "long"}, "result": result(text, reason), **extra}


def states(model, *all_of, method="generation"):
    return {"adapter_spec": {"method": method, "model": model}, "request_states": list(all_of), "annotator_specs": []}


def of(name, trial=0, perturbation=None, **stats):
    return {"instance_id": name, "train_trial_index": trial, **({"perturbation": perturbation} if perturbation else {}),
            "stats": [{"name": {"name": k, "split": "test"}, "count": 1, "sum": v, "mean": v} for k, v in stats.items()]}


def put_run(folder, one, two):
    put(f"{folder}/scenario_state.json", one)
    put(f"{folder}/per_instance_stats.json", two)


TYPOS = {"name": "typos"}
TOKENS = {"num_prompt_tokens": 20, "num_output_tokens": 4}
STATES_A = states("org/a", state("id1", "one"), state("id1", "oen", more={"perturbation": TYPOS}), state("id2", "two"), state("id1", "one again", 1))
STATS_A = [of("id1", exact_match=1, quasi_exact_match=.5), of("id1", perturbation=TYPOS, exact_match=0), of("id1", **TOKENS), of("id2", exact_match=0),
           of("id1", 1, exact_match=.25), of("id2", **TOKENS), of("id1", 1, **TOKENS)]
RUN_A = "runs/v1/mmlu:subject=anatomy,model=org_a"
put_run(RUN_A, STATES_A, STATS_A)
with zipfile.ZipFile("runs.zip", "w") as archive:
    for part, what in (("scenario_state", STATES_A), ("per_instance_stats", STATS_A)):
        archive.writestr(f"v1/mmlu:subject=anatomy,model=org_a/{part}.json", json.dumps(what))
run("perturbed instances are left out", "helm", "runs")
for where in (RUN_A, "runs.zip"):
    run(where, "helm", where, texts=False)
put_run("runs/v1/narrative_qa:model=org_b", {"adapter_spec": {"model": "org/b"}, "request_states": [
    {"instance": instance("id7"), "output_mapping": {"A": "no", "B": "right"}, "result": result(" B", "length")},
    {"instance": instance("id8"), "result": {"success": False, "completions": [], "error": "429"}}]},
    [of("id7", f1_score=.75, exact_match=1, num_prompt_tokens=9, num_output_tokens=0)])
put_run("runs/v1/boolq:model=m", states("m"), STATS_A)
run("two scenarios, each by its main metric", "helm", "runs")
run("by one metric", "helm", "runs", "-m", "exact_match", texts=False)
put("prices.csv", "model,input,output\norg/a,3,15\n")
run("(20·3 + 4·15)/1e6", "helm", "runs", "--agent", "org/a", "--prices", "prices.csv")
put_run("apart/hellaswag:model=m", states("m", *[
    {"instance": instance("id1"), "reference_index": index, "request_mode": mode, "train_trial_index": 0, "result": result(text)}
    for index, mode, text in [(0, "original", "no"), (0, "calibration", "x"), (1, "original", "right"), (1, "calibration", "y")]],
    method="multiple_choice_separate_calibrated"), [of("id1", exact_match=1, predicted_index=1)])
run("of options apart the one that was chosen", "helm", "apart")
put_run("unknown/mine:model=m", states("m", state("id1", "x")), [of("id1", charm=3, wit=1, num_x=1)])
run("which metric counts", "helm", "unknown")
run("which metric counts", "helm", "unknown", "-m", "charm=1:5", texts=False)
put("bad/none/x.json", {})
put("bad/half/boolq:model=m/scenario_state.json", STATES_A)
put("bad/other/boolq:model=m/per_instance_stats.json", [])
for name, one, two in [("list", [], []), ("stats", STATES_A, {}), ("cut", '{"adapter_spec": {"model": "m"}, "request_states": [{"instance"', STATS_A),
                       ("spec", {"request_states": [], "adapter_spec": {"model": "m"}}, STATS_A), ("states", {"adapter_spec": {"model": "m"}}, STATS_A),
                       ("input", states("m", {"instance": {"id": "id1"}}), STATS_A), ("id", states("m", {"instance": {}}), STATS_A),
                       ("name", STATES_A, [{"instance_id": "id1", "train_trial_index": 0, "stats": [{"name": "exact_match"}]}])]:
    put_run(f"bad/{name}/mmlu:model=m", one, two)
for folder in sorted(os.listdir("bad")):
    run(folder, "helm", f"bad/{folder}")


# promptfoo.
def made(provider, word, output, score, prompt="Say {{x}}", test=None, response=None, **more):
    return {"cost": .5, "provider": {"id": "openai:a", "label": ""} if provider == "a" else {"id": "openai:b", "label": "mine"},
            "prompt": {"raw": prompt.replace("{{x}}", word), "label": prompt}, "testCase": {"vars": {"x": word}, **(test or {})}, "vars": {"x": word},
            "response": {"output": output, "cached": False, **(response or {})}, "score": score, "success": False, "namedScores": {"tone": 3}, **more}


def results(*all_of, version=3):
    return {"version": 4, "evalId": "e", "results": {"version": version, "prompts": [{"raw": "x"}], "results": list(all_of), "stats": {}}, "config": {}}


def promptfoo(name, what, *options, file="r.json", **more):
    put(file, what)
    run(name, "promptfoo", file.split("/", 1)[0], *options, **more)


EQUALS = {"assert": [{"type": "equals", "value": "one"}]}
promptfoo("one prompt", results(made("a", "one", "one", 1), made("b", "one", {"a": [1]}, .25, failureReason=1, error="x"), made("a", "two", "", .5),
                                made("a", "one", "one more", .75)))
promptfoo("prompts make agents", results(made("a", "one", "one", 1, test=EQUALS), made("a", "one", "two", 0, test=EQUALS,
          prompt="Please, do say {{x}}, in whatever way you think that is best")))
TESTS = [made("a", "one", "one", 1), made("a", "one", "one", 0, test=EQUALS)]
promptfoo("tests that differ in what they assert", {"version": 2, "results": TESTS, "table": {}})
promptfoo("the same in lines", "\n\n".join(map(json.dumps, TESTS)) + "\n", file="r.jsonl", texts=False)
put("two/b.json", results(made("b", "two", "x", .5)))
put("two/c.json", results())
promptfoo("two files", results(made("a", "one", "x", 1), made("a", "two", "x", 0)), file="two/a.json", texts=False)
promptfoo("two runs", results(made("a", "two", "x", .5)), file="two/b.json")
STATES = results(made("a", "1", "x", 1), made("a", "2", None, 0), made("a", "3", "x", 0, failureReason=2),
                 {"prompt": {"raw": "Say 4", "label": "Say {{x}}"}, "provider": {"id": "openai:a"}, "error": "429", "score": 0},
                 made("a", "5", "cut", .5, response={"finishReason": "length"}))
promptfoo("failures", STATES)
promptfoo("other scores", STATES, "-m", "success", "-m", "tone=1:5")
promptfoo("a variable that no prompt shows", results(*[made("a", word, "y", 1, test={"vars": {"x": word, "hint": "other"}}) for word in ("one", "two")]), texts=False)
for what in [{"prompts": []}, [], results(), results(7), results({}), results({"prompt": {"raw": "x"}}), '{"results": {"results": [{"prompt": ', results(made("a", "1", "x", 2)),
             results(version=9)]:
    promptfoo(json.dumps(what)[:100], what)
