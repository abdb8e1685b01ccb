"""Arena-Hard's and MT-bench's folders, batch outputs with scores, and WMT's test sets: the refusal, or what was kept."""
import json
import os
import shutil
import subprocess
import zipfile


def put(path, *what):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as file:
        for one in what:
            file.write(one if isinstance(one, bytes) else one.encode() if isinstance(one, str) else (json.dumps(one) + "\n").encode())


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
        pool = json.load(open("p/pool.json", encoding="utf-8"))
        print("  " + ", ".join(f"{c['name']} {c['low']} to {c['high']}" for c in pool["components"]), *[f"{a['id']} {a.get('cost', 1):g}" for a in pool["agents"]])
        for c in map(json.loads, open("p/contexts.jsonl", encoding="utf-8")):
            print(f"  {c['id']}: {c['text']!r} {c.get('tag', '')}")
        for o in map(json.loads, open("p/outputs.jsonl", encoding="utf-8")):
            print(f"  {o['context']} {o['agent']} {o['draw']} {o['text']!r}", *o["components"].values())


# Arena-Hard 2.0: two categories with a baseline each, and two models beside them.
def judged(uid, model, baseline, *verdicts, judge="j"):
    return {"uid": uid, "category": "c", "judge": judge, "model": model, "baseline": baseline, "games": [{"score": v} for v in verdicts]}


def answered(uid, model, text, tokens):
    return {"uid": uid, "ans_id": "x", "model": model, "messages": [{"role": "user", "content": "?"}, {"role": "assistant", "content": {"answer": text}}],
            "metadata": {"token_len": tokens}}


def arena(name, *options, texts=True, **files):
    shutil.rmtree("b", ignore_errors=True)
    all_of = {"question.jsonl": [{"uid": "q1", "category": "hard_prompt", "prompt": "One?"}, {"uid": "q2", "category": "creative_writing", "prompt": "Two?"}],
              "model_answer/base.jsonl": [answered("q1", "base", "b1", 10), answered("q2", "base", "b2", 20)],
              "model_answer/other.jsonl": [answered("q2", "other", "o2", 5)],
              "model_answer/m.jsonl": [answered("q1", "m", "m1", 1), answered("q2", "m", "m2", 3), answered("q9", "m", "m9", 3)],
              "model_judgment/j/m.jsonl": [judged("q1", "m", "base", "B>>A", "A=B"), judged("q2", "m", "other", "A>B", "B>>A")],
              "model_judgment/j/base.jsonl": [judged("q2", "base", "other", "A=B", None)], **files.pop("more", {})}
    for path, what in all_of.items():
        if what is not None:
            put(f"b/{path}", *what)
    run(name, "arena-hard", "b", *options, texts=texts)


arena("the swap is undone, games are averaged, a baseline has a half", more={"model_judgment/j/n.jsonl": [""]})
arena("one game is no preference", more={"model_judgment/j/m.jsonl": [judged("q1", "m", "base", "B>>A"), judged("q2", "m", "other", "A>B", "B>>A")]}, texts=False)
arena("one grade is", more={"model_judgment/j/base.jsonl": ["\n"], "model_judgment/j/m.jsonl": [judged("q1", "m", "base", 7)]})
arena("content in parts", more={"model_answer/m.jsonl": [{"uid": "q1", "model": "m", "messages": [{"role": "assistant", "content": [
    {"type": "text", "text": "m1"}, {"type": "image_url"}, {"type": "text", "text": "more"}]}]}]})
TWO_JUDGES = {"model_judgment/k/m.jsonl": [judged("q1", "m", "base", "A>>B", "B>>A", judge="k")]}
arena("two judges", more=TWO_JUDGES)
arena("one of them", "--judge", "k", more=TWO_JUDGES, texts=False)
arena("none of them", "--judge", "l", more=TWO_JUDGES)
ONE_CATEGORY = {"question.jsonl": [{"uid": u, "category": "c", "prompt": p} for u, p in (("q1", "One?"), ("q2", "Two?"))]}
arena("two baselines of a category", more=ONE_CATEGORY)
arena("two versions of it", "--versions", "tag", more=ONE_CATEGORY)
OLD = {"question_id": "q1", "answer_id": "x"}
arena("version 0.1, and an answer that failed", more={
    "question.jsonl": [{"question_id": "q1", "category": "arena-hard-v0.1", "cluster": "x", "turns": [{"content": "One?"}]}],
    "model_answer/base.jsonl": None, "model_answer/other.jsonl": None, "model_judgment/j/base.jsonl": None,
    **{f"model_answer/{m}.jsonl": [{**OLD, "model_id": m, "choices": [{"index": 0, "turns": [{"content": text}]}]}]
       for m, text in (("gpt-4-0314", "b"), ("m", "a"), ("n", "$ERROR$"))},
    "model_judgment/j/m.jsonl": [{"question_id": "q1", "model": m, "judge": "j", "games": [{"score": s} for s in games]}
                                 for m, games in (("m", ("B>A", "A>B")), ("n", ("A>>B", "B>>A")))]})
GRADE = {"question_id": 81, "model": "m", "judge": ["gpt-4", "single-v1"]}
arena("MT-bench: turns are graded each, -1 is no grade, pairs are votes", more={
    "question.jsonl": [{"question_id": 81, "category": "writing", "turns": ["One?", "More?"], "reference": ["r1", "r2"]}],
    "model_answer/base.jsonl": None, "model_answer/other.jsonl": None, "model_judgment/j/base.jsonl": None, "model_judgment/j/m.jsonl": None,
    "model_answer/m.jsonl": [{"question_id": 81, "model_id": "m", "choices": [{"index": 0, "turns": ["a1", "a2"]}]}],
    "model_judgment/gpt-4_single.jsonl": [{**GRADE, "score": 9, "turn": 1}, {**GRADE, "score": 6.5, "turn": 2}, {**GRADE, "model": "n", "score": -1, "turn": 1}],
    "model_judgment/gpt-4_pair.jsonl": [{"question_id": 81, "model_1": "m", "model_2": "n", "g1_winner": "model_1", "g2_winner": "tie", "judge": ["gpt-4", "pair-v2"]}]})
ONE = {"uid": "q1", "prompt": "One?"}
for more in [{"model_judgment/j/m.jsonl": None, "model_judgment/j/base.jsonl": None}, {"model_judgment/j/m.jsonl": [judged("q3", "m", "base", "A>B", "A=B")],
             "model_judgment/j/base.jsonl": None}, {"model_judgment/j/m.jsonl": [judged("q1", "m", "base", "A<>B", "A=B")]},
             {"model_judgment/j/m.jsonl": ['\n{"uid": "q1", "mod']}, {"model_answer/m.jsonl": [{"uid": "q1", "model": "m"}]},
             {"question.jsonl": [{"prompt": "One?"}]}, {"question.jsonl": [ONE, ONE]}, {"other/question.jsonl": [ONE]}]:
    arena(json.dumps(more)[:120], more=more)
arena("the same again", texts=False)

print("== every label, in both places, is as far from 1/2 as its opposite; said of both places it is a liking of a place")
for games in [("A>>B", "B>>A"), ("A>B", "B>A"), ("A=B", "B=A"), ("A<<B", "B<<A"), ("A<B", "B<A"), *[(v, v) for v in ("A>>B", "A>B", "A=B", "B>A", "B<<A")]]:
    put("b/model_judgment/j/m.jsonl", judged("q1", "m", "base", *games))
    subprocess.run(["regret", "import", "arena-hard", "b", "-o", "p", "--force"], capture_output=True, check=True)
    print(" ", *games, *[json.loads(o)["components"]["preference"] for o in open("p/outputs.jsonl", encoding="utf-8") if '"m"' in o])


# Outputs of a batch, with scores from a file.
def line(name, body, code=200):
    return {"id": "batch_req_1", "custom_id": name, "response": {"status_code": code, "body": body}, "error": None}


def answer(name, model, text, finish="stop", out=2):
    return line(name, {"model": model, "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}],
                       "usage": {"prompt_tokens": 10, "completion_tokens": out}})


def request(name, text):
    return {"custom_id": name, "body": {"model": "a", "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": text}]}}


def failed(name):
    return line(name, {"error": {"message": "slow down"}}, 429)


SCORES = "custom_id,model,note,score\n1,a,good,1\n2,a,,0.5\n2,b,,0.25\n"
TWO = {"out/a.jsonl": [answer("1", "a", "one"), answer("2", "a", "two")], "out/b.jsonl": [answer("2", "b", "zwei", "length", 6), failed("1")]}


def batch(name, *options, scores=SCORES, texts=True, **files):
    shutil.rmtree("out", ignore_errors=True)
    for path, what in {**(files.get("only") or TWO), **files.get("more", {})}.items():
        put(path, *what)
    put("scores", *(scores if isinstance(scores, list) else [scores]))
    os.replace("scores", "scores.csv" if isinstance(scores, str) else "scores.jsonl")
    run(name, "batch", "out", "--scores", "scores.csv" if isinstance(scores, str) else "scores.jsonl", *options, texts=texts)


put("requests.jsonl", request("1", "One?"), request("2", "Two?"))
put("prices.csv", "model,input,output\na,100000,500000\nb,0,1000000\n")
batch("answers meet their scores", "--requests", "requests.jsonl", more={"out/c.jsonl": ["\n"], "out/README.md": ["mine"]})
batch("prices, failed answers the worst", "--prices", "prices.csv", "--failed", "worst", "--truncated", "leave-out")
batch("content in parts, and models that nobody knows", more={
    "out/b.jsonl": [line("2", {"model": "b", "choices": [{"message": {"content": [{"type": "text", "text": t} for t in ("zwei", "drei")]}}]})],
    "out/c.jsonl": [line("2", {"model": None, "choices": [{"message": {"content": "x"}}]}), failed("1")]})
IDS = {"out/x.jsonl": [failed("math/1#0@m-2"), answer("math/1#0@m-1", "v1", "a"), answer("math/1#1@m-1", "v1", "b"), answer("art/1#0@m-1", "v1", "c")]}
BY_ID = [{"custom_id": "math/1#0@m-1", "ok": True, "by": "x"}, {"custom_id": "math/1#1@m-1", "scores": {"ok": 0}}, {"custom_id": "art/1#0@m-1", "ok": 1}]
batch("ids taken apart", "--ids", "{task}/{id}#{repeat}@{model}", "--failed", "worst", only=IDS, scores=BY_ID)
batch("ids that are made otherwise", "--ids", "{id}:{model}", only=IDS, scores=BY_ID)
batch("ids without an id", "--ids", "{model}")
OTHERS = {"out/a.jsonl": [answer("1", "a", "one"), line("2", {"model": "a", "output": [{"type": "reasoning", "summary": []}, {
    "type": "message", "content": [{"type": "output_text", "text": "two"}]}], "status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}),
    line("3", {"model": "a", "choices": [{"text": "three", "finish_reason": "stop"}, {"text": "drei"}]}),
    line("4", {"model": "a", "choices": [{"message": {"content": None, "refusal": "no"}, "finish_reason": "stop"}]}),
    line("5", {"model": "a", "choices": [{"message": {"content": None}, "finish_reason": "content_filter"}]})]}
batch("a judge's own batch, and other endpoints", only=OTHERS, scores=[answer("1", "j", "At first [[2]], but then [[7]]."), answer("2", "j", " 3 "),
      answer("3", "j", '{"score": 4}'), answer("4", "j", "Cannot say [[none]]"), failed("5")])
FILES = {"out/hot.jsonl": [failed("2"), answer("1", "m", "a")], "out/cold.jsonl": [answer("1", "m", "b")]}
batch("models by their files", "--by-file", "--failed", "worst", only=FILES, scores="custom_id,agent,s\n1,hot,1\n1,cold,0\n7,cold,0\n")
for scores in ("custom_id,score\n1,1\n2,0\n", "custom_id,score\n1,1\n1,0\n", "custom_id,score\n1,1\n2,high\n", "custom_id,score\n1\n", "id,score\n1,2\n", "custom_id,score\n"):
    batch(scores.strip(), scores=scores)
batch("no outputs", only={"out/README.md": ["nothing yet"]})
batch("no line", more={"out/a.jsonl": ['{\n  "custom_id": "1"\n}\n']})
batch("no response", more={"out/b.jsonl": [{"custom_id": "1", "score": 1}]})
put("requests.jsonl", request("1", "One?"))
batch("no request", "--requests", "requests.jsonl")
put("requests.jsonl", request("1", "One?"), request("1", "Other?"))
batch("two requests", "--requests", "requests.jsonl")


# Test sets of WMT.
def wmt(name, *options, texts=True, **files):
    shutil.rmtree("wmt", ignore_errors=True)
    for path, text in {"sources/en-de.txt": "One.\nTwo.\r\nThree.", "documents/en-de.docs": "news\tdoc-a\nnews\tdoc-b\nsocial doc-c\n",
                       "references/en-de.refA.txt": "Eins.\nZwei.\nDrei.\n", "system-outputs/en-de/refA.txt": "Eins.\nZwei.\nDrei.\n",
                       "system-outputs/en-de/s.2.txt": "ein\nzwo\ndrei\n", "system-outputs/en-de/s-1.txt": b"\xef\xbb\xbfa\n\nc\n",
                       "human-scores/en-de.mqm.seg.score": "s-1\t-1.1\ns-1\tNone\ns-1\t-25.0\ns.2\t-0.0\ns.2\t-5\ns.2\t-0.1\nrefA 0\nrefA 0\nrefA None\n",
                       "human-scores/en-de.wmt-z.seg.score": "s.2 0.5\ns.2 1\ns.2 -1\ns-1 0.25\ns-1 0.75\ns-1 -0.25\n",
                       "metric-scores/en-de/BLEU-refA.seg.score": "s.2 5\ns.2 10\ns.2 100\ns-1 2.5\ns-1 7\ns-1 25\n", **files.get("more", {})}.items():
        put(f"wmt/{path}", text)
    run(name, "mt-metrics", "wmt", *options, texts=texts)


wmt("segments are contexts, a reference is no system, a zero has no sign")
wmt("with references, by document", "--references", "--tag", "document", texts=False)
wmt("another score", "-m", "BLEU-refA=0:100")
wmt("no score", "-m", "COMET")
with zipfile.ZipFile("wmt.zip", "w") as archive:
    for path, text in [("human-scores/en-de.da.seg.score", "s 1\ns 80.5\n"), ("references/en-de.refB.txt", "Eins.\nZwei.\n"), ("system-outputs/en-de/s.txt", "a\nb\n"),
                       ("sources/en-de.txt", "One.\nTwo.\n")]:
        archive.writestr(f"data/wmt/{path}", text)
run("an archive", "mt-metrics", "wmt.zip")
TWO_PAIRS = {"sources/zh-en.txt": "x\n"}
wmt("two pairs", more=TWO_PAIRS)
wmt("no pair", "--pair", "en-ru", more=TWO_PAIRS)
wmt("no outputs", "--pair", "zh-en", more=TWO_PAIRS)
for more in [{"human-scores/en-de.mqm.seg.score": text} for text in ("s-1\t-1\ns-1\t-2\n", "s-9\t-1\n", "s-1\t-1\ns-1\tbad\n", "None\n")] + [
        {"system-outputs/en-de/s-1.txt": "a\nb\n"}, {"system-outputs/en-de/s-1.txt": b"a\n\xff\nc\n"}, {"documents/en-de.docs": "news\nnews b\nnews c\n"}]:
    wmt(repr(more), more=more)
