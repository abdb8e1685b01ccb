#!/usr/bin/env python3
"""The metrics of a map recomputed from the words of their standards, with Python's own strings and regular expressions.

Usage: check_metrics.py REGRET FOLDER

What the standards say: SQuAD's evaluate-v2.0.py; rouge-score 0.1.2 (tokenize.py, rouge_scorer.py); sacrebleu 2
(tokenizers/tokenizer_13a.py and tokenizer_re.py, metrics/bleu.py, metrics/chrf.py). Everything here is the slowest that is right:
counters of tuples, the table of a longest common subsequence. It first has to give what the tests of those
packages expect.
"""

import json
import math
import pathlib
import random
import re
import string
import subprocess
import sys
from collections import Counter

PUNCTUATION = set(string.punctuation)


def ngrams(units, n):
    return Counter(tuple(units[i:i + n]) for i in range(len(units) - n + 1))


def f(p, r, beta=1):
    return (1 + beta**2) * p * r / (beta**2 * p + r) if p + r else 0.0


def f1(a, b, n=1):
    x, y = ngrams(a, n), ngrams(b, n)
    c = sum((x & y).values())
    return f(c / max(1, x.total()), c / max(1, y.total()))


def answer(text):
    text = "".join(c for c in text.lower() if c not in PUNCTUATION)
    return re.sub(r"\b(a|an|the)\b", " ", text).split()


def rouge_words(text):
    return re.sub("[^a-z0-9]+", " ", text.lower()).split()


def rouge_l(a, b):
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            table[i + 1][j + 1] = table[i][j] + 1 if x == y else max(table[i][j + 1], table[i + 1][j])
    return f(table[-1][-1] / max(1, len(a)), table[-1][-1] / max(1, len(b)))


def mteval(text):
    text = text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, sign in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(entity, sign)
    signs = "".join(sorted(PUNCTUATION - set("',-.")))
    text = re.sub(f"([{re.escape(signs)}])", r" \1 ", f" {text} ")
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
    return re.sub(r"([0-9])(-)", r"\1 \2 ", text).split()


def bleu(output, reference):
    a, b = mteval(output), mteval(reference)
    logs, smooth, orders, any_common = 0.0, 1, 0, False
    for n in range(1, 5):
        x, y = ngrams(a, n), ngrams(b, n)
        if x.total():
            common = sum((x & y).values())
            smooth *= 1 if common else 2
            logs += math.log((common or 1 / smooth) / x.total())
            orders, any_common = n, any_common or common > 0
    return math.exp(min(0, 1 - len(b) / len(a)) + logs / orders) if any_common else 0.0


def chrf_words(text):
    words = []
    for w in text.split():
        if len(w) > 1 and w[-1] in PUNCTUATION:
            words += [w[:-1], w[-1]]
        elif len(w) > 1 and w[0] in PUNCTUATION:
            words += [w[0], w[1:]]
        else:
            words.append(w)
    return words


def chrf(output, reference, word_order=0):
    precisions, recalls = [], []
    for cut, order in ((lambda t: list("".join(t.split())), 6), (chrf_words, word_order)):
        for n in range(1, order + 1):
            x, y = ngrams(cut(output), n), ngrams(cut(reference), n)
            if x and y:
                common = sum((x & y).values())
                precisions.append(common / x.total())
                recalls.append(common / y.total())
    k = max(1, len(precisions))
    return f(sum(precisions) / k, sum(recalls) / k, 2)


METRICS = {
    "exact": lambda a, b: float(a == b),
    "exact-squad": lambda a, b: float(answer(a) == answer(b)),
    "f1": lambda a, b: f1(answer(a), answer(b)) if answer(a) or answer(b) else 1.0,
    "rouge-1": lambda a, b: f1(rouge_words(a), rouge_words(b)),
    "rouge-2": lambda a, b: f1(rouge_words(a), rouge_words(b), 2),
    "rouge-l": lambda a, b: rouge_l(rouge_words(a), rouge_words(b)),
    "chrf": chrf,
    "chrf++": lambda a, b: chrf(a, b, 2),
    "bleu": bleu,
}


def check_published():
    """sacrebleu 2: test/test_sentence_bleu.py, test/test_chrf.py (β = 3 and no smoothing there; those of one order
    fulfilled do not depend on β); rouge-score: rouge_scorer_test.py."""
    a = "Producția de zahăr primă va fi exprimată în ceea ce privește zahărul alb;"
    b = "producţia de zahăr brut se exprimă în zahăr alb;"
    assert abs(100 * bleu(a, b) - 8.493) < 1e-3 and bleu("this is a cat", "okay thanks") == 0
    for x, y, value in (("a", "a", 100), ("", "reference", 0), ("a b c", "abc", 100), ("aa", "ab", 25)):
        assert abs(100 * chrf(x, y) - value) < 1e-4, (x, y)
    for metric, value in (("rouge-1", 4 / 5), ("rouge-2", 2 / 3), ("rouge-l", 4 / 5)):
        assert abs(METRICS[metric]("testing one", "testing one two") - value) < 1e-12


def texts(seed):
    """Pairs of made texts: words shared and not, repeats, punctuation, entities, scripts, nothing at all."""
    random.seed(seed)
    words = ("the a an The cat, sat. on 3.14 1,000 10-20 mat! don't (x) U.S. e.g. &amp; &lt;b&gt; <skipped> ... -- _ "
             "Ωδή ΣΟΦΟΣ σοφός İstanbul naïve na\u0308ive 東京都 は 日本 한국어 ½ ² Straße ﬁne K é a\u0300 '' \"q\" x,y .5 5. ,,").split()
    blanks = [" ", "  ", "\n", "\u00a0", "\t", "-\n", "\u3000", "\u2009"]
    for _ in range(400):
        pool = random.sample(words, random.randint(1, 12))
        yield tuple("".join(random.choice(pool) + random.choice(blanks[:random.choice((1, 8))])
                            for _ in range(random.choice((0, 1, 2, 5, 12, 80)))) for _ in range(2))


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    check_published()
    pairs = list(texts(1)) + [("word " * 3000, "word other " * 900)]
    pairs = [(a, b) for a, b in pairs if b.strip()]  # a reference without a letter is none
    rows = [{"id": f"c{i}", "text": "x", "agent": "m", "output": a, "gold": b, "right": i % 3 == 0}
            for i, (a, b) in enumerate(pairs)]
    for draw in range(7):
        rows.append({"id": "draws", "text": "x", "agent": "m", "output": "b", "gold": "b", "right": draw < 2})
    rows = [dict(r) for r in rows]
    (folder / "table.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    table_map = {"name": "metrics", "synthetic": True,
                 "columns": {"context": "id", "text": "text", "agent": "agent", "output": "output", "reference": "gold"},
                 "components": [{"name": m.replace("+", "p"), "metric": m} for m in METRICS]
                 + [{"name": "pass", "from": "right", "pass_at": 1}]}
    (folder / "map.json").write_text(json.dumps(table_map))
    subprocess.run([program, "import", "jsonl", folder / "table.jsonl", "--map", folder / "map.json", "--repeats", "draws",
                    "-o", folder / "pool", "--force"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    outputs = [json.loads(line) for line in (folder / "pool/outputs.jsonl").read_text(encoding="utf-8").splitlines()]
    worst = 0.0
    by_id = {o["context"]: o for o in outputs}
    for i, (a, b) in enumerate(pairs):
        for metric, score in METRICS.items():
            got, want = by_id[f"c{i}"]["components"][metric.replace("+", "p")], score(a, b)
            assert abs(got - want) < 1e-12, f"{metric} of {a!r} against {b!r}: {got}, not {want}"
            worst = max(worst, abs(got - want))
    assert all(abs(o["components"]["pass"] - 2 / 7) < 1e-15 for o in outputs if o["context"] == "draws")
    print(f"{len(pairs)} pairs by {len(METRICS)} metrics are the standards' (largest difference {worst:.1e})")


main()
