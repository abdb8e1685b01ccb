"""Scores as a list of {name, value}: in another order in B's records; in one order; and as an object."""
import json

def write(name, turned, as_object=False):
    with open(name, "w") as f:
        for i in range(20):
            for m in "AB":
                scores = [("helpfulness", .8 if m == "A" else .3), ("conciseness", .1 if m == "A" else .9)]
                scores = [(n, round(v + (i % 5) / 50, 3)) for n, v in scores]
                scores = scores[::-1] if turned and m == "B" else scores
                f.write(json.dumps({"id": f"t{i}", "input": f"question {i}", "model": m, "reward": scores[0][1] if not turned else None,
                                    "scores": dict(scores) if as_object else [{"name": n, "value": v} for n, v in scores]}) + "\n")

write("turned.jsonl", True)
write("object.jsonl", False, True)
