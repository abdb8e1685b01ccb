"""benchmarks/make_patches.py: the same bytes twice, a pool that regret takes, and success as Python itself has it.

    check_patches.py SOURCE PROGRAM

Every distinct patch of a small pool is applied to the faulty project on disk (by git where it is installed), and the
hidden tests are run by a Python of their own, which knows nothing of the script's steps and built-ins. The committed pool
of an earlier generator has the bytes that results were published with.
"""
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile

SOURCE, PROGRAM = sys.argv[1:]
sys.path.insert(0, os.path.join(SOURCE, "benchmarks"))
sys.dont_write_bytecode = True
import make_patches  # noqa: E402

SEED, ISSUES, DRAWS = 3, 6, 2
COMMITTED = {
    "contexts.jsonl": "198907be62afe04e68ea21f32cd0af96a28a9a39e9145de62aa2088b631d83ed",
    "outputs.jsonl": "c004b1d8ac337be1ce48bf2435c1d78a1c5e330dee7577f01d062dce542d4151",
    "pool.json": "373c475a594f1da79ece3a469159f7d7c545228af21894b740eda031df3052d2",
}
RUNNER = """import json, sys
sys.path.insert(0, ".")
from {module} import {name}
wanted = json.load(sys.stdin)
sys.exit(any(repr(eval(call)) != result for call, result in wanted))
"""


def make(folder, *options):
    subprocess.run([sys.executable, os.path.join(SOURCE, "benchmarks", "make_patches.py"), "-o", folder, "--regret", PROGRAM,
                    "--seed", str(SEED), *options], check=True, capture_output=True)


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def succeeds(issue, text, folder):
    """What the hidden tests say of the patched project."""
    for path, lines in issue.faulty.items():
        os.makedirs(os.path.dirname(os.path.join(folder, path)) or folder, exist_ok=True)
        with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line in lines))
    if text and shutil.which("git"):
        subprocess.run(["git", "apply", "--whitespace=nowarn", "-"], input=text.encode(), cwd=folder, check=True,
                       env={**os.environ, "GIT_CEILING_DIRECTORIES": os.path.dirname(folder)})
        theirs = {path: read(folder, path).decode().split("\n")[:-1] for path in make_patches.applied(issue.faulty, text)}
        assert theirs == make_patches.applied(issue.faulty, text), f"{issue.id}: git applies another patch\n{text}"
    runner = RUNNER.format(module=issue.path[:-3].replace("/", "."), name=issue.name)
    wanted = json.dumps(list(zip(issue.calls, issue.expected)))
    try:
        return subprocess.run([sys.executable, "-c", runner], input=wanted.encode(), cwd=folder, capture_output=True,
                              timeout=10, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def main():
    for name, digest in COMMITTED.items():
        got = hashlib.sha256(read(SOURCE, "data", "pools", "patches", name)).hexdigest()
        assert got == digest, f"data/pools/patches/{name} has other bytes than those published: {got}"
    with tempfile.TemporaryDirectory() as work:
        pools = [os.path.join(work, name) for name in ("one", "two", "small")]
        for pool in pools[:2]:
            make(pool, "--issues", str(ISSUES), "--draws", str(DRAWS))
        make(pools[2], "--issues", "2")
        for name in sorted(os.listdir(pools[0])):
            assert read(pools[0], name) == read(pools[1], name), f"{name} differs when it is made again"
        subprocess.run([PROGRAM, "pool", "validate", *pools], check=True)
        assert read(pools[0], "contexts.jsonl").startswith(read(pools[2], "contexts.jsonl"))
        outputs = [json.loads(line) for line in read(pools[0], "outputs.jsonl").splitlines()]
        small = [json.loads(line) for line in read(pools[2], "outputs.jsonl").splitlines()]
        assert [o for o in outputs if o["context"] < "patches-00002" and o["draw"] == 0] == small
        corpus, seen, passed = make_patches.read_corpus(), {}, 0
        for index in range(ISSUES):
            issue = make_patches.Issue(corpus, SEED, index)
            for output in [o for o in outputs if o["context"] == issue.id]:
                key = issue.id, output["text"]
                if key not in seen:
                    folder = os.path.join(work, f"run-{len(seen)}")
                    os.mkdir(folder)
                    seen[key] = succeeds(issue, output["text"], folder)
                assert output["components"]["success"] == seen[key], f"{key}: Python says {seen[key]}"
                passed += seen[key]
            assert not seen.get((issue.id, ""), False), f"{issue.id}: nothing to fix"
        assert ISSUES < passed < len(outputs) - ISSUES, f"{passed} of {len(outputs)} patches pass"
    print(f"{len(outputs)} outputs, {len(seen)} patches run, {passed} of the outputs pass")


main()
