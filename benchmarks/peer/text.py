#!/usr/bin/env python3
"""Text features, TF-IDF and SVD beside scikit-learn: text.py BENCH_PEER POOL [TEXTS [RUNS [THREADS]]]

BENCH_PEER is build/release/benchmarks/bench-peer, POOL a folder with outputs.jsonl (regret pool synth
newswire --articles 250 -o POOL writes one). The stages take turns, RUNS (5) times; what counts is
processor time, on one thread; with THREADS, hashing also takes its turn on so many, by the clock.

  hashing  HashingVectorizer, uni- and bigrams, 2^14 columns
  tfidf    TfidfVectorizer, uni- and bigrams, English stop words, 50,000 terms
  svd      TruncatedSVD, 50 components, of one and the same matrix: ARPACK and randomised

What can be checked is: the TF-IDF matrix of a vectoriser that cuts words as regret does, as inner products
of rows, since the columns are in another order; singular values and projections of the SVD.
"""

import re
import sys
import tempfile

from peer import interleave, ours, pool_texts, report, require, text_file, timed

numpy, mmread, text, decomposition = require("numpy", "scipy.io", "sklearn.feature_extraction.text",
                                             "sklearn.decomposition")
RANK = 50
# The rules of include/regret/text.h for ASCII.
TOKEN = re.compile(r"(?:[a-z]|[0-9]|(?<=[a-z])'(?=[a-z])|(?<=[0-9])[.,](?=[0-9]))+")


def terms(document):
    tokens = TOKEN.findall(document.lower())
    return tokens + [" ".join(pair) for pair in zip(tokens, tokens[1:])]


def matrix_of(program, path, *options):
    with tempfile.NamedTemporaryFile(suffix=".mtx") as file:
        ours(program, "tfidf", path, file.name, *options)
        return mmread.mmread(file.name).tocsr()


def check_tfidf(program, texts):
    plain = [t for t in texts if t.isascii()][:1000]
    with text_file(plain) as file:
        mine = matrix_of(program, file.name, "all")
    theirs = text.TfidfVectorizer(analyzer=terms).fit_transform(plain)
    if mine.shape[1] > 49999:
        print("  not compared: more terms than are kept")
        return
    apart = abs((mine @ mine.T - theirs @ theirs.T)).max()
    print(f"  {len(plain)} ASCII texts: {mine.shape[1]} and {theirs.shape[1]} terms, inner products within "
          f"{apart:.1e}")
    if mine.shape != theirs.shape or apart > 1e-12:
        sys.exit("the TF-IDF matrices differ")


def check_svd(program, path, matrix, rivals):
    with tempfile.NamedTemporaryFile(suffix=".csv") as file:
        ours(program, "svd", path, RANK, file.name)
        values = numpy.loadtxt(file.name, delimiter=",")
    singular, rows = values[0], values[1:]
    for name, svd in rivals.items():
        theirs = numpy.linalg.norm(svd.transform(matrix), axis=0)
        short = 1 - svd.singular_values_ / singular
        angle = numpy.linalg.norm(matrix @ svd.components_.T, axis=0)  # of what both span
        overlap = numpy.linalg.svd((rows / singular).T @ (matrix @ svd.components_.T / angle))[1]
        print(f"  {name}: singular values lower by at most {short.max():.1e}, higher by {-short.min():.1e}; "
              f"smallest cosine between the spaces 1 - {1 - overlap.min():.1e}")
        assert len(theirs) == RANK
    if abs(1 - rivals["ARPACK"].singular_values_ / singular).max() > 1e-10:
        sys.exit("the singular values differ from ARPACK's")


def main():
    program, folder = sys.argv[1:3]
    texts = pool_texts(folder, int(sys.argv[3]) if len(sys.argv) > 3 else -1)
    runs = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    print(f"{len(texts)} texts, {1e-6 * sum(len(t.encode()) for t in texts):.1f} MB")
    hashing = text.HashingVectorizer(ngram_range=(1, 2), n_features=2**14)

    def tfidf():
        text.TfidfVectorizer(ngram_range=(1, 2), stop_words="english", max_features=50000).fit_transform(texts)

    with text_file(texts) as file:
        turns = {"regret": lambda: ours(program, "hashing", file.name),
                 "scikit-learn": lambda: timed(lambda: hashing.transform(texts))}
        if len(sys.argv) > 5:
            turns[f"regret, {sys.argv[5]} threads"] = lambda: ours(program, "hashing", file.name, sys.argv[5])
        report("hashing", interleave(runs, turns))
        if len(sys.argv) > 5:
            return
        report("tfidf", interleave(runs, {"regret": lambda: ours(program, "tfidf", file.name),
                                          "scikit-learn": lambda: timed(tfidf)}))
        check_tfidf(program, texts)
        matrix = matrix_of(program, file.name)
        rivals = {"ARPACK": decomposition.TruncatedSVD(RANK, algorithm="arpack"),
                  "randomised": decomposition.TruncatedSVD(RANK)}
        turns = {"regret": lambda: ours(program, "svd", file.name, RANK)}
        for name, svd in rivals.items():
            turns[name] = lambda svd=svd: timed(lambda: svd.fit_transform(matrix))
        report(f"svd, rank {RANK} of {matrix.shape[0]} x {matrix.shape[1]}, {matrix.nnz} entries",
               interleave(runs, turns))
        check_svd(program, file.name, matrix, rivals)


if __name__ == "__main__":
    main()
