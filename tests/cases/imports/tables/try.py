"""Small tables of one's own with their maps: of each the refusal, or what the pool holds.

A table is a text (CSV) or a list of records (JSONL); a case beyond `refused` has options of `regret import`, too.
"""
import json
import subprocess

COLUMNS = {"context": "d", "text": "t", "agent": "m", "output": "o"}
X = {"name": "x", "low": 0, "high": 10}
HEAD = "d,t,m,o,x\n"


def layout(components=(X,), columns=(), drop=(), **more):
    columns = {**COLUMNS, **dict(columns)}
    return {"name": "mine", "synthetic": True, "columns": {k: v for k, v in columns.items() if k not in drop},
            "components": list(components), **more}


def run(name, table, where, *options, shown=None):
    kind = "csv" if isinstance(table, str) else "jsonl"
    with open("t", "w", encoding="utf-8", newline="") as file:
        file.write(table if kind == "csv" else table[0] if isinstance(table[0], str) else "".join(json.dumps(r) + "\n" for r in table))
    with open("map.json", "w", encoding="utf-8") as file:
        file.write(where if isinstance(where, str) else json.dumps(where))
    done = subprocess.run(["regret", "import", kind, "t", "--map", "map.json", "-o", "p", "--force", *options], capture_output=True, text=True)
    name = " ".join(f"{name} {' '.join(options)}".split())
    if done.returncode:
        print(f"{name} -> {done.stderr.strip().replace('regret: ', '')}")
        return
    print(f"== {name}")
    for line in [line for line in done.stderr.splitlines() if "  " in line and not line.strip().startswith("0 of")]:
        print("  " + line.strip().replace("regret: ", ""))
    for record in map(json.loads, open("p/contexts.jsonl", encoding="utf-8")):
        more = {k: v for k, v in record.items() if k in ("tag", "columns")}
        print(f"  {record['id']}: {record['text']!r}", *([more] if more else []))
    for o in map(json.loads, open("p/outputs.jsonl", encoding="utf-8")):
        print(f"  {o['context']} {o['agent']} {o['draw']} {o['text']!r}", *o["components"].values(), *o["counts"].values(),
              *[v for k, v in o["aux"].items() if k in ("n", "h")])
    if shown:
        print(" ", [agent.get(shown) for agent in json.load(open("p/pool.json", encoding="utf-8"))["agents"]])


def rows(*lines):
    return HEAD + "".join(f"{line}\n" for line in lines)


# Rows and cells.
MANY = layout([X], {"title": "called", "cost": "price"}, counts=["claims"], aux=[{"name": "n", "from": "length"}])
run("a byte mark, CRLF, quotes, breaks, ids with marks, agents in natural order", "\ufefflength,d,unused,t,m,called,price,o,x,claims\r\n"
    '10,d/2,,"two\nlines",m 10,Ten,3,"said ""so""",5,0\r\n-1,d/2,,"two\nlines",m 9,Nine,2.5,,1.5,TRUE\r\n1e1,d 1,,one,m 10,Ten,5,x, 2 ,2\r\n',
    MANY, shown="cost")
for line in ["d,t,a,x,16", "d,t,a,x,", "d,t,a,x,nan", "d,t,a,x,1e999", "d,t,a,x,0x2", "d,t,a,x,2 3", "d,t,a,x", 'd,t,a,"x,2', ",t,a,x,2", "d,t,,x,2",
             "d,t,a,x,2\nd,u,b,x,2"]:
    run(repr(line), rows(line), layout())
for head, line in [("-1,o,2,3", ""), ("1e300,o,2,3", ""), ("1,o,2,-3", ""), ("1,o,2,1.5", ""), ("1,o,2,3", "d,t,k,c,,o,2,3,4")]:
    run(f"cost, output, score, count: {head}", f"d,t,m,called,price,o,x,claims,length\nd,t,m,c,{head},4\n{line}", MANY)
run("no rows", rows(), layout())
run("empty", "", layout())
run("another name", "d,t,mm,o,x\n", layout())
run("a column twice", "d,t,m,o,x,d\n", layout())
run("semicolons", "d;t;m\n1;2;3\n", layout())
run("tabs", "d\tt\tm\n1\t2\t3\n", layout())
LEFT = rows("d,t,a,x,19", "d,t,a,x,2", '"d"q,t,b,x,1', "d,t,b", "d,other,c,x,3", "e,t,b,x,3")
run("bad rows", LEFT, layout(), "--skip-bad")
for rule in ("refuse", "first", "last", "draws"):
    run("repeats", rows("d,t,a,0,1", "d,t,a,1,2", "d,t,b,0,3", "d,t,a,2,4"), layout(), "--repeats", rule)
run("without scores", rows("q,text,a,out,1", "q,text,b,out,", "q,text,c,out,NA", "q,text,b,out,2"), layout(), "--drop-unscored")
run("agents by pattern", rows("q,text,gpt/4,out,1", "q,text,a,out,worse", "q,text,b,out,2"), layout(), "--agent", "g*", "--agent", "b")
run("no agent", rows("q,text,gpt/4,out,1"), layout(), "--agent", "x*")
run("tags", "d,t,m,o,x,kind\n1,one,a,x,2,long read\n1,one,b,x,2,\n2,two,a,x,2,\n", layout(columns={"tag": "kind"}))
run("two tags", "d,t,m,o,x,kind\n1,one,a,x,2,p\n1,one,b,x,2,q\n", layout(columns={"tag": "kind"}))

# Records.
ONE = {"d": 1, "t": "t", "m": "a", "o": "x", "x": 1}
for records in [["[]\n"], [{"x": 1}], ["[\n[1]]"], ["[" + json.dumps(ONE)], [{**ONE, "x": float("nan")}], [{**ONE, "x": {}}], [{**ONE, "x": [[1]]}],
                [{**ONE, "x": [1, "good"]}], [{**ONE, "x": [1, 11]}]]:
    run(records[0] if isinstance(records[0], str) else json.dumps(records[0]), records, layout())
run("JSON: means of raters, ids of numbers, no text", [{**ONE, "x": [1, 2, " 6 "]}, {**ONE, "m": True, "o": None}, {**ONE, "d": 12345678901234567, "o": "\u00e9"}],
    layout())
run("bad objects", [json.dumps({**ONE, "x": 19}) + "\n" + json.dumps(ONE) + '\n[3]\n{"d": 1,}\n' + json.dumps({**ONE, "m": "b"}) + "\n"], layout(), "--skip-bad")
for lacking in [None, " ", "n/a", float("nan"), [], [1, None], [1, ""]]:
    run(f"lacks: {json.dumps(lacking)}", [{**ONE, "m": "b"}, {**ONE, "x": lacking}], layout(), "--drop-unscored")
JUDGES = layout([{**X, "from": "j.*.s"}])
run("raters in objects", [{**ONE, "j": [{"s": 1}, {"s": "4"}]}, {**ONE, "m": "b", "j": [{"s": 9}, {"t": 9}]}, {**ONE, "m": "c", "j.*.s": 3}], JUDGES, "--drop-unscored")
for judges in ([{"s": 1}, {"s": 11}], [{"s": 1}, {}], [{"s": [1]}], 7):
    run(f"raters: {json.dumps(judges)}", [{**ONE, "j": judges}], JUDGES)
NESTED = layout([{**X, "from": ["a.*.s", "a.*.j.*.s"]}], {"agent": "a.*.m", "output": "a.*.o.text"}, aux=[{"name": "h", "from": "hard"}])


def asked(*answers):
    return {"d": "q", "t": "why", "hard": 7, "a": [answer if isinstance(answer, int) else {
        "m": answer[0], "o": {"text": f"I am {answer[0]}"}, "s": answer[1], "j": [{"s": 2}, {"s": 4}]} for answer in answers]}


run("rows in a list", [asked(("a", 1), ("b", 5)), {**asked(("b", 9)), "d": "s"}], NESTED)
for answers in [(("a", 1), ("b", 11)), (("a", 1), 7), (("a", 1), ("a", 2))]:
    run(f"answers {answers}", [asked(*answers)], NESTED)
for record in ({"d": "s"}, {"a": 7}):
    run(json.dumps(record), [record], NESTED)

# What maps say of values.
MEANS = layout([{"name": "style", "from": ["x", "y"], "low": 0, "high": 10}, {"name": "rank", "from": "z", "low": 1, "high": 5, "smaller_is_better": True}])
run("means of fields, and 2 of 1 to 5 turned round is 4", "d,t,m,o,x,y,z\nq,text,a,out,2,5,2\nq,text,b,out,10,0.5,5.00000000001\n", MEANS)
run("out of range", "d,t,m,o,x,y,z\nq,text,a,out,2,11,1\n", MEANS)
RATED = {"rater": "by"}
BY = "d,t,m,o,by,x\n"
ONE_RATER = [{**X, "name": "ann", "from": "x", "rater": "ann"}]
LACKS = BY + "q,text,a,out,ann,2\nq,text,a,out,bo,5\nq,text,b,out,bo,4\n"
run("raters in rows: their mean", LACKS, layout(columns=RATED))
run("one rater", LACKS, layout(ONE_RATER, RATED))
run("one rater", LACKS, layout(ONE_RATER, RATED), "--drop-unscored")
run("a rater twice", BY + "q,text,a,out,ann,2\nq,text,a,out,bo,5\nq,text,a,out,ann,4\n", layout(columns=RATED))
run("nobody rated", BY + "q,text,a,out,,2\n", layout(columns=RATED))
run("where raters stand", LACKS, layout(ONE_RATER))
SOURCE = " ".join(map(str, range(1, 17)))
run("conciseness: 1 + 4(3 - n/r)/2, 8 tokens of a source for one of a reference", "d,t,m,o,x,ref\nq,one two three,a,a b c,1,a b\nq,one two three,b,a b,1,\n"
    f"r,{SOURCE},a,a b c d e,1, \nr,{SOURCE},b,,1,\n", layout(columns={"reference": "ref"}, derive=["conciseness"]), shown="cost")
run("two references", "d,t,m,o,x,ref\nq,t,a,o,1,one\nq,t,b,o,1,two\n", layout(columns={"reference": "ref"}, derive=["conciseness"]))
METRIC = [{"name": "f1", "metric": "f1"}, {"name": "exact", "metric": "exact"}]
run("metrics: the best of several references", [{**ONE, "o": "red fox", "ref": ["cat", " ", "fox, red"]}, {**ONE, "m": "b", "o": "cat sat"},
                                                {**ONE, "m": "c", "o": "none", "ref": None}], layout(METRIC, {"reference": "ref"}))
run("metrics of two columns", "d,t,m,o,one,two\nq,text,a,cat,cat,dog\nq,text,b,dog,cat,dog\nr,text,a,hen,,fox\n", layout(METRIC[1:], {"reference": ["one", "two"]}))
PASS = [{"name": "pass2", "from": "x", "pass_at": 2}]
DRAWS = rows(*(f"q,text,{m},{i},{ok}" for i, (m, ok) in enumerate(zip("abababa", [1, 0, 0, 0, 1, "no", 0]))))
run("2 of 4 are right: pass@2 is 1 - C(2,2)/C(4,2)", DRAWS, layout(PASS), "--repeats", "draws")
run("too few draws", DRAWS, layout([{"name": "x", "pass_at": 4}]), "--repeats", "draws")
run("half right", rows("q,text,a,x,.5"), layout([{"name": "x", "pass_at": 1}]))
for component, more in [({"metric": "rouge-L"}, {"reference": "r"}), ({"metric": "f1", "high": 100}, {"reference": "r"}),
                        ({"metric": "f1", "from": "x"}, {"reference": "r"}), ({"metric": "f1"}, {}), ({"low": 0, "high": 1}, {"reference": "r"})]:
    run(f"{component} {more}", rows("q,text,a,x,1"), layout([{"name": "y", **component}], more))
VOTES = {"name": "v", "synthetic": True, "columns": {"context": "d", "text": "t"}, "votes": {"model_a": "a", "model_b": "b", "winner": "w"}}
run("votes: a win, a tie, both bad, and two that differ", "d,t,a,b,w\n1,one,x,y,model_a\n2,two,x,y,tie\n3,three,x,y,tie (bothbad)\n4,four,x,y,model_a\n"
    "4,four,x,y,model_b\n", VOTES)
run("no vote", "d,t,a,b,w\n1,one,x,y,model_a\n2,two,x,y,perhaps\n", VOTES)
run("against oneself", "d,t,a,b,w\n1,one,x,x,model_a\n", VOTES)
run("no share", "d,t,a,b,w\nq,t,x,y,2\n", {**VOTES, "votes": {**VOTES["votes"], "winner": ["w"]}})

# Ids of several columns, and lists of names and values.
run("three columns tell together", "a,b,c,t,m,v,o,x\np,q,1,t,gpt,4,o,1\np,q,2,u,gpt,4,o,2\n,q,3,w,gpt,4,o,3\n", layout(columns={"context": ["a", "b", "c"], "agent": ["m", "v"]}),
    "--skip-bad")
run("too many columns", rows("q,text,a,x,1"), layout(columns={"context": list("dtmoxdtmo")}))
LISTED = layout([{**X, "name": "help", "from": "s[help]"}, {**X, "name": "brief", "from": "a.r[brief]"}])
LIST = {"s": [{"name": "brief", "value": 9}, {"name": "help", "value": 4}], "a": {"r": [{"metric": "brief", "score": "3"}]}}
run("lists of names and values", [{**ONE, **LIST}, {**ONE, "m": "b", **LIST, "s[help]": 7}, {**ONE, "m": "c", **LIST, "s": LIST["s"][:1]}], LISTED, "--drop-unscored")
run("a list without that name", [{**ONE, **LIST, "s": []}], LISTED)

# Wide tables.
WIDE = layout([{**X, "from": "{agent}_score"}], drop=("agent", "output"), agents="{agent}_score")
run("wide: blanks are holes, names stand in", "d,t,a_score,b_score\n1,one,0,1\n2,two,NA,.25\n3,three,None,#N/A\n", WIDE)
run("wide: one bad cell", "d,t,a_score,b_score\n1,one,17,1\n2,two,1\n3,three,x,\n", WIDE)
run("wide: one bad cell", "d,t,a_score,b_score\n1,one,17,1\n2,two,1\n3,three,x,\n", WIDE, "--skip-bad")
for table in ["d,t,a_scores,b_scores,n\n1,one,0,1,2\n", "d,t,n\n1,one,2\n", "d,t,a_score,a_score\n1,one,2,2\n", "d,tt,a_score\n1,one,2\n"]:
    run(f"wide: {table.splitlines()[0]}", table, WIDE)
for agents in ([], [1], ["a", "b", "a"], [""], "a", "{agent}{agent}", 7):
    run(f"agents {agents}", "d,t,a\n", layout([{**X, "from": "{agent}"}], drop=("agent", "output"), agents=agents))
run("agents and an agent", "d,t,a\n", layout([{**X, "from": "{agent}"}], agents=["a"]))
run("no score of agents", "d,t,a\n", layout(drop=("agent",), agents=["a"]))

# Covariates.
COVARIATES = layout(covariates=[{"name": "turns", "kind": "number", "from": "n turns"}, {"name": "lang", "kind": "word"}])
TURNS = "d,t,m,o,x,n turns,lang\n1,one,a,x,1,3,en GB\n"
run("covariates", TURNS + "2,two,b,y,0, NA ,\n", COVARIATES)
for line in ["1,one,b,x,1,,en GB", "1,one,b,x,1,many,en GB", "1,one,b,x,1,4,en GB", '2,two,b,x,1,3,"a\x01"']:
    run(f"covariates of {line!r}", TURNS + line + "\n", COVARIATES)
for covariates in (["lang"], [{"name": "lang"}], [{"name": "lang", "kind": "word", "form": "x"}], [{"name": "lung", "kind": "word"}], {}):
    run(json.dumps(covariates), TURNS, layout(covariates=covariates))

# Maps that cannot be.
for where in ["[]", "{", layout(colums={}), {**layout(), "columns": {}}, layout(columns={"text": ""}), layout([]), layout(["x"]), layout([{"name": "x", "low": 1}]),
              layout(aux=[7]), layout(contexts={}), {**layout(), "synthetic": None}, layout(coding={"success": "x"}), {**layout(drop=()), "components": None,
              "coding": {}}, layout(derive=["concisenes"]), layout([{**X, "smaller_is_better": 1}]), layout(derive="statistics"),
              layout(columns={"reference": ["r"]}, derive=["conciseness"]), layout([{**X, "from": []}]), layout([{**X, "from": {}}])]:
    run(where if isinstance(where, str) else json.dumps(where)[:400].replace(json.dumps(layout())[30:-1], "..."), rows("q,text,a,x,1"), where)
