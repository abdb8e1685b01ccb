#!/usr/bin/env python3
"""Rebuilds φ with NumPy from the files of a pool (protocol section 4): what is hashed, and every block behind it.

Usage: check_features.py REGRET FOLDER

Writes a pool of prompts with tags (one prompt without), numbers and words beside them, two draws an output and words that
repeat, and another with holes and no tags. For several settings of features.* a replicate is exported, with a worker that
keeps the problem it is asked: phi.mtx, the worker's φ and what problem.json says of blocks, tags, columns and ids are
compared with what is written down here again: words, XXH3 (from its specification), buckets, standardised columns.
Exit code 77 where NumPy or SciPy is missing.
"""

import json
import math
import pathlib
import re
import struct
import subprocess
import sys
import unicodedata

try:
    import numpy as np
    import scipy.io
    import scipy.sparse
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

TOLERANCE = 1e-12
AGENTS = ["ada", "bob", "cyd", "dan"]
OFF = {"features.output": 0, "features.context": 0, "features.overlap": 0, "features.shape": 0}
SETTINGS = {  # name: (pool, keys)
    "paper": ("whole", {"features.buckets": 64}),
    "other scales": ("whole", {"features.buckets": 512, "features.context": 1.7, "features.shape": 0.4}),
    "words": ("whole", {"features.buckets": 32, "features.agent_words": 2.5}),
    "practice": ("whole", {"features.buckets": 128, "features.agent": 10, "features.agent_tag": 7,
                           "features.agent_words": 3}),
    "every": ("whole", {"features.buckets": 256, "features.agent": 1.5, "features.tag": 0.7, "features.agent_tag": 2,
                        "features.columns": 0.3, "features.agent_columns": 1.25, "features.agent_words": 0.6}),
    "no hashing of outputs": ("whole", {**OFF, "features.buckets": 16, "features.tag": 3, "features.columns": 1}),
    "holes": ("holes", {"features.buckets": 64, "features.agent": 2, "features.columns": 0.8, "features.agent_columns": 0.5,
                        "features.agent_words": 1, "grid.policy": "observed", "grid.min_comparable": 5}),
}

# ---------------------------------------------------------------- XXH3 of up to 128 bytes, by its specification

M64 = 2**64 - 1
PRIME32_1, PRIME32_2, PRIME32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
PRIME64_1, PRIME64_2, PRIME64_3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
PRIME_MX1, PRIME_MX2 = 0x165667919E3779F9, 0x9FB21C651E98DF25
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221"
    "b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364")


def u32(data, at):
    return struct.unpack_from("<I", data, at)[0]


def u64(data, at):
    return struct.unpack_from("<Q", data, at)[0]


def swap(x, size):
    return int.from_bytes(x.to_bytes(size, "little"), "big")


def rotate(x, k):
    return (x << k | x >> 64 - k) & M64


def fold(a, b):
    return (a * b ^ a * b >> 64) & M64


def avalanche(h):
    h = (h ^ h >> 37) * PRIME_MX1 & M64
    return h ^ h >> 32


def xxh64_avalanche(h):
    h = (h ^ h >> 33) * PRIME64_2 & M64
    h = (h ^ h >> 29) * PRIME64_3 & M64
    return h ^ h >> 32


def xxh3(data, seed=0):
    n = len(data)
    assert n <= 128, data
    if n == 0:
        return xxh64_avalanche(seed ^ u64(SECRET, 56) ^ u64(SECRET, 64))
    if n <= 3:
        word = data[n - 1] | n << 8 | data[0] << 16 | data[n >> 1] << 24
        return xxh64_avalanche(word ^ (u32(SECRET, 0) ^ u32(SECRET, 4)) + seed & M64)
    if n <= 8:
        word = u32(data, n - 4) | u32(data, 0) << 32
        key = (u64(SECRET, 8) ^ u64(SECRET, 16)) - (seed ^ swap(seed & 2**32 - 1, 4) << 32) & M64
        h = word ^ key
        h = (h ^ rotate(h, 49) ^ rotate(h, 24)) * PRIME_MX2 & M64
        h = (h ^ (h >> 35) + n) * PRIME_MX2 & M64
        return h ^ h >> 28
    if n <= 16:
        low = (u64(SECRET, 24) ^ u64(SECRET, 32)) + seed & M64
        high = (u64(SECRET, 40) ^ u64(SECRET, 48)) - seed & M64
        low, high = low ^ u64(data, 0), high ^ u64(data, n - 8)
        return avalanche(n + swap(low, 8) + high + fold(low, high) & M64)
    h = n * PRIME64_1
    for i in range((n - 1) // 32 + 1):
        for at, secret in ((16 * i, 32 * i), (n - 16 * (i + 1), 32 * i + 16)):
            h += fold(u64(data, at) ^ u64(SECRET, secret) + seed & M64,
                      u64(data, at + 8) ^ u64(SECRET, secret + 8) - seed & M64)
    return avalanche(h & M64)


# ---------------------------------------------------------------- texts


def folded(text):
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def words(text):
    """Runs of letters, digits and marks, with apostrophes between letters and points between digits."""
    text = folded(text).replace("’", "'")
    return re.findall(r"(?:[^\W_]|(?<=[^\W\d_])'(?=[^\W\d_])|(?<=\d)[.,](?=\d))+", text)


def ngrams(tokens):
    h = [xxh3(t.encode()) for t in tokens]
    return [struct.pack("<Q", x) for x in h] + [struct.pack("<QQ", x, y) for x, y in zip(h, h[1:])]


def overlap(output, context):
    return [struct.pack("<QB", xxh3(t.encode()), t in set(context)) for t in output]


def shape(text, context):
    """Of texts of one line or several, without closing quotes after a full stop."""
    tokens, known = words(text), words(context)
    log2 = lambda count: int(2 * math.log2(1 + count))
    letters = [c for c in folded(text) if not c.isspace()]
    marks = sum(unicodedata.category(c)[0] in "PS" for c in letters)
    sentences = sum(1 for part in re.split(r"(?<=[.!?])\s|\n\s*\n", text) if words(part))
    lines = sum(1 for line in text.split("\n") if line.strip())
    share = lambda part, whole, times: times * part // whole if whole else 0
    return [key.encode() for key in (
        f"length={log2(len(tokens))}", f"sentences={log2(sentences)}", f"lines={log2(lines)}",
        f"compression={log2(len(known) / max(len(tokens), 1))}",
        f"punctuation={min(share(marks, len(letters), 50), 20)}",
        f"novelty={share(sum(t not in known for t in tokens), len(tokens), 10)}",
        f"repetition={share(len(tokens) - len(set(tokens)), len(tokens), 10)}")]


# ---------------------------------------------------------------- φ


class Pool:
    def __init__(self, folder):
        self.head = json.loads((folder / "pool.json").read_text())
        self.contexts = [json.loads(line) for line in (folder / "contexts.jsonl").read_text().splitlines()]
        outputs = [json.loads(line) for line in (folder / "outputs.jsonl").read_text().splitlines()]
        self.texts = {(o["context"], o["agent"], o["draw"]): o["text"] for o in outputs}
        self.draws = 1 + max(o["draw"] for o in outputs)


def one_hot_columns(pool, contexts):
    """Numbers standardised over the contexts that have one, 0 in the others and, of ten such, a column of these; words one
    column each in order of appearance; and their names."""
    values, names = [], []
    for column in pool.head.get("columns", []):
        x = [c["columns"][column["name"]] for c in contexts]
        if column["kind"] == "number":
            blank = np.array([v is None for v in x])
            known = [v for v in x if v is not None]
            sd = np.std(known)
            values.append(np.array([(v - np.mean(known)) / sd if v is not None and sd > 0 else 0.0 for v in x]))
            names.append(column["name"])
            if blank.sum() >= 10:
                values.append(blank.astype(float))
                names.append(f"{column['name']}=")
        else:
            for word in dict.fromkeys(x):
                values.append(np.array([float(w == word) for w in x]))
                names.append(f"{column['name']}={word}")
    return np.array(values).T.reshape(len(contexts), len(names)), names


class Phi:
    def __init__(self, pool, cell):
        self.key = cell["config"]
        by_id = {c["id"]: c for c in pool.contexts}
        self.pool, self.contexts, self.agents = pool, [by_id[i] for i in cell["contexts"]], cell["agents"]
        self.tags = list(dict.fromkeys(c.get("tag") for c in self.contexts))
        self.tag = [self.tags.index(c.get("tag")) for c in self.contexts]
        self.columns, self.names = one_hot_columns(pool, self.contexts)
        n, t, c, d = len(self.agents), len(self.tags), len(self.names), self.scale("buckets")
        sizes = {"buckets": d, "agent": n, "tag": t, "agent_tag": n * t, "columns": c, "agent_columns": n * c,
                 "agent_words": d}
        self.blocks, first = {}, 0
        for name, size in sizes.items():
            if name == "buckets" or self.scale(name) > 0:
                self.blocks[name] = (first, size)
                first += size
        self.width = first

    def scale(self, name):
        return self.key[f"features.{name}"]

    def namespace(self, row, at, name, keys, scale, seed=None):
        """Adds a bag of keys, brought to length one and scaled, to the D columns from `at`."""
        if scale == 0 or not keys:
            return
        d = self.scale("buckets")
        vector = np.zeros(d)
        seed = xxh3(name.encode()) if seed is None else seed
        for key in sorted(set(keys)):
            count = keys.count(key)
            h = xxh3(key, seed)
            vector[h & d - 1] += -count if h >> 63 else count
        length = np.linalg.norm(vector)
        if length > 0:
            row[at:at + d] += scale * vector / length

    def of(self, x, a, draw):
        context, row = self.contexts[x], np.zeros(self.width)
        text = self.pool.texts.get((context["id"], self.agents[a], draw), "")
        output, asked = words(text), words(context["text"])
        self.namespace(row, 0, "output", ngrams(output), self.scale("output"))
        self.namespace(row, 0, "context", ngrams(asked), self.scale("context"))
        self.namespace(row, 0, "overlap", overlap(output, asked), self.scale("overlap"))
        self.namespace(row, 0, "shape", shape(text, context["text"]), self.scale("shape"))
        t, c = len(self.tags), len(self.names)
        for name, at, values in (("agent", a, [1]), ("tag", self.tag[x], [1]), ("agent_tag", a * t + self.tag[x], [1]),
                                 ("columns", 0, self.columns[x]), ("agent_columns", a * c, self.columns[x])):
            if name in self.blocks:
                at += self.blocks[name][0]
                row[at:at + len(values)] += self.scale(name) * np.asarray(values)
        if "agent_words" in self.blocks:
            seed = xxh3(struct.pack("<I", a), xxh3(b"agent-words"))
            self.namespace(row, self.blocks["agent_words"][0], "", ngrams(asked), self.scale("agent_words"), seed)
        return row

    def matrix(self):
        return np.array([self.of(x, a, k) for x in range(len(self.contexts)) for a in range(len(self.agents))
                         for k in range(self.pool.draws)])


# ---------------------------------------------------------------- the pools, and what the program makes of them

WORKER = """import shutil, sys
import numpy as np
for line in sys.stdin:
    folder = line.split(None, 1)[1].strip()
    pairs = len(np.load(folder + "/pair_context.npy"))
    np.save(folder + "/prediction.npy", np.full(pairs, 0.5))
    shutil.copytree(folder, sys.argv[1], dirs_exist_ok=True)
    print("done", flush=True)
"""
VOCABULARY = ("the of A river stone Über straße don’t 3.14 1,000 café x1 naïve THE and code chat loop list tea ice two 7 "
              "internationalisation counterrevolutionaries").split()


def make_pool(folder, rng, tagged, holes):
    folder.mkdir(parents=True, exist_ok=True)
    say = lambda n: " ".join(rng.choice(VOCABULARY) for _ in range(n))
    agents = AGENTS + (["eve"] if holes else [])
    columns = [{"name": "age", "kind": "number"}, {"name": "from", "kind": "word"}, {"name": "same", "kind": "number"}]
    draws = 1 if holes else 2
    (folder / "pool.json").write_text(json.dumps({
        "format": "regret-pool-1", "name": folder.name, "title": "t", "version": "1", "licence": "none", "source": "made",
        "synthetic": True, "agents": [{"id": a, "title": a} for a in agents],
        "components": [{"name": "q", "low": 0, "high": 1}, {"name": "r", "low": 0, "high": 1}], "columns": columns}))
    with open(folder / "contexts.jsonl", "w") as contexts, open(folder / "outputs.jsonl", "w") as outputs:
        for x in range(14):
            one = {"id": f"p{x}", "text": say(rng.integers(3, 12)),
                   "columns": {"age": float(np.round(rng.normal(40, 12), 2)), "same": 2.0 if x % 4 == 1 else None,
                               "from": ["web", "app", "phone", ""][x % 4]}}
            if x in (2, 9):
                one["columns"]["age"] = None
            if tagged and x != 5:
                one["tag"] = ["code", "chat", "rare"][min(x % 5, 2)]
            contexts.write(json.dumps(one) + "\n")
            for a, agent in enumerate(agents):
                if holes and (agent == "eve" or (x * 3 + a) % 4 == 0):
                    continue
                for k in range(draws):
                    marks = [". ", " ", "!\n", ", ", "? "]
                    text = "".join(say(rng.integers(1, 5)) + marks[rng.integers(5)] for _ in range(rng.integers(1, 5)))
                    outputs.write(json.dumps({"context": f"p{x}", "agent": agent, "draw": k, "text": text.strip(),
                                              "components": {"q": rng.random(), "r": rng.random()}}) + "\n")


def check(what, got, wanted):
    assert got == wanted, f"{what}: {got}, not {wanted}"


def check_problem(problem, phi, config):
    check("blocks", list(problem["blocks"].items()), [(name, list(place)) for name, place in phi.blocks.items()])
    check("columns", problem["columns"], phi.width)
    check("agents", problem["agent_ids"], phi.agents)
    check("contexts", problem["context_ids"], [c["id"] for c in phi.contexts])
    if phi.tags != [None]:
        check("tags", problem["tags"], phi.tags)
        check("tags of contexts", problem["context_tags"], phi.tag)
    else:
        check("no tags", "tags" in problem or "context_tags" in problem, False)
    if config.get("features.columns", 0) > 0:
        check("names of columns", problem["column_names"], phi.names)


def main(regret, folder):
    folder = pathlib.Path(folder).resolve()
    rng = np.random.default_rng(3)
    pools = {}
    for name, tagged, holes in (("whole", True, False), ("holes", False, True)):
        make_pool(folder / name, rng, tagged, holes)
        pools[name] = Pool(folder / name)
    (folder / "worker.py").write_text(WORKER)
    worst = entries = 0
    for number, (name, (pool, keys)) in enumerate(SETTINGS.items()):
        out, problem = folder / f"cell-{number}", folder / f"problem-{number}"
        config = folder / f"config-{number}.json"
        config.write_text(json.dumps({
            "pool": pool, "seeds": 1, "contexts.hard": 0, "n_obs": 60, "n_exp": 30, "router.slate": 3, "values.enabled": False,
            "families": ["exp-only", {"name": "keep", "command": [sys.executable, "worker.py", str(problem)]}], **keys}))
        subprocess.run([regret, "cell", config, "--export", out, "--force", "--allow-commands"], check=True,
                       stdout=subprocess.DEVNULL)
        phi = Phi(pools[pool], json.loads((out / "cell.json").read_text()))
        ours, theirs = phi.matrix(), scipy.io.mmread(out / "phi.mtx").toarray()
        check(f"{name}: shape", theirs.shape, ours.shape)
        asked = scipy.sparse.csr_matrix(tuple(np.load(problem / f"phi_{part}.npy") for part in ("data", "indices", "indptr")),
                                        shape=ours.shape).toarray()
        entries += (ours != 0).sum()
        for what, matrix in (("phi.mtx", theirs), ("the worker's", asked)):
            difference = np.abs(matrix - ours)
            worst = max(worst, difference.max())
            assert difference.max() <= TOLERANCE, f"{name}, {what}: {np.argwhere(difference > TOLERANCE)[:9]}"
        check_problem(json.loads((problem / "problem.json").read_text()), phi, keys)
    print(f"{len(SETTINGS)} settings, {entries} entries, largest difference {worst:.1e}")


main(*sys.argv[1:])
