"""A pool of two agents and three contexts in the folder `bad`: title, agent, context, score, as they stand in JSON."""
import os
import sys
title, agent, context, score = sys.argv[1:]
os.makedirs("bad", exist_ok=True)
put = lambda name, text: open(os.path.join("bad", name), "w", encoding="utf-8").write(text)
put("pool.json", f'{{"format": "regret-pool-1", "name": "bad", "title": "{title}", "version": "1", "licence": "{title}", "source": "{title}", "synthetic": true, '
    f'"agents": [{{"id": "{agent}", "title": "{title}"}}, {{"id": "b"}}], "components": [{{"name": "q", "low": 0, "high": 1}}]}}\n')
put("contexts.jsonl", "".join(f'{{"id": "{context}{x}", "text": "{title} storm {x}"}}\n' for x in range(3)))
put("outputs.jsonl", "".join(f'{{"context": "{context}{i // 2}", "agent": "{"b" if i % 2 else agent}", "text": "{title} word{i}", "components": {{"q": {score if i == 3 else 0.5}}}}}\n' for i in range(6)))
