"""A log and a trial of 60 rows each as CSV, tabs, semicolons, bars, lines of JSON and an array; their rows as they come, or the other way round."""
import csv
import json
import random

random.seed(1)
tables = {}
for which in ("obs", "exp"):
    tables[which] = [{"id": f"{which[0]}{i // 2}", "prompt": f"Write, please: {i // 2}", "model": ["m2", "m10"][(i * 7 + i // 5) % 2], "stars": 1 + (i * i) % 5,
                      "p": [0.5, 0.25][i // 2 % 2] if which == "obs" else 0.5, "user": f"u{i % 9}", "at": f"2026-03-{1 + i // 2:02}T12:{i % 60:02}:00Z", "kind": "ab"[i // 2 % 2],
                      "len": i // 2 % 4 + 0.5, "lang": ["de", "en", ""][i // 2 % 3], "answer": f"answer {i % 4}", "usd": 0.25 * (i % 3)} for i in range(60)]
for which, rows in tables.items():
    for name, separator, end, mark in ("csv", ",", "\n", ""), ("tsv", "\t", "\r\n", "\ufeff"), ("semi", ";", "\r\n", ""), ("bar", "|", "\n", "\ufeff"), ("turned", ",", "\n", ""):
        with open(f"{which}.{name}", "w", encoding="utf-8", newline="") as file:
            file.write(mark)
            writer = csv.DictWriter(file, rows[0], delimiter=separator, lineterminator=end)
            writer.writeheader()
            writer.writerows(reversed(rows) if name == "turned" else rows)
    seconds = {row["at"]: 1772323200 + 86400 * (int(row["at"][8:10]) - 1) + 43200 + 60 * int(row["at"][14:16]) for row in rows}
    others = [{**{key: value for key, value in sorted(row.items()) if value != ""}, "at": [seconds[row["at"]] * 1000, row["at"].replace("T12", " 13").replace("Z", "+01:00")][i % 2],
               "prompt": [{"role": "system", "content": "Be kind"}, {"role": "user", "content": row["prompt"]}], "stars": str(row["stars"])} for i, row in enumerate(rows)]
    with open(f"{which}.jsonl", "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in others)
    with open(f"{which}.json", "w", encoding="utf-8") as file:
        json.dump(rows, file)
