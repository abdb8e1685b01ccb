"""Three models of rising skill that answer thirty questions of two tasks each."""
import json
import os

for model in range(3):
    os.makedirs(f"samples/m{model}")
    for task in range(2):
        with open(f"samples/m{model}/samples_t{task}_2025-01-01T00-00-00.jsonl", "w", encoding="utf-8") as file:
            for i in range(30):
                print(json.dumps({"doc_id": i, "arguments": [[f"Question {i} of task {task}?"]], "resps": [[f"Answer {i + model}."]],
                                  "filtered_resps": ["x"], "exact_match": int((i * 7 + task) % 5 < 1 + 2 * model)}), file=file)
