"""Tables that people have, made by rule, and for each what of `regret init`'s words matters. All synthetic.

Writes NAME.csv or NAME.json for every table, and `list`: a line NAME.csv|PATTERN|OPTIONS each. A refusal is shown whole.
"""
import json
import math
import random

ROWS = 80
ROLES = "^  (context|text|tag|agent|output|cost|component|covariate|aux label|left out|rater|winner)  "
LIST = open("list", "w", encoding="utf-8")


def chance(i, k):
    return random.Random(f"{i}/{k}").random()


def normal(i, k):
    return sum(chance(i, 100 * k + j + 7) for j in range(12)) - 6


def write(name, pattern, text, options="", kind="csv"):
    with open(f"{name}.{kind}", "w", encoding="utf-8", newline="") as file:
        file.write(text)
    print(f"{name}.{kind}|{pattern}|{options}", file=LIST)


# What cells hold, of row i and column k.
LEVELS = {"id": lambda i, k: f"p{i}", "number_id": lambda i, k: i * 37 % ROWS + 20,
          "prompt": lambda i, k: f"what is there to say of no. {i}", "cut": lambda i, k: f"{min(max(3 + .7 * normal(i, k), 0), 5):.2f}",
          "bad": lambda i, k: f"{min(max(.5 + .4 * normal(i, k), 0), 5):.2f}", "likert": lambda i, k: 1 + int(5 * chance(i, k)),
          "upper": lambda i, k: 3 + int(3 * chance(i, k)), "three": lambda i, k: 3, "passes": lambda i, k: int(chance(i, k) < .5),
          "one": lambda i, k: 1, "yes_no": lambda i, k: "yes" if chance(i, k) < .5 else "no", "share": lambda i, k: f"{chance(i, k):.3f}",
          "points": lambda i, k: int(101 * chance(i, k)), "percent": lambda i, k: f"{int(101 * chance(i, k))}%",
          "holes": lambda i, k: "" if i % 9 == k else LEVELS["likert"](i, k),
          "slip": lambda i, k: f"{LEVELS['likert'](i, k)}{'5' if i == 5 else ''}",
          "lost": lambda i, k: -999 if i == 5 else LEVELS["share"](i, k), "other_mark": lambda i, k: 4 if i == 5 else LEVELS["share"](i, k),
          "lost_rating": lambda i, k: 99 if i % 3 == 1 else LEVELS["likert"](i, k), "lost_as_9": lambda i, k: 9 if i % 9 == 1 else LEVELS["likert"](i, k),
          "typing_error": lambda i, k: "n.d." if i == 5 else LEVELS["likert"](i, k), "negative": lambda i, k: f"{2 * normal(i, k) - 1:.2f}",
          "large": lambda i, k: f"{1000 + 200 * normal(i, k):.0f}", "grade": lambda i, k: ["A", "A-", "B+", "B", "C", "F"][int(6 * chance(i, k))],
          "mixed_grade": lambda i, k: LEVELS["points" if i % 5 == 0 else "grade"](i, k), "price": lambda i, k: f"{.01 * chance(i, k):.5f}",
          "length": lambda i, k: 5 + int(900 * chance(i, k)), "turns": lambda i, k: 1 + int(4 * chance(i, k)),
          "levels": lambda i, k: int(3 * chance(i, k)) - 1, "two_codes": lambda i, k: 99 if i % 11 == 3 else -1 if i % 13 == 4 else LEVELS["likert"](i, k),
          "lost_cost": lambda i, k: -1 if i % 9 == 2 else LEVELS["price"](i, k), "rated_or_0": lambda i, k: 0 if i % 9 == 2 else 2 + int(4 * chance(i, k)),
          **{f"rank{n}": lambda i, k, n=n: 1 + (i + n) % 4 for n in range(4)}}
FOUR = ["gpt", "claude", "llama", "mistral"]


def wide(name, pattern, columns, options=""):
    """Columns "NAME:WHAT" after an id and a prompt; "WHAT" alone: of all four agents; "WHAT+OTHER": of three and the last."""
    columns = columns.split()
    if len(columns) > 0 and ":" not in columns[0]:
        first, _, last = columns[0].partition("+")
        columns[:1] = [f"{agent}:{last or first if agent == 'mistral' else first}" for agent in FOUR]
    if not any(c.endswith(":number_id") for c in columns):
        columns = ["id:id", "prompt:prompt"] + columns
    names, whats = zip(*(column.rsplit(":", 1) for column in columns))
    rows = [",".join(names).replace("_", " ") if "grade by" in name else ",".join(names)]
    rows += [",".join(str(LEVELS[what](i, k)) for k, what in enumerate(whats)) for i in range(ROWS)]
    write(name, pattern, "\n".join(rows) + "\n", options)


def long(name, pattern, first, others, options=""):
    rows = [f"p{i // 4},what is {i // 4},m{i % 4},{LEVELS[others if i % 4 else first](i // 4, i % 4)}" for i in range(4 * ROWS)]
    write(name, pattern, "prompt_id,prompt,model,score\n" + "\n".join(rows) + "\n", options)


def rows(name, pattern, header, n, row, options="", kind="csv"):
    """`row(c, a)` of context c and agent a of three; None leaves it out."""
    lines = [row(i // 3, i % 3) for i in range(3 * n)]
    write(name, pattern, header + "".join(line + "\n" for line in lines if line is not None), options, kind)


# Wide tables: no agent is lost in silence.
wide("an-always-bad-agent", "", "cut+bad")
wide("all-scores-equal", "", "likert+three")
wide("passes-all", "", "passes+one")
wide("yes-beside-1", "", "passes+yes_no")
wide("upper-half", "", "likert+upper")
wide("two-scales", "another scale", "share ann:points bob:points cid:points")
wide("costs-of-each", "^  cost", "likert gpt_cost:price claude_cost:price llama_cost:price mistral_cost:price")
wide("holes", "holes", "holes")
wide("beginnings", "^  component", "score_gpt:cut score_claude:cut score_llama:bad")
wide("endings", "^  component", "gpt_score:cut claude_score:cut llama_score:one")
wide("turns-and-difficulty", "n_turns|difficulty", "n_turns:turns difficulty:likert gpt:cut claude:cut llama:cut mistral:cut")
wide("number-ids", "^  context", "id:number_id gpt:points claude:points llama:points mistral:points")
wide("flag-beside-ratings", "another scale", "is_long:yes_no gpt:likert claude:likert llama:likert mistral:likert")
wide("negative-scores", "^  component", "negative")
wide("beyond-all-scales", "^  component", "large")
wide("letters", "letter grades", "grade")
wide("names-that-say-other-things", "by their names", "prompt-tuned:likert langchain:likert lang-agent:likert quality-bot:likert")
wide("part-of-the-scale", "small part", "points+likert")
wide("a-scale-of-three", "^  component", "levels+levels")
wide("zero-below-ratings", "scores are 0", "rated_or_0")
wide("percent-signs", "", "points+percent")
wide("a-slip", "", "likert+slip")
wide("a-lost-number", "", "share+lost")
wide("another-scales-mark", "", "share+other_mark")
wide("grades-or-points", "", "grade+mixed_grade")
wide("codes-for-missing", "", "likert+two_codes")
wide("99-for-missing", "", "likert+lost_rating")
wide("9-for-missing", "", "lost_as_9")
wide("a-missing-cost", "", "a_score:likert a_cost:price b_score:likert b_cost:lost_cost")
wide("ranks", "", "gpt:rank0 claude:rank1 llama:rank2 mistral:rank3")
wide("ranks-said", "^  component", "gpt:rank0 claude:rank1 llama:rank2 mistral:rank3", "--range 4:1")

# Long tables.
for at, (first, others) in enumerate([("bad", "cut"), ("yes_no", "passes"), ("negative", "likert"), ("grade", "grade")]):
    long(f"long-{at}", "^  component", first, others)
long("long-percent", "", "percent", "share")
long("long-grades-and-points", "", "grade", "points")
long("long-two-scales", "", "share", "points")
long("long-lost", "", "lost", "share")
long("long-99", "", "lost_rating", "likert")


def quality(i, a):
    return 15 + (i * 37 + a * 11) % 50 + (33 if a == 1 else 0)


def of_kind(name, pattern, header, cell):
    rows(name, pattern, header + "\n", 30, lambda c, a: f"{c},{' ' if (3 * c + a) % 2 else ''}m{a}{'' if (3 * c + a) % 5 else '  '},{cell(c, a)}")


def share(c, a):
    return f"0.{quality(c, a):02}"


of_kind("shares-and-percents", "", "id,model,score", lambda c, a: quality(c, a) if c % 2 else share(c, a))
of_kind("two-judges-scales", "", "id,model,judge,score",
        lambda c, a: f"human,{1 + quality(c, a) // 20}\n{c},m{a},gpt,{1 + quality(c, a) // 10}")
of_kind("unclear-direction", "", "id,model,not_correct", lambda c, a: int(quality(c, a) > 50))
of_kind("refusal", "", "id,model,refusal", share)
of_kind("refusal-bad", "by its name", "id,model,refusal_bad", share)
of_kind("loss-reduction", "^  component", "id,model,loss_reduction", share)
of_kind("no-header", "", "x0,m0,0.25", share)
of_kind("ticks", "yes, pass", "id,model,done", lambda c, a: "\u2705" if quality(c, a) > 50 else "\u274c")
of_kind("dashes", "lack a score", "id,model,score", lambda c, a: "-" if c == 3 else share(c, a))
of_kind("money", "^  cost", "id,model,score,cost,latency", lambda c, a: f"{share(c, a)},$0.{quality(a, c):04},{a + c % 7}.5s")
of_kind("money-with-commas", "cannot be read", "id,model,score,cost_usd", lambda c, a: f'{share(c, a)},"$1,2{quality(a, c):02}.50"')
of_kind("total-cost", "^  cost", "id,model,score,input_cost,output_cost,total_cost", lambda c, a: f"{share(c, a)},{c},{a},{c + a}")
of_kind("two-judges", "two scales", "id,model,judge_alice,judge_bob", lambda c, a: f"{1 + (c + a) % 5},{(c * 3 + a * 5) % 11}")
of_kind("units-below", "", "id,model,score,ms\n-,-,0-1,ms", lambda c, a: f"0.{1 + (3 * c + a) % 7},12")

rows("merged-cells", "", "prompt_id,model,score\n", 20, lambda c, a: f"{'' if a else f'q{c}'},m{a},0.{1 + (3 * c + a) % 7}")
rows("percents-of-one-agent", "", "id,model,score\n", 40, lambda c, a: f"q{c},m{a},{(100 if a == 1 else 1) * (.2 + .7 * chance(3 * c + a, 1)):.4f}")
rows("questions-again", "contexts|texts|draw", "id,instruction,lang,model,score\n", 60,
     lambda c, a: f"q{c},what is the capital of land {c % 20}?,en{c % 20 // 10},m{a},{chance(3 * c + a, 1):.2f}")
rows("few-questions-again", "text of another", "id,instruction,model,score\n", 120,
     lambda c, a: f"q{c},what is the capital of land {c % 117}?,m{a},{chance(3 * c + a, 1):.2f}")
rows("metrics-in-rows", "", "id,model,metric,value\n", 40, lambda c, a: f"q{c // 2},m{a},{['accuracy', 'toxicity'][c % 2]},{chance(3 * c + a, 1):.2f}")
rows("an-average-in-rows", "Oracle", "id,model,score\n", 30, lambda c, a: f"q{c},{['b', 'a', 'Oracle'][a]},{chance(3 * c + a, 1):.2f}")
rows("an-average-of-agents", "agents:", "id,gpt,claude,llama,average\n", 20, lambda c, a: "q%d,%.2f,%.2f,%.2f,%.3f" % (
    3 * c + a, *(lambda x: (*x, sum(x) / 3))([round(chance(3 * c + a, k), 2) for k in (1, 2, 3)])))
rows("an-oracle", "agents:", "id,topic,gpt,claude,llama,oracle,best_model\n", 20, lambda c, a: "q%d,t%d,%.2f,%.2f,%.2f,%.2f,%s" % (
    3 * c + a, a, *(lambda x: (*x, max(x), ["gpt", "claude", "llama"][x.index(max(x))]))([chance(3 * c + a, k) for k in (1, 2, 3)])))
write("title-above", "", "Results of May,,\n,,\nid,model,score\na,m,1\nb,n,0\n")

# What stands where, by names and contents.
rows("judged-texts", ROLES, "doc_id,section,article,system,summary,relevance,quality_score,n_words,cost_usd\n", 12,
     lambda c, a: f'd{c},news{c % 2},"the whole story no. {c}, at length",sys{a},"what {a} said of {c}",{1 + (c + a) % 5},'
                  f"{.25 * ((c + 2 * a) % 5):.2f},{20 + c * a},{.001 * (a + 1):.3f}")
rows("nameless", ROLES, "x1;x2;x3;x4\n", 12, lambda c, a: f"{100 + c};a{a};reply {a} to {c};{.1 * ((3 * c + a) % 11):.1f}")
rows("told-by-text", ROLES, "instruction,dataset,generator,output,preference\n", 12,
     lambda c, a: f"instruction {c} {0:0240},kind{c % 2},m{a},answer {a} {c},{(c + a) % 2}")
rows("a-good-answer", ROLES, "question,model,answer,gold,target,passed\n", 12,
     lambda c, a: f"What is {c}?,m{a},reply {a} {c},It is {c} and much more to be read,{'ABCD'[c % 4]},{(c + a) % 2}")
rows("patches", ROLES, "issue,problem,system,patch,resolved,seconds\n", 12,
     lambda c, a: f'i{c},"the issue no. {c}, as told",s{a},"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y{10 * c + a}\n",'
                  f"{(c + a) % 3 == 0},{c * a}")
rows("scores-alone", "No column|holes|rows|few", "prompt_id,model,judge\n", 12, lambda c, a: None if c + a == 0 else
     f"p{c},m{a},{(c + a) % 11}" + (f"\np{c},m{a}," if c == 1 else ""))
rows("three-draws", "draws|further", "prompt_id,model,score_helpful,score_accurate\n", 12,
     lambda c, a: "\n".join(f"p{c},m{a},{1 + (c + a) % 3 + i},{1 + (c + i) % 5}" for i in range(3)))
rows("an-id-that-slips", "apart|yes", "id,prompt,model,passed\n", 12, lambda c, a: f"p{4 if (c, a) == (3, 1) else c},what is {c},m{a},{'No' if (c + a) % 2 else 'yes'}")
rows("either-layout", "layout|wide", "nr,doc,who,left_score,right_score\n", 12, lambda c, a: f"o{100 * c + a},d{c},s{a},{c % 5 + a % 2},{(c + a) % 6}")
rows("wide-said", "agents:", "nr,doc,who,left_score,right_score\n", 12, lambda c, a: f"o{100 * c + a},d{c},s{a},{c % 5 + a % 2},{(c + a) % 6}", "--layout wide")
rows("nobody-named", "", "s,d,age,y\n", 12, lambda c, a: f"{c},{1000 + (c + a) % 6},{c % 3},{1 + c * a % 5}")
rows("named", ROLES, "s,d,age,y\n", 12, lambda c, a: f"{c},{1000 + (c + a) % 6},{c % 3},{1 + c * a % 5}", "--context s --agent d")
rows("misnamed", "", "s,d,age,y\n", 12, lambda c, a: f"{c},{1000 + (c + a) % 6},{c % 3},{1 + c * a % 5}", "--context S --agent d")
rows("raters-in-rows", "^  rater|alpha", "id,prompt,model,annotator,x,fluency,coherence\n", 12,
     lambda c, a: "\n".join(f"q{c},what is {c}?,m{a},{who},{r + 1},{1 + (3 * c + 2 * a + r * c % 2) % 5},{1 + (c + a + r * a % 2) % 5}"
                            for r, who in enumerate(["ann", "bo", "cy"])))
rows("raters-in-columns", "^  component", "id,prompt,model,rater_1_fluency,rater_2_fluency,rater_1_coherence,rater_2_coherence\n", 12,
     lambda c, a: f"q{c},what is {c}?,m{a},{1 + (c + a) % 5},{1 + (c + 2 * a) % 5},{1 + c * a % 5},{1 + (c + 3 * a) % 5}")
rows("blank-scores", "leaves them out|holes", "id,model,score\n", 30, lambda c, a: f"p{c},m{a}," + ("" if a == 1 and c % 2 else f"0.{1 + 7 * (3 * c + a) % 9}"))
rows("a-slip-of-commas", "decimal|bad", "id,model,score\n", 30,
     lambda c, a: f'p{c},m{a},"{"3,5x" if (c, a) == (19, 0) else f"{1 + (7 * c + 3 * a) % 10 % 4},{(7 * c + 3 * a) % 10}"}"')
rows("a-slip-of-words", "bad|is \"", "id,model,score\n", 30, lambda c, a: f"p{c},m{a},{'maybe' if (c, a) == (19, 0) else 'yes' if (7 * c + 3 * a) % 10 > 4 else 'no'}")
write("any-range", "foo|latency", "id,model,foo,latency\n1,a,-50,1\n1,b,10,2\n2,a,3,3\n2,b,-7,1\n")
write("two-of-any-range", "", "id,model,foo,bar\n1,a,-50,1\n1,b,10,200\n2,a,3,3\n2,b,-7,1\n")
for name, text in [("two-columns", "a,b\n1,2\n"), ("no-rows", "context,agent,score\n"), ("too-few-fields", "context,agent,score\nx,y\n"),
                   ("no-score", "id,model,text\n1,a,x\n1,b,y\n2,a,z\n2,b,w\n"), ("one-agent", "id,text,claude\n1,a,.7\n2,b,.3\n")]:
    write(name, "", text)

rows("answers-and-references", "^  (reference|component)|metric|reference", "question_id,question,expected,model,response\n", 4,
     lambda c, a: f"{c},What is {c} and one?,it is {c + 1},m{a},{'it is' if a else 'perhaps'} {c + 1 + a // 2}")

# What is known of contexts, and what follows from their scores.
scores = [[1 + math.floor(5 * chance(i, k + 29)) for k in range(4)] for i in range(60)]
head = ["prompt_id", "prompt", "area", "prompt_length", "customer", "is_long", "row", "rater_name", "mostly", "hardness", "half_known"]
text = ",".join(head) + ",m0,m1,m2,m3\n"
for i, s in enumerate(scores):
    length, mean = 5 + int(900 * chance(i, 91)), sum(s) / 4
    text += f"p{i},what is the matter with {i},area{i % 3},{length},cust{int(4 * chance(i, 92))},{'yes' if length > 300 else 'no'},{i},"
    text += f"ann{int(3 * chance(i, 95))},m{s.index(max(s))},{'hard' if mean < 2.6 else 'middling' if mean < 3.4 else 'easy'},"
    text += f"{'' if i % 2 else 100 + i % 7},{','.join(map(str, s))}\n"
write("known-of-contexts", f"{ROLES}|mostly|hardness", text)

rows("what-decides-is-no-leak", "customer", "prompt_id,prompt,customer,m0,m1,m2\n", 20, lambda c, a: (lambda i: f"p{i},what is the matter with {i},cust{i % 3}," + ",".join(
    f"{(4 if k == i % 3 else 2 + i % 3 / 4) + chance(i, k):.2f}" for k in range(3)))(3 * c + a))
for n in (3000, 5000):
    write(f"{n}-agents", "", "qid,model,score\n" + "".join(f"q{i % 4},model-{i // 4},0.{i * 7 % 97:02}\n" for i in range(4 * n)))

# Votes.
for name, pattern, header, codes in [("votes-words", "^A table of votes|By the name", "model_a,model_b,winner", ["model_a", "model_b", "tie (bothbad)"]),
                                     ("votes-shares", "^A table of votes|By the name", "model_a,model_b,a_wins", ["1", "0", "0.5"]),
                                     ("votes-by-side", "^A table of votes|By the name", "left_model,right_model,vote", ["left", "right", "both bad"]),
                                     ("votes-label", "", "model_a,model_b,label", ["1", "0", "0.5"]),
                                     ("votes-loser", "", "model_a,model_b,loser", ["model_a", "model_b", "tie"]),
                                     ("votes-codes", "", "model_a,model_b,winner", ["1", "-1", "0"])]:
    text = f"prompt,topic,{header}\n"
    for x in range(60):
        text += f"what is {x},t{x % 2},m{x % 3},m{(x + 1) % 3},{codes[0 if x % 5 < 3 else x % 5 - 2]}\n"
    write(name, pattern, text)

SAID = ["model_a", "model_b", "tie", "both_bad"]
head = "id,model_a,model_b,prompt,response_a,response_b,winner_model_a,winner_model_b,winner_tie\n"
write("votes-by-flags", "^A table of votes", head + "".join(
    f"{i},m{i % 3},m{(i + 1) % 3},what about {i % 8}?,one of {i},two of {i},{int(i % 4 == 0)},{int(i % 4 == 1)},{int(i % 4 > 1)}\n" for i in range(24)))
for name, part in [("votes-of-turns", lambda text: text), ("votes-of-parts", lambda text: [{"type": "text", "text": text}])]:
    write(name, "^A table of votes", "".join(json.dumps({"id": f"v{i}", "winner": SAID[i % 4], "model_a": f"m{i % 3}", "model_b": f"m{(i + 1) % 3}", **{
        f"conversation_{side}": [{"role": "user", "content": part(f"what about {i % 8}?")}, {"role": "assistant", "content": part(f"well, {side}")}]
        for side in "ab"}}) + "\n" for i in range(24)), kind="json")

# JSON.
MODEL = ["gpt-3.5", "claude.v2", "llama"]
rows("deep-fields", ROLES, "", 12, lambda c, a: json.dumps({
    "doc_id": c, "doc": {"question": f"what is {c}, at length?", **({"choices": ["a", "b"]} if c % 2 == 0 else {"tag": "odd"})},
    "meta": {"model.name": MODEL[a], "cost_usd": .01 * (a + 1) + .001 * (c % 7)}, "resps": [[f"{MODEL[a]} says {c}"]], "none": None,
    "scores": {"is_correct": (c + a) % 2 == 0, "judge": [1 + (c + a) % 5, 2.5]}}), kind="json")
rows("objects-of-every-agent", ROLES, "", 12, lambda c, a: None if a else json.dumps({
    "prompt": f"what is {c}?", "scores": {m: (c + 3 * k) % 10 / 10 for k, m in enumerate(MODEL)},
    "outputs": {m: f"{m}: {c}" for m in MODEL}}), kind="json")
rows("rows-in-a-list", ROLES, "", 12, lambda c, a: None if a else json.dumps({"prompt": f"what is {c}?", "kind": f"k{c % 2}", "answers": [
    {"model": m, "answer": {"text": f"{m} on {c}"}, "rating": {"x": str(1 + (c + k) % 5)}} for k, m in enumerate(MODEL)]}), kind="json")
rows("lists-of-raters", "^  component", "", 12, lambda c, a: json.dumps({
    "id": f"q{c}", "system": MODEL[a], "expert_annotations": [{"coherence": 1 + (c + a) % 5}, {"coherence": 1 + a}],
    "turker_annotations": [{"coherence": 1 + c * a % 5}], "ratings": [1 + (c + a) % 5, None, 4]}), kind="json")
for name, text in [("one-object", '{"a": 1, "b": 2}\n'), ("no-objects", "[1, 2]"), ("an-array-in-jsonl", '{"a": 1}\n[2]\n'),
                   ("not-closed", '[{"a": 1, "b": 2}')]:
    write(name, "", text, kind="json")
