#!/usr/bin/env python3
"""Joins and cuts pools in plain Python, and holds `regret pool extend`, `merge` and `select` against it.

Usage: check_pools.py REGRET FOLDER

Makes random pools (SYNTHETIC) with holes, draws, tags, columns and two components, cuts them by random patterns and samples
(Philox, Lemire's bounded numbers and Fisher and Yates's shuffle are written down here), and joins parts and scores of
another judge: contexts, agents and outputs, their order, and every number must be those of the lists here, and pools
that are put together again the same bytes.
"""

import fnmatch
import json
import pathlib
import random
import shutil
import subprocess
import sys

M32 = 2**32 - 1
FILES = ["pool.json", "contexts.jsonl", "outputs.jsonl"]


def philox(counter, key):
    """Four words of Philox 4x32-10 (Salmon et al. 2011)."""
    c, k = list(counter), list(key)
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ k[0], b & M32, (a >> 32) ^ c[3] ^ k[1], a & M32]
        k = [(k[0] + 0x9E3779B9) & M32, (k[1] + 0xBB67AE85) & M32]
    return c


def order(n, seed, stream):
    """A random order of 0 to n - 1 by the stream (seed, 24, stream)."""
    def words():
        block = 0
        while True:
            yield from philox((block, 24, stream & M32, stream >> 32), (seed & M32, seed >> 32))
            block += 1

    def below(limit):
        product = next(source) * limit
        while product & M32 < (2**32 - limit) % limit:
            product = next(source) * limit
        return product >> 32

    source, items = words(), list(range(n))
    for i in range(n, 1, -1):
        j = below(i)
        items[i - 1], items[j] = items[j], items[i - 1]
    return items


class Pool:
    """Its header, contexts and outputs as their objects."""

    def __init__(self, header, contexts, outputs):
        self.header, self.contexts, self.outputs = header, contexts, outputs

    @classmethod
    def read(cls, folder):
        lines = [[json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]
                 for name in FILES[1:]]
        return cls(json.loads((folder / FILES[0]).read_text(encoding="utf-8")), *lines)

    def write(self, folder):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        header = {key: value for key, value in self.header.items() if key not in ("digests", "history")}
        (folder / FILES[0]).write_text(json.dumps(header), encoding="utf-8")
        for name, rows in zip(FILES[1:], (self.contexts, self.outputs)):
            (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return folder

    def agents(self):
        return [agent["id"] for agent in self.header["agents"]]

    def sort(self):
        place = {context["id"]: i for i, context in enumerate(self.contexts)}
        agents = {agent: i for i, agent in enumerate(self.agents())}
        self.outputs.sort(key=lambda o: (place[o["context"]], agents[o["agent"]], o["draw"]))
        return self

    def part(self, contexts, agents):
        """What is left of the contexts and agents whose ids are in the sets."""
        return Pool({**self.header, "agents": [a for a in self.header["agents"] if a["id"] in agents]},
                    [c for c in self.contexts if c["id"] in contexts],
                    [o for o in self.outputs if o["context"] in contexts and o["agent"] in agents])


def make_pool(rng, contexts=40, agents=5):
    header = {"format": "regret-pool-1", "name": "made", "title": "Made", "version": "1", "licence": "CC0-1.0",
              "source": "a test", "synthetic": True,
              "agents": [{"id": f"{rng.choice(['m', 'gpt', 'x'])}-{a}", "cost": a / 4} for a in range(agents)],
              "components": [{"name": "good", "low": 0, "high": 5}, {"name": "short", "low": -1, "high": 1}],
              "counts": ["claims"], "aux": ["words"], "columns": [{"name": "age", "kind": "number"}]}
    rows = [{"id": f"c{x:03d}", "text": f"prompt {x}", "columns": {"age": x / 7},
             **({"tag": rng.choice(["news", "sport", "art"])} if rng.random() < 0.8 else {})} for x in range(contexts)]
    outputs = [{"context": row["id"], "agent": agent["id"], "draw": k, "text": f"answer {rng.randrange(9)}",
                "components": {"good": rng.randrange(6), "short": rng.uniform(-1, 1)},
                "counts": {"claims": rng.randrange(4)}, "aux": {"words": rng.gauss(0, 1)}}
               for row in rows for agent in header["agents"] if rng.random() < 0.9 for k in range(rng.randrange(1, 4))]
    return Pool(header, rows, outputs)


def program(regret, *arguments):
    done = subprocess.run([regret, "pool", *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{arguments}: {done.stderr}")
    return Pool.read(pathlib.Path(arguments[arguments.index("-o") + 1]))


def compare(got, want, what):
    for field, a, b in (("agents", got.agents(), want.agents()),
                        ("costs", *([x["cost"] for x in p.header["agents"]] for p in (got, want))),
                        ("components", got.header["components"], want.header["components"]),
                        ("contexts", got.contexts, want.contexts), ("outputs", got.outputs, want.outputs)):
        if a != b:
            first = next((pair for pair in zip(a, b) if pair[0] != pair[1]), (len(a), len(b)))
            sys.exit(f"{what}: {field} differ: {first[0]} is not {first[1]}")


def same_bytes(a, b, what):
    for name in FILES:
        if (a / name).read_bytes() != (b / name).read_bytes():
            sys.exit(f"{what}: {name} of {a} and {b} differ")


def matches(patterns, word):
    return any(fnmatch.fnmatchcase(word, pattern) for pattern in patterns)


def check_select(regret, folder, pool, path, rng):
    """Random patterns and a sample."""
    rules = {"tag": ["news", "s*", "?rt", ""], "context": ["c00*", "*[2468]", "c?1?", "c*"], "agent": ["m-*", "*[0-3]", "*"]}
    given, arguments = {}, []
    for name, choices in rules.items():
        given[name] = rng.sample(choices, rng.randrange(0, 3))
        given["not-" + name] = rng.sample(choices[:-1], rng.random() < 0.3)
    words = {"tag": [c.get("tag", "") for c in pool.contexts], "context": [c["id"] for c in pool.contexts],
             "agent": pool.agents()}
    for name in given: # a pattern that matches nothing is refused
        given[name] = [p for p in given[name] if any(matches([p], w) for w in words[name.replace("not-", "")])]
        arguments += [word for pattern in given[name] for word in (f"--{name}", pattern)]

    def keep(name, word):
        return (not given[name] or matches(given[name], word)) and not matches(given["not-" + name], word)

    contexts = [c for c in pool.contexts if keep("tag", c.get("tag", "")) and keep("context", c["id"])]
    agents = {agent for agent in pool.agents() if keep("agent", agent)}
    had, has = ({o["context"] for o in pool.outputs if o["agent"] in of} for of in (set(pool.agents()), agents))
    contexts = [c for c in contexts if c["id"] in has or c["id"] not in had] # whom only others answered goes with them
    seed, size = rng.randrange(2**64), rng.randrange(1, 9)
    by_tag = rng.random() < 0.5 and any("tag" in c for c in contexts)
    if by_tag:
        groups = {}
        for context in contexts:
            groups.setdefault(context.get("tag"), []).append(context)
        arguments += ["--by-tag"]
    else:
        groups, size = {"": contexts}, min(size, max(len(contexts), 1))
    chosen = {group[i]["id"] for t, group in enumerate(groups.values()) for i in order(len(group), seed, t)[:size]}
    want = pool.part(chosen, agents)
    if not want.outputs:
        return 0
    arguments += ["--sample", size, "--seed", seed]
    compare(program(regret, "select", path, *arguments, "-f", "-o", folder / "part"), want, f"select {arguments}")
    return 1


def check_parts(regret, folder, pool, path, rng):
    """Contexts or agents cut in two and joined again."""
    cut = rng.randrange(1, len(pool.contexts))
    ids, agents = [c["id"] for c in pool.contexts], pool.agents()
    first, second = pool.part(set(ids[:cut]), set(agents)), pool.part(set(ids[cut:]), set(agents))
    one, two = first.write(folder / "one"), second.write(folder / "two")
    program(regret, "merge", one, two, "-f", "-o", folder / "both")
    header = json.loads((folder / "both" / FILES[0]).read_text())
    assert [step["what"] for step in header["history"]] == ["merge"], header["history"]
    program(regret, "merge", path, two, one, "-f", "-o", folder / "again") # nothing is new: no step, the same bytes
    same_bytes(folder / "again", path, "parts joined to the whole")
    for name in FILES[1:]:
        assert (folder / "both" / name).read_bytes() == (path / name).read_bytes(), name
    compare(program(regret, "merge", two, one, "-f", "-o", folder / "turned"),
            Pool(pool.header, second.contexts + first.contexts, list(pool.outputs)).sort(), "parts turned round")
    some = set(rng.sample(agents, rng.randrange(1, len(agents))))
    left, right = pool.part(set(ids), some), pool.part(set(ids[::2]), set(agents) - some)
    if left.outputs and right.outputs:
        want = Pool({**pool.header, "agents": left.header["agents"] + right.header["agents"]}, pool.contexts,
                    left.outputs + right.outputs).sort()
        compare(program(regret, "extend", left.write(folder / "one"), right.write(folder / "two"), "-f", "-o",
                        folder / "both"), want, "agents joined")


def check_judge(regret, folder, pool, path):
    """Scores of another judge, then without those and without what the other lacks; and further draws."""
    judge = {"name": "judge", "low": 0, "high": 1}
    header = {**pool.header, "components": [judge, pool.header["components"][0]]}
    del header["segments"]
    judged = [{**o, "components": {"judge": len(o["text"]) % 2, "good": o["components"]["good"]}} for o in pool.outputs]
    path_of = Pool(header, pool.contexts, judged).write(folder / "judge")
    both = [{**o, "components": {**o["components"], "judge": j["components"]["judge"]}} for o, j in zip(pool.outputs, judged)]
    want = Pool({**pool.header, "components": pool.header["components"] + [judge]}, pool.contexts, both)
    compare(program(regret, "extend", path, path_of, "-f", "-o", folder / "both"), want, "another judge")
    good = [{**o, "components": {"good": o["components"]["good"]}} for o in pool.outputs]
    want = Pool({**pool.header, "components": pool.header["components"][:1]}, pool.contexts, good)
    compare(program(regret, "extend", path, path_of, "--common", "-f", "-o", folder / "both"), want, "what is common")
    draws = {}
    for o in pool.outputs:
        draws[o["context"], o["agent"]] = draws.get((o["context"], o["agent"]), 0) + 1
    more = [{**o, "draw": o["draw"] + draws[o["context"], o["agent"]]} for o in pool.outputs]
    want = Pool(pool.header, pool.contexts, pool.outputs + more).sort()
    compare(program(regret, "merge", path, path, "--draws", "-f", "-o", folder / "both"), want, "further draws")


def main():
    regret, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    assert philox((0, 0, 0, 0), (0, 0)) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8] # Random123, kat_vectors
    folder.mkdir(exist_ok=True)
    selected = 0
    for seed in range(6):
        rng = random.Random(seed)
        made = make_pool(rng).write(folder / "made")
        path = folder / "pool"
        pool = program(regret, "pack", made, "-f", "-o", path)
        selected += sum(check_select(regret, folder, pool, path, rng) for _ in range(12))
        check_parts(regret, folder, pool, path, rng)
        check_judge(regret, folder, pool, path)
        program(regret, "select", path, "-f", "-o", folder / "same")
        same_bytes(folder / "same", path, "all selected")
        program(regret, "extend", path, path, "-f", "-o", folder / "same")
        same_bytes(folder / "same", path, "joined to itself")
    assert selected > 40, selected
    print(f"{selected} parts of 6 pools, and joins of each")


if __name__ == "__main__":
    main()
