"""Small files in the layouts of SWE-bench, AlpacaEval and SummEval: of each the refusal, or what was counted and kept."""
import json
import os
import re
import shutil
import subprocess

DIFF = '--- a/{0}.py\n+++ b/{0}.py\n@@ -1 +1 @@\n-old\n+"quoted"\n'


def put(path, what):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as file:
        file.write(what if isinstance(what, bytes) else (what if isinstance(what, str) else json.dumps(what)).encode())


def lines(*records):
    return "".join(json.dumps(record) + "\n" for record in records)


def run(name, *words, texts=True):
    shutil.rmtree("p", ignore_errors=True)
    done = subprocess.run(["regret", "import", *words, "-o", "p"], capture_output=True, text=True)
    name = " ".join(name.split())
    if done.returncode:
        print(f"{name} -> {' '.join(done.stderr.replace('regret: ', '').split())}")
        return
    print(f"== {name}")
    print("  " + "; ".join(" ".join(line.replace("regret: ", "").split()) for line in done.stderr.splitlines()
                           if re.match(r" +[0-9]+ [a-z]|.* holds ", line) and not re.search("agent are missing|files passed over", line)))
    if texts:
        print("  costs", *[f"{a.get('title', a['id'])} {a.get('cost', 1):g}" for a in json.load(open("p/pool.json", encoding="utf-8"))["agents"]])
        tags = [f"{c['id']} {c['tag']}" for c in map(json.loads, open("p/contexts.jsonl", encoding="utf-8")) if c.get("tag")]
        print("  tags", *tags) if tags else None
        for o in map(json.loads, open("p/outputs.jsonl", encoding="utf-8")):
            print(f"  {o['context']} {o['agent']} {o['draw']} {o['text'][:30]!r}", *[f"{v:.6g}" for v in o["components"].values()])


def recognised(*words):
    said = subprocess.run(["regret", "import", *words, "--dry-run"], capture_output=True, text=True).stderr
    print(f"{words[0]} is", *re.findall("is read as `([^`]*)`|may be.*|in none.*", said))


# SWE-bench as BouncerBench has it.
ISSUES = [{"instance_id": "p__p-2", "repo": "p/p", "problem_statement": "quoted old name"},
          {"instance_id": "p__p-1", "problem_statement": "another\r\nissue"}, {"instance_id": "unused", "problem_statement": ""}]
HEADER = "instance_id,agent,patch,resolved,tests_status,benchmark\r\n"


def cell(text):
    return '"' + text.replace('"', '""') + '"'


def swebench(name, rows, *options, issues=lines(*ISSUES), head=HEADER, **more):
    put("issues.jsonl", issues)
    put("in.csv", head.encode() + rows if isinstance(rows, bytes) else head + rows)
    run(name, "swebench", "in.csv", "--issues", "issues.jsonl", *options, **more)


SMALL = (f"p__p-1,run_10,{cell(DIFF.format('one'))},True,,lite\r\np__p-1,run_2,,False,\"{{'FAIL_TO_PASS': {{'success': [], 'failure': ['t']}}, "
         f"'PASS_TO_PASS': {{'success': ['a'], 'failure': []}}}}\",lite\r\np__p-2,run_10,{cell(DIFF.format('name'))},True,"
         + cell('{"FAIL_TO_PASS": {"success": [], "failure": ["t"]}, "PASS_TO_PASS": {}}') + ",lite\r\n"
         "p__p-2,run_2,# No patch generated,False,,verified\r\np__p-9,run_2,x,True,,lite\r\n")
swebench("a small file", SMALL)
recognised("./in.csv", "--issues", "issues.jsonl")
swebench("columns in any order", "0,,TRUE,?,a,p__p-1\n1,,0.0,?,b,p__p-1\n", head=",patch,resolved,extra,agent,instance_id\n")
swebench("resolved without a diff", "p__p-1,a,nan,True,,\np__p-2,a,,True,,\np__p-1,b,# a comment,True,,\np__p-2,b,nan,False,,\n")
swebench("one benchmark", SMALL, "--benchmark", "lite", texts=False)
swebench("no such benchmark", SMALL, "--benchmark", "full")
swebench("agents by pattern", SMALL, "--agent", "run_[1-9][0-9]", texts=False)
swebench("no agent", SMALL, "--agent", "nobody")
COVERED = "p__p-1,a,,True,,\np__p-2,a,,True,,\np__p-1,b,,True,,\np__p-2,b,,True,,\np__p-2,c,,True,,\n"
swebench("coverage of agents", COVERED, "--agent-coverage", ".9", texts=False)
swebench("coverage of issues", COVERED, "--issue-coverage", "1", texts=False)
swebench("too much coverage", "p__p-1,a,x,True,,\np__p-2,b,x,True,,\n", "--agent-coverage", ".9")
TWICE = "p__p-1,a,,False,,\np__p-1,b,x,True,,\np__p-1,a,first,True,,\np__p-1,a,second,True,,\np__p-2,a,,False,,\np__p-2,a,,True,,\n"
for rule in ("first", "last", "refuse"):
    swebench(f"duplicates: {rule}", TWICE, "--duplicates", rule)
GROUPS = "p__p-1,sys_10,t,True,,\np__p-1,sys_9,n,True,,\np__p-1,other,o,True,,\np__p-2,sys_10,only,True,,\n"
for groups in (["sys=sys_*", "late=s*"], ["no pattern"], ["sys=sys_*", "rest=sis_*"]):
    swebench(f"groups {groups}", GROUPS, *[word for group in groups for word in ("--group", group)])
for row in ["p__p-1,a,x", "p__p-1,a,x,maybe,,", "p__p-1,a,x,,,", "p__p-1,a,x,,{'a': ,", "p__p-1,a,x,NaN,{'a': [1},", "p__p-1,a b,x,True,,", ",a,x,True,,",
            'p__p-1,a,x"y,True,,', 'p__p-1,a,"x,True,,', "none,a,x,True,,"]:
    swebench(row, row + "\n")
swebench("a bad row left out", 'p__p-1,a,x,maybe,,\np__p-2,a,"\n\n",True,,\n', "--skip-bad")
swebench("bytes that are not UTF-8", b"p__p-1,a,caf\xe9 \xc3\xa9\0\xe2\x82,True,,\n")
swebench("a tests_status that cannot be read", 'p__p-1,a,x,True,"array([], dtype=object)",\np__p-2,a,x,False,{\'a\': ,\n', texts=False)
swebench("no rows", "")
swebench("no resolved", "", head="instance_id,agent,patch\n")
swebench("a column twice", "", head="agent,agent,patch\n")
A, B = ({"instance_id": i, "problem_statement": i.upper()} for i in "ab")
for issues in [json.dumps([B, A]), lines(B, {**B, "problem_statement": "B b"}, A), lines({**B, "problem_statement": None}, A, {"instance_id": "c"}), "[]",
               json.dumps([A, 3]), json.dumps([A, {}]), "instance_id,problem_statement\n"]:
    swebench(issues[:110].strip(), "a,x,,True,,\nb,x,,False,,\n", issues=issues, texts=False)

# SWE-bench's own files: two systems, whose reports have either form.
put("issues.jsonl", lines(*[{"instance_id": f"p-{i}", "problem_statement": f"issue {i}"} for i in (1, 2, 3)]))


def values(pool):
    return [[*o["components"].values(), *o["aux"].values()] for o in map(json.loads, open(pool + "/outputs.jsonl", encoding="utf-8"))]


def systems(**files):
    shutil.rmtree("systems", ignore_errors=True)
    put("systems/run_10/all_preds.jsonl", files.get("preds") or lines(*[{"instance_id": i, "model_patch": p} for i, p in [
        ("p-1", DIFF.format("one")), ("p-2", None), ("p-3", "# nothing to do"), ("p-9", "x")]]))
    put("systems/run_10/report.json", files["report"] if "report" in files else {"resolved_ids": ["p-1", "p-2"], "total_instances": 3})
    put("systems/run_2/preds.json", {i: {"instance_id": i, "model_patch": DIFF.format("one")} for i in ("p-1", "p-3")})
    put("systems/run_2/results/results.json", {"p-1": {"resolved": False}, "p-3": {"resolved": True}})
    put("systems/README.md", "a file beside the systems")


def predictions(name, *options, **more):
    run(name, "swebench", "systems", "--issues", "issues.jsonl", *options, **more)


systems()
predictions("predictions")
predictions("one run", "--agent", "run_2")
recognised("./systems", "--issues", "issues.jsonl")
predictions("no run", "--agent", "x*")
for report in [{"resolved": 3}, {"resolved_ids": [1]}, {"p-1": {"resolved": True}}, [], {"instances": {"p-1": {"resolved": True}}}]:
    systems(report=report)
    predictions(json.dumps(report))
for preds in [lines({"model_patch": "x"}), lines({"instance_id": "p-1", "model_patch": 3}), lines({"instance_id": "p 1"}), "x\n"]:
    systems(preds=preds)
    predictions(preds.strip())
systems()
predictions("groups of runs are draws of one agent", "--group", "run=run_*")
put("systems/run_3/report.json", {"resolved": []})
put("systems/run_4/all_preds.jsonl", lines({"instance_id": "p-1", "model_patch": "x"}))
predictions("no report")
predictions("no report, left out", "--skip-bad", texts=False)
shutil.rmtree("systems")
predictions("no folder")

# The same rows as a table of BouncerBench's layout, and as one of one's own by a map, are the same outputs.
systems(preds=lines({"instance_id": "p-1", "model_patch": DIFF.format("one")}, {"instance_id": "p-2", "model_patch": ""}))
shutil.rmtree("systems/run_2")
predictions("as a folder", texts=False)
folder = values("p")
swebench("as a table", f"p-1,run_10,{cell(DIFF.format('one'))},True,,\np-2,run_10,,True,,\n",
         issues=lines(*[{"instance_id": f"p-{i}", "problem_statement": f"issue {i}"} for i in (1, 2)]), texts=False)
print("  the same values:", folder == values("p"))
put("in.csv", f"instance_id,agent,patch,resolved,issue\np-1,run_10,{cell(DIFF.format('one'))},True,issue 1\np-2,run_10,,1,issue 2\n")
put("map.json", {"name": "mine", "synthetic": True, "coding": {"success": "resolved"}, "columns": {
    "context": "instance_id", "agent": "agent", "output": "patch", "text": "issue"}})
run("by a map", "csv", "in.csv", "--map", "map.json", texts=False)
print("  the same values:", folder == values("p"))


# AlpacaEval's published layout.
def judged(instruction, output, preference, **more):
    return {"instruction": instruction, "output_1": "four", "output_2": output, "generator_2": "g", "dataset": "koala", "preference": preference, **more}


def judge(model, *records, by="gpt4"):
    put(f"results/{model}/{by}/annotations.json", list(records) if records else "")


def alpacaeval(name, *options, **more):
    run(name, "alpacaeval", "results", *options, **more)


NO_OUTPUT = {"instruction": "three", "output_1": "four", "preference": 1.5, "dataset": "vicuna"}
judge("a", judged("one", "x", 1.5), judged("one", "y", 1.7), judged("two", "x", None), judged("two", "x", float("nan")), NO_OUTPUT,
      {**NO_OUTPUT, "instruction": "four"}, judged("three", "z", 2))
put("results/a/model_outputs.json", [{"instruction": "three", "output": "apart"}, {"instruction": "one", "output": "w"}])
judge("b", judged("one", "x", 1))
judge("c", judged("one", "x", 1), by="claude")
alpacaeval("losses are counted", "--annotator", "gpt4")
alpacaeval("two annotators")
recognised("./results")
alpacaeval("no folder's name", "--annotator", "../x")
shutil.rmtree("results")
for model in ("gpt4", "gpt4_small", "claude"):
    judge(model, judged("one", "x", 1))
alpacaeval("models by pattern", "--agent", "gpt*", "--exclude", "*_small", texts=False)
alpacaeval("no model", "--agent", "x*")
for prices in ("price,model,note\n2.5,gpt4,\n30,claude,\n1,gpt4_small,\n", "price,model\n2.5,gpt4\n", "price,model\n2,gpt4\n2,gpt4\n", "price,model\n-2,gpt4\n", "cost,model\n"):
    put("prices.csv", prices)
    alpacaeval(prices.strip(), "--prices", "prices.csv")
shutil.rmtree("results")
judge("a", judged("one", "x", 1.5), judged("one", "y", 1.7))
for rule in ("first", "last", "draws", "refuse"):
    alpacaeval(f"repeats: {rule}", "--repeats", rule)
for record in [judged("x", "y", 2.5), judged("x", "y", "2"), judged("x", 3, 2), {"instruction": "x", "output_2": "y", "preference": 1}]:
    judge("a", judged("one", "x", 1), record)
    alpacaeval(json.dumps(record))
alpacaeval("a bad record left out", "--skip-bad", texts=False)
os.symlink("a", "results/linked")
judge("a", judged("one", "x", 1))
alpacaeval("a link", texts=False)
os.remove("results/a/gpt4/annotations.json")
os.symlink("/etc/passwd", "results/a/gpt4/annotations.json")
alpacaeval("a link for a file")


# SummEval, as G-Eval has it.
def record(doc, system, **more):
    return {"doc_id": doc, "system_id": system, "source": f"The {doc} cat sat on the mat.", "reference": "A cat sat.", "system_output": "a cat sat",
            "scores": {"coherence": 2, "consistency": 3.5, "fluency": 4, "relevance": 1, "overall": 9}, **more}


def scored(consistency, **more):
    return record("b", "M10", scores={"coherence": 2, "consistency": consistency, "fluency": 4, "relevance": 1, **more})


def summeval(name, *records, **more):
    put("in.json", list(records))
    run(name, "summeval", "in.json", *more.pop("options", ()), **more)


summeval("faithfulness, coverage, clarity, conciseness", record("b", "M10"), record("a", "M2"), record("b", "M2"), record("a", "M10"))
summeval("values as programs write them", record(1, "Big Model/v1", scores={
    "coherence": "2", "consistency": [3, " 4.5 ", 3], "fluency": 5.0, "relevance": 1}), record(1.5, "22"))
summeval("unscored records", record("a", "M1"), record("b", "M1", scores={"coherence": 1}))
for words in ("", "a b", "a b c", "a b c d", "a b c d e f", "a b c d e f g h i", "a b a b"):
    summeval(f"conciseness of {words!r}, where 3 words are wanted", record("a", "M2", system_output=words, reference="x y z"))
summeval("as its authors publish it", *[{
    "id": doc, "model_id": system, "text": f"The {doc} cat sat on the mat.", "references": ["A cat sat.", "Cats sit."], "decoded": "a cat sat",
    "expert_annotations": [{"coherence": 1, "consistency": 3, "fluency": 5, "relevance": 1}, {"coherence": 3, "consistency": 4, "fluency": 3, "relevance": 1}],
    "turker_annotations": [{"coherence": 5}]} for doc, system in (("b", "M10"), ("a", "M2"))])
recognised("./in.json")
summeval("without the articles", {"id": "b", "model_id": "M1", "decoded": "x", "expert_annotations": []})
for first, second in [({"reference": "a"}, {}), ({"reference": ""}, {"reference": "a b"}), ({"reference": None, "references": ["", "a b", "a"]}, {"reference": None})]:
    summeval(f"references {first} {second}", record("d", "A", **first), record("d", "B", **{"reference": "a", **second}))
for value in (5.5, None, "high", "0x3", [5, [1]], [5, .5, 3], [], " ", 5.00001):
    summeval(f"consistency {value!r}", scored(value))
summeval("the same agent twice", record("b", "M10"), record("b", "M10"))
summeval("another text", record("b", "M10"), record("b", "M2", source="another"))
summeval("a list for a text", record("b", "M10", system_output=[3]))
summeval("no document", record("", "M10"))
summeval("no object", 1)
