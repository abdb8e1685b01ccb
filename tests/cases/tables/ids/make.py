"""trial.jsonl: 40 rows of 20 users, whose ids a double cannot hold."""
import json

with open("trial.jsonl", "w") as f:
    for i in range(40):
        f.write(json.dumps({"request_id": 9007199254740992 + i, "user_id": 1234567890123456789 + i // 2, "prompt": f"text {i}", "model": "AB"[i % 3 % 2], "reward": i % 2}) + "\n")
