#!/usr/bin/env python3
"""Recomputes scores that spread.* changed, with NumPy and from the pool's files (protocol section 1).

Usage: check_spread.py REGRET FOLDER

Generates a pool, takes outputs out of it (whole pairs, and third draws), exports a replicate on it for several
settings of spread.*, and compares the hardest contexts and the target of every pair with what the formula gives.
Philox, XXH3 and the normal deviates are written down here again. Exit code 77 where NumPy is missing.
"""

import json
import math
import pathlib
import shutil
import struct
import subprocess
import sys

try:
    import numpy as np
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

TOLERANCE, HARD, POWER, PENALTY, CAP = 1e-12, 7, 3.0, 0.05, 5
SEEDS = {"a": 0, "b": 123456789012345}
SETTINGS = [  # within, agents, contexts, noise, seed
    (1, 1, 1, 0, "a"), (0.3, 1, 1, 0, "a"), (1, 0, 1, 0, "a"), (1, 1, 0.2, 0, "a"), (1, 1, 1, 0.15, "a"),
    (0.6, 1.5, 0.8, 0.07, "b"), (2, 3, 2, 0.4, "b"),
]

M32, M64 = 2**32 - 1, 2**64 - 1
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221"
    "b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364")


def xxh3(data):
    """XXH3, 64 bits, seed 0, of 17 to 128 bytes."""
    n = len(data)
    assert 17 <= n <= 128, data

    def mix(at, secret):
        low, high = struct.unpack_from("<QQ", data, at)
        a, b = struct.unpack_from("<QQ", SECRET, secret)
        product = (low ^ a) * (high ^ b)
        return (product ^ product >> 64) & M64

    h = n * 0x9E3779B185EBCA87
    for i in range((n - 1) // 32 + 1):
        h += mix(16 * i, 32 * i) + mix(n - 16 * (i + 1), 32 * i + 16)
    h &= M64
    h ^= h >> 37
    h = h * 0x165667919E3779F9 & M64
    return h ^ h >> 32


def philox(counter, key):
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = p1 >> 32 ^ c1 ^ k0, p1 & M32, p0 >> 32 ^ c3 ^ k1, p0 & M32
        k0, k1 = k0 + 0x9E3779B9 & M32, k1 + 0xBB67AE85 & M32
    return c0, c1, c2, c3


def normal(seed, index):
    """The first deviate of the stream (seed, purpose 20, index)."""
    w = philox((0, 20, index & M32, index >> 32), (seed & M32, seed >> 32))
    u, v = (((w[i] | w[i + 1] << 32) >> 12) * 2.0**-52 + 2.0**-53 for i in (0, 2))
    return math.sqrt(-2 * math.log(u)) * math.cos(2 * math.pi * v)


class Pool:
    """The files of a pool, as arrays over its outputs."""

    def __init__(self, folder):
        self.head = json.loads((folder / "pool.json").read_text(encoding="utf-8"))
        self.contexts = [json.loads(line)["id"] for line in
                         (folder / "contexts.jsonl").read_text(encoding="utf-8").splitlines()]
        self.outputs = [json.loads(line) for line in
                        (folder / "outputs.jsonl").read_text(encoding="utf-8").splitlines()]
        self.agents = [a["id"] for a in self.head["agents"]]
        self.components = [c["name"] for c in self.head["components"]]
        self.x = np.array([self.contexts.index(o["context"]) for o in self.outputs])
        self.a = np.array([self.agents.index(o["agent"]) for o in self.outputs])
        self.draw = np.array([o.get("draw", 0) for o in self.outputs])
        self.claims = np.array([o["counts"]["unsupported_claims"] for o in self.outputs])
        self.q = np.array([[(o["components"][c["name"]] - c["low"]) / (c["high"] - c["low"])
                            for c in self.head["components"]] for o in self.outputs])

    def spread(self, within, agents, contexts, noise, seed):
        m = self.q.mean(axis=0)
        of_context = np.array([self.q[self.x == i].mean(axis=0) for i in range(len(self.contexts))])[self.x]
        apart = self.q - of_context
        of_agent = np.array([apart[self.a == i].mean(axis=0) for i in range(len(self.agents))])[self.a]
        names = [[f"{o['context']}\n{o['agent']}\n{c}\n{o.get('draw', 0)}".encode() for c in self.components]
                 for o in self.outputs]
        epsilon = np.array([[normal(seed, xxh3(n)) for n in row] for row in names])
        new = m + contexts * (of_context - m) + within * (agents * of_agent + apart - of_agent) + noise * epsilon
        return np.clip(new, 0, 1), np.mean((new < -1e-12) | (new > 1 + 1e-12))

    def difficulty(self, q):
        """One minus the mean over agents of the mean over draws; a missing pair counts as zero."""
        total = np.zeros(len(self.contexts))
        for i in range(len(self.contexts)):
            for j in range(len(self.agents)):
                pair = (self.x == i) & (self.a == j)
                total[i] += q[pair].mean() if pair.any() else 0.0
        return 1 - total / len(self.agents)

    def target(self, q, context, draws, sharpened):
        weights = np.array([[s["weights"][c] for c in self.components] for s in self.head["segments"]])
        mu = np.zeros(len(self.agents))
        for j in range(len(self.agents)):
            pair = (self.x == context) & (self.a == j) & (self.draw < draws)
            r = q[pair] @ weights.T
            if sharpened:
                r = np.clip(q[pair]**POWER @ weights.T
                            - PENALTY * np.minimum(self.claims[pair], CAP)[:, None], 0, 1)
            mu[j] = r.mean() if pair.any() else 0.0
        return mu


def make_pool(program, folder):
    """A generated pool of three draws with holes."""
    subprocess.run([program, "pool", "synth", "newswire", "--articles", "12", "--draws", "3", "--seed", "5",
                    "-o", folder, "--force"], check=True, stderr=subprocess.DEVNULL)
    head = json.loads((folder / "pool.json").read_text(encoding="utf-8"))
    head.pop("digests")
    (folder / "pool.json").write_text(json.dumps(head), encoding="utf-8")
    lines = (folder / "outputs.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for i, line in enumerate(lines) if i // 3 * 7 % 11 != 0 and (i % 3 != 2 or i // 3 % 3 != 1)]
    (folder / "outputs.jsonl").write_text("".join(kept), encoding="utf-8")
    return Pool(folder)


def check(program, folder, pool, setting, sharpened):
    within, agents, contexts, noise, seed = setting
    keys = {"pool": folder / "pool", "grid.policy": "impute-zero", "contexts.hard": HARD, "n_obs": 60, "n_exp": 40,
            "families": '["obs-only"]', "features.buckets": 64, "router.rank": 3, "proxy.dim": 4,
            "proxy.tfidf_rank": 4, "values.enabled": "false",
            "reward.map": "sharpened" if sharpened else "smooth", "reward.power": POWER, "reward.penalty": PENALTY,
            "reward.claims_cap": CAP, "spread.within": within, "spread.agents": agents,
            "spread.contexts": contexts, "spread.noise": noise, "spread.seed": SEEDS[seed]}
    (folder / "config.json").write_text("{}", encoding="utf-8")
    sets = [word for key, value in keys.items() for word in ("--set", f"{key}={value}")]
    subprocess.run([program, "cell", folder / "config.json", "--export", folder / "cell", "--force", *sets],
                   check=True, stderr=subprocess.DEVNULL)
    cell = json.loads((folder / "cell" / "cell.json").read_text(encoding="utf-8"))
    q, clipped = pool.spread(within, agents, contexts, noise, SEEDS[seed])
    hardest = sorted(np.argsort(-pool.difficulty(q), kind="stable")[:HARD])
    assert [pool.contexts[i] for i in hardest] == cell["contexts"], f"{setting}: other hardest contexts"
    assert cell["draws"] == 2
    ours = np.concatenate([pool.target(q, i, cell["draws"], sharpened) for i in hardest])
    theirs = np.loadtxt(folder / "cell" / "target.csv", delimiter=",", skiprows=1)[:, -1]
    difference = float(np.max(np.abs(ours - theirs)))
    print(f"{setting}, {keys['reward.map']}: largest difference {difference:.1e}, clipped {clipped:.3f}")
    return difference


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    shutil.rmtree(folder / "pool", ignore_errors=True)
    pool = make_pool(program, folder / "pool")
    worst = max(check(program, folder, pool, setting, sharpened)
                for setting in SETTINGS for sharpened in (False, True))
    sys.exit(not worst <= TOLERANCE)


main()
