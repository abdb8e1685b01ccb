/* Features of texts: hashed words, TF-IDF. */
#ifndef REGRET_TEXT_H
#define REGRET_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "regret/design.h"
#include "regret/status.h"

/* From text to numbers: tokens, hashed features φ(x, m) and text statistics of outputs.
 *
 * Tokens. A text is first brought to NFKC_Casefold (Unicode TR 31: compatibility composition, full
 * case folding, invisible characters dropped). A token is then a maximal run of letters (general
 * category L), digits and other numbers (N) and marks (M), with three refinements [C]:
 *   - an apostrophe (' or U+2019, both written ') between two letters or marks stays: "don't";
 *   - a point or comma between two digits stays: "3.14", "1,234";
 *   - a Han ideograph or a hiragana is a token of its own; other scripts written without spaces
 * give one token a run. No stop words are removed here. A token is known by the XXH3 64-bit hash
 * (seed 0) of its UTF-8 bytes. */

/* What tokens alone do not tell about a text. */
struct regret_text_shape {
    size_t characters;  /* code points other than white space, after folding */
    size_t punctuation; /* of these, punctuation and symbols (categories P and S) */
    size_t lines;       /* lines with a character that is not white space */
    size_t sentences;   /* runs of tokens ended by . ! ? and then white space (closing quotes and
                           brackets may stand between), by an ideographic full stop, by a blank line
                           or by the end of the text [C] */
    size_t lead_tokens; /* tokens in the first three sentences */
};

/* Texts cut into tokens. Text i has tokens start[i] .. start[i + 1] - 1. */
struct regret_tokens {
    size_t n_texts;
    size_t *start;                   /* n_texts + 1 offsets; owned */
    uint64_t *hash;                  /* one a token; owned */
    uint8_t *is_number;              /* one a token: 1 when it begins with a decimal digit; owned */
    struct regret_text_shape *shape; /* one a text; owned */
};

/* Cuts n texts (UTF-8; NULL counts as empty). REGRET_E_INPUT names a text that is not UTF-8. Linear
 * in the bytes. */
REGRET_API int regret_tokens_build(struct regret_tokens **out, const char *const *texts, size_t n);
REGRET_API void regret_tokens_free(struct regret_tokens *tokens); /* NULL is fine */

/* Raw term counts of a set of documents. */
struct regret_terms {
    struct regret_csr *counts; /* documents x terms; owned */
    uint64_t *hash; /* one a term: the token's hash, or XXH3 of the 16 little-endian bytes of the
                       two hashes of a bigram; owned */
};

struct regret_terms_options {
    int bigrams;         /* count pairs of neighbours as well */
    int keep_stop_words; /* count the English function words too */
};
#define REGRET_TERMS_OPTIONS_INIT                                                                  \
    {                                                                                              \
        1, 0                                                                                       \
    }

/* Counts the terms of all texts. Stop words go first, then neighbours among the remaining tokens
 * form bigrams. Columns are numbered by first appearance: text by text, token by token, a token
 * before the bigram it begins. Linear in the tokens. */
REGRET_API int regret_terms_build(struct regret_terms **out, const struct regret_tokens *tokens,
                                  const struct regret_terms_options *options);
REGRET_API void regret_terms_free(struct regret_terms *terms); /* NULL is fine */

/* Length of the first `most` bytes of a text, less what they hold of a character that they cut in two;
 * that of the whole text when `most` is 0 or not less. The text is valid UTF-8. */
REGRET_API size_t regret_text_cut(const char *text, size_t most);

/* The pairs (x, m(x,a)) that features and statistics are made of. All arrays are borrowed. */
struct regret_pairs {
    size_t n_pairs;
    const struct regret_tokens *contexts; /* every context once */
    const struct regret_tokens *outputs;  /* n_pairs texts, output i belongs to pair i */
    const uint32_t *context;              /* n_pairs indices into contexts */
    const uint32_t *agent;                /* n_pairs indices; may be NULL when no agent is wanted */
    size_t n_agents;                      /* all indices are below it */
    /* The texts themselves, for patch features; may be NULL when none are wanted. */
    const char *const *output_texts;  /* n_pairs */
    const char *const *context_texts; /* one a context */
    /* What is known of a context besides its text; each may be NULL when it is not wanted. */
    const uint32_t *tag;              /* one a context */
    size_t n_tags;                    /* all of them are below it */
    const struct regret_csr *columns; /* contexts x covariates: numbers, and words one-hot */
};

/* Scale of each namespace; 0 leaves it out. */
struct regret_feature_options {
    size_t buckets; /* D, a power of two from 2 to 2^30 */
    double output;  /* uni- and bigrams of the output */
    double context; /* uni- and bigrams of the context */
    double overlap; /* output tokens marked in or out of the context */
    double shape;   /* bucketed measures of the output, see below */
    double patch;   /* outputs read as unified diffs, contexts as issues; off by default */
    /* Off by default, each a block of columns of its own (regret_feature_blocks()): */
    double agent;         /* one-hot agent */
    double tag;           /* one-hot tag of the context */
    double agent_tag;     /* one-hot agent x tag */
    double columns;       /* covariates of the context */
    double agent_columns; /* agent x covariates of the context */
    double agent_words;   /* agent x uni- and bigrams of the context */
    uint64_t seed;        /* of the hash */
};
#define REGRET_FEATURE_OPTIONS_INIT                                                                \
    {                                                                                              \
        (size_t)1 << 14, 1.0, 0.3, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0                  \
    }

/* The blocks that the columns of φ are made of, in their order. */
enum regret_feature_block_place {
    REGRET_BLOCK_BUCKETS,       /* all that is hashed of output and context: D columns */
    REGRET_BLOCK_AGENT,         /* column a: agent a */
    REGRET_BLOCK_TAG,           /* column t: tag t */
    REGRET_BLOCK_AGENT_TAG,     /* column a n_tags + t */
    REGRET_BLOCK_COLUMNS,       /* column j: covariate j */
    REGRET_BLOCK_AGENT_COLUMNS, /* column a n_columns + j */
    REGRET_BLOCK_AGENT_WORDS,   /* D buckets */
    REGRET_FEATURE_BLOCKS
};
struct regret_feature_block {
    const char *name; /* "buckets", "agent", "tag", "agent_tag", …; static */
    size_t first;     /* its first column */
    size_t columns;   /* how many it has; 0: it is off, or there is nothing that it could hold */
};

/* Where each block stands for options and a grid of so many agents, tags and covariates; returns the number of all
 * columns. It depends on nothing else, so that features of new contexts can be laid out like those that a
 * model was fitted on. */
REGRET_API size_t regret_feature_blocks(struct regret_feature_block out[REGRET_FEATURE_BLOCKS],
                                        const struct regret_feature_options *options,
                                        size_t n_agents, size_t n_tags, size_t n_columns);

/* clang-format off */

/* φ (protocol §4): n_pairs x the columns of regret_feature_blocks(). Of the blocks behind the buckets no
 * word of an output shares a column, so that ridge shrinks each by ρ / scale²:
 *   agent, tag, agent_tag    the scale in the column of the pair's agent, its context's tag, both
 *   columns, agent_columns   the scale times the context's covariates, in the columns of the agent
 *   agent_words              the namespace "agent-words" of the context's uni- and bigrams, in D buckets of its
 *                            own, its seed being that of the agent: XXH3_64(the agent's number in
 *                            4 bytes, seed = that of the namespace). Inner products, which are all that ridge sees,
 *                            are off by about 1/√D by collisions, whatever the number of agents.
 * Every namespace is a bag of keys; a key goes to the bucket given
 * by the low log2(D) bits of h and counts with sign − when the top bit of h is set, where
 *   h = XXH3_64(key, seed = XXH3_64(name of the namespace, seed = options->seed)).
 * Each namespace's bucket vector is divided by its Euclidean norm, multiplied by its scale, and
 * added to the row. Keys (numbers little-endian):
 *   output, context   the token's hash (8 bytes); for a bigram the two hashes (16 bytes); bigrams
 *                     run over the whole text
 *   overlap           the token's hash and a byte, 1 when the token occurs in the context, else 0
 *   shape             the texts length=k, sentences=k, lines=k (k = ⌊2 log2(1 + count)⌋),
 *                     compression=k (the same of the compression ratio), punctuation=k
 *                     (k = min(⌊50 rate⌋, 20)), novelty=k, repetition=k (k = ⌊10 share⌋), the
 *                     measures being those of regret_text_statistics()
 * and with `patch`, its scale holding for each of the six (src/text/patch.h says what a patch
 * is; h() is the token hash of a text, an identifier and its words being as in focus there, but
 * nothing is excluded):
 *   patch-path        of each file: "d" h(folder), "f" h(name), "x" h(extension), "w" h(word)
 *   patch-added       of the added lines: "i" h(identifier), "w" h(word)
 *   patch-removed     the same of the removed lines
 *   patch-hunk        the same of the hunks' sections
 *   patch-issue       "i" or "w", h(·) and a byte, 1 when the issue has it, else 0: the distinct
 *                     identifiers and words of paths and changed lines, without those that focus
 *                     excludes
 *   patch-shape       the texts NAME=k for the statistics of src/text/patch.h: counts with
 *                     k = ⌊2 log2(1 + count)⌋, shares with k = ⌊10 share⌋, gap=k with k = ⌊log_gap⌋
 * `tf` weighs the occurrences of a key before they are summed in buckets. Errors: REGRET_E_INPUT for
 * bad options or indices, or a block of what the pairs do not have. Every context is prepared once, whatever the number of its pairs. */

/* clang-format on */
REGRET_API int regret_features_build(struct regret_csr **out, const struct regret_pairs *pairs,
                                     const struct regret_feature_options *options);

/* Text statistics of an output seen beside its context, a matrix of n_pairs x REGRET_STATISTICS:
 *   words                 tokens of the output, n
 *   log_words             ln(1 + n)
 *   sentences
 *   mean_sentence_words   n / sentences
 *   compression           tokens of the context / max(n, 1)          (Grusky et al., eq. 3)
 *   novel_tokens          share of the output's tokens that the context lacks
 *   novel_bigrams         share of its bigrams that the context lacks
 *   unmatched_numbers     count of its number tokens that the context lacks
 *   repetition            1 − distinct tokens / n
 *   punctuation           share of punctuation and symbols among its characters
 *   fragment_coverage     share of its tokens inside copied fragments (eq. 1)
 *   fragment_density      mean squared length of copied fragments, Σ|f|²/n (eq. 2)
 *   lead_overlap          share of its tokens that occur in the context's first three sentences
 * Shares of an empty set are 0. Fragments are found greedily from left to right as in Grusky,
 * Naaman and Artzi, "Newsroom", NAACL 2018, doi:10.18653/v1/N18-1065. */
enum { REGRET_STATISTICS = 13 };
REGRET_API int regret_text_statistics(double *out, const struct regret_pairs *pairs);
/* The name of column j above; NULL when j >= REGRET_STATISTICS. */
REGRET_API const char *regret_text_statistic_name(size_t j);

/* TF-IDF over unigrams and bigrams, and its truncated SVD (protocol §4).
 *
 * The work is split in two. Once a pool, regret_terms_build() counts the terms of every document.
 * Once a replicate, regret_tfidf_fit() chooses a vocabulary and its idf from the documents of that
 * replicate's sample, given as multiplicities, without looking at a text again. */

struct regret_tfidf_options {
    size_t max_terms; /* at most this many terms, by total weighted count */
};
#define REGRET_TFIDF_OPTIONS_INIT                                                                  \
    {                                                                                              \
        50000                                                                                      \
    }

/* A fitted vocabulary. */
struct regret_tfidf {
    size_t n_all;        /* columns of the term counts it was fitted on */
    size_t n_terms;      /* vocabulary size */
    uint32_t *column_of; /* n_all: a term's column, UINT32_MAX when it is not in; owned */
    double *idf;         /* n_terms; owned */
};

/* Fits on document i with multiplicity row_weight[i] >= 0 (0: not in the sample; NULL: all one).
 * With N = Σw and df = Σ of w over the documents that have the term: the vocabulary is the terms
 * with df > 0, at most max_terms of them by Σ w·count (ties: lower column), in ascending column
 * order; idf = ln((1 + N)/(1 + df)) + 1 (the smooth idf of scikit-learn). A weight of w equals the
 * document w times. O(entries + terms log terms). REGRET_E_INPUT: no positive weight, max_terms 0.
 */
REGRET_API int regret_tfidf_fit(struct regret_tfidf **out, const struct regret_terms *terms,
                                const double *row_weight,
                                const struct regret_tfidf_options *options);
/* count · idf with rows of Euclidean length one (or zero), for every document of `terms`, in the
 * sample or not: documents x n_terms. `terms` must be what the vocabulary was fitted on. */
REGRET_API int regret_tfidf_transform(struct regret_csr **out, const struct regret_tfidf *tfidf,
                                      const struct regret_terms *terms);
REGRET_API void regret_tfidf_free(struct regret_tfidf *tfidf); /* NULL is fine */

/* TF-IDF, SVD and projection in one: all documents as rows of out (documents x svd->rank columns;
 * room for `svd->rank`, the columns past *actual_rank are zero). Vocabulary, idf and V come from
 * the weighted documents. Not centred, not standardised. */
REGRET_API int regret_tfidf_svd(double *out, size_t *actual_rank, const struct regret_terms *terms,
                                const double *row_weight, const struct regret_tfidf_options *tfidf,
                                const struct regret_svd_options *svd);

struct regret_embed_options {
    size_t max_fit; /* fit on at most this many texts, drawn by the seed */
    struct regret_terms_options terms;
    struct regret_tfidf_options tfidf;
    struct regret_svd_options
        svd;         /* rank 8 for the logging policy's e(x), 50 for the controlled world's */
    int standardise; /* each column by its mean and deviation over the fitted texts */
    uint64_t seed;   /* of the sample: stream (seed, REGRET_RNG_SVD, 1) */
};
#define REGRET_EMBED_OPTIONS_INIT                                                                  \
    {                                                                                              \
        5000, REGRET_TERMS_OPTIONS_INIT, REGRET_TFIDF_OPTIONS_INIT, REGRET_SVD_OPTIONS_INIT, 1, 0  \
    }

/* The context embedding e(x): out is n x options->svd.rank, columns past *actual_rank zero. Fitted
 * on the texts whose indices are fit_rows[0..n_fit) (all texts when fit_rows is NULL); when they
 * are more than max_fit, on a random max_fit of them. An index named twice counts twice. */
REGRET_API int regret_embed_texts(double *out, size_t *actual_rank, const char *const *texts,
                                  size_t n, const size_t *fit_rows, size_t n_fit,
                                  const struct regret_embed_options *options);

/* w(x), directions of the contexts' words that keep their lengths, for families that cross them with agents (protocol §5): the
 * leading REGRET_WORDS_RANK of e(x), not standardised, each less its mean over all texts, all by one factor so that the
 * mean of |w(x)|² is one. *out is n x REGRET_WORDS_RANK, column-major, to be freed with regret_free(). */
enum { REGRET_WORDS_RANK = 32 };
REGRET_API int regret_embed_words(double **out, size_t *actual_rank, const char *const *texts,
                                  size_t n);

/* Which texts hold which words: words × n, 1 where one is held. Words, but for English function words, that at least five texts
 * and one in a hundred hold, and as many lack, by first appearance. Linear in the tokens. Free with regret_csr_free(). *names
 * (NULL: not wanted) gets an array of the words, folded, each to be freed with regret_free() and then itself. */
REGRET_API int regret_common_words(struct regret_csr **out, char ***names, const char *const *texts,
                                   size_t n);

#endif
