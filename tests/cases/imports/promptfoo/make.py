"""Results of promptfoo: old.json (version 2, prompts as they were sent and no label), mixed.json (a value in the template)
and bare.json (two prompts without variables)."""
import json

def result(raw, word, score, **more):
    return {"provider": {"id": "p:m"}, "prompt": {"raw": raw, **more}, "vars": {"w": word} if word else {},
            "response": {"output": f"{raw} {score}"}, "score": score, "success": bool(score)}

def write(name, results, version=2):
    json.dump({"results": {"version": version, "results": results}}, open(name, "w"))

write("old.json", [result(t.replace("{{w}}", w), w, s) for w, s in (("hello", 1), ("bye", 0))
                   for t in ("Say {{w}} in German", "Translate {{w}} to German")])
write("mixed.json", [result(f"Say {w.upper()} in German", w, 1) for w in ("one", "two", "three", "four", "five")])
write("bare.json", [result(t, None, s, label=t) for s in (1, 0) for t in ("Say it in German", "Translate it to German")], 3)
