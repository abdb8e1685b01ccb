"""Logs of Inspect: scales/ (a scores 0 and 1, b 0 and 100), labels/, unused/ (nobody counted tokens of b)."""
import json, os

def log(path, model, scores, usage=None):
    samples = [{"id": i, "epoch": 1, "input": f"question {i}", "target": "x", "output": {"completion": f"{model} {i}"},
                "scores": {"judge": {"value": s}}, "model_usage": {model: usage} if usage else {}}
               for i, s in enumerate(scores)]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    json.dump({"version": 2, "status": "success", "eval": {"run_id": path, "task": "t", "task_version": 0, "model": model,
                                                           "dataset": {}}, "samples": samples}, open(path, "w"))

log("scales/a.json", "m/a", [1, 1, 0, 1, 0, 1, 1, 0, 1, 0])
log("scales/b.json", "m/b", [0, 100, 0, 100, 0, 0, 100, 100, 0, 0])
log("ones/a.json", "m/a", [1, 1, 1, 1])
log("ones/b.json", "m/b", [0, 100, 100, 0])
log("labels/l.json", "mL", ["left", "right", "both"])
log("labels/r.json", "mR", ["both", "left", "left"])
used, unused = ({"input_tokens": n, "output_tokens": n, "total_tokens": 2 * n, "total_cost": n / 10} for n in (5, 0))
log("unused/a.json", "m/a", ["C", "I"], used)
log("unused/b.json", "m/b", ["I", "C"], unused)
