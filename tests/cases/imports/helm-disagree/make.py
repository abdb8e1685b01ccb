"""A run of HELM whose instance id0 has two values of exact_match; with an argument the same value twice."""
import json, os, sys

folder = "boolq:model=org_a"
os.makedirs(folder, exist_ok=True)
stat = lambda i, v: {"instance_id": i, "train_trial_index": 0,
                     "stats": [{"name": {"name": "exact_match", "split": "test"}, "count": 1, "sum": v, "mean": v}]}
states = [{"instance": {"id": f"id{k}", "input": {"text": f"question {k}"}, "references": []}, "train_trial_index": 0,
           "request": {"model": "org/a", "prompt": f"question {k}"}, "result": {"success": True, "completions": [{"text": "yes"}]}}
          for k in range(2)]
json.dump({"adapter_spec": {"method": "generation", "model": "org/a"}, "request_states": states}, open(f"{folder}/scenario_state.json", "w"))
json.dump([stat("id0", 0.0), stat("id0", float(len(sys.argv) < 2)), stat("id1", 1.0)], open(f"{folder}/per_instance_stats.json", "w"))
