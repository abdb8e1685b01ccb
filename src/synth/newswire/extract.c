/* The extractive systems, run on the words of the article.
 *
 * TextRank (Mihalcea and Tarau, EMNLP 2004): PageRank over word overlap, |common| / (log|a| +
 * log|b|).
 *
 * Continuous LexRank (Erkan and Radev, JAIR 2004, doi:10.1613/jair.1523): PageRank over tf-idf
 * cosines, without the threshold, which would leave a short article few edges.
 *
 * SumBasic (Nenkova and Vanderwende, MSR-TR-2005-101): mean word probability, squared once used.
 *
 * Logarithms are fixed-point integers and scores are rounded to 1e-9 before they are compared, so
 * that every machine chooses the same sentences; ties go to the earlier one. */
#include <math.h>

#include "synth/newswire/agents.h"

enum {
    MAX_WORDS = 512, /* different words of an article */
    LEAD_SENTENCES = 3,
    TEXTRANK_SENTENCES = 4,
    LEXRANK_SENTENCES = 3,
    SUMBASIC_WORDS = 100,
    ROUNDS = 60
};

static const double DAMPING = 0.85;

struct matrix {
    double at[NEWSWIRE_MAX_SENTENCES][NEWSWIRE_MAX_SENTENCES];
};

/* Which content words each sentence has; words numbered by first use. */
struct bags {
    size_t n, n_words;
    uint64_t hash[MAX_WORDS];
    unsigned sentences_with[MAX_WORDS];
    unsigned uses[MAX_WORDS];
    unsigned total;
    unsigned size[NEWSWIRE_MAX_SENTENCES]; /* content words with repetition */
    unsigned char count[NEWSWIRE_MAX_SENTENCES][MAX_WORDS];
};

/* log2(n) in units of 2^-16, n >= 1, by repeated squaring. */
static uint32_t log2_fixed(uint32_t n)
{
    uint32_t whole = 0, result;
    uint64_t x = (uint64_t)n << 30;
    while (n > 1) {
        n >>= 1;
        whole++;
    }
    x >>= whole; /* in [1, 2) with 30 fractional bits */
    result = whole << 16;
    for (uint32_t bit = 1U << 15; bit > 0; bit >>= 1) {
        x = x * x >> 30;
        if (x >= UINT64_C(2) << 30) {
            result |= bit;
            x >>= 1;
        }
    }
    return result;
}

static size_t word_index(struct bags *b, uint64_t hash)
{
    size_t i = 0;
    while (i < b->n_words && b->hash[i] != hash) {
        i++;
    }
    if (i == b->n_words && b->n_words < MAX_WORDS) {
        b->hash[b->n_words++] = hash;
    }
    return i;
}

static void fill_bags(struct bags *b, const struct newswire_article *a)
{
    size_t s = 0;
    b->n = a->n_sentences;
    for (size_t t = 0; t < a->tokens.count; t++) {
        const struct newswire_token *token = &a->tokens.items[t];
        while (s < b->n && token->start >= a->sentences[s].end) {
            s++;
        }
        if (s == b->n || token->start < a->sentences[s].start || token->stop) {
            continue;
        }
        size_t w = word_index(b, token->hash);
        if (w == MAX_WORDS) {
            continue;
        }
        b->sentences_with[w] += b->count[s][w] == 0;
        b->count[s][w]++;
        b->uses[w]++;
        b->size[s]++;
        b->total++;
    }
}

static double textrank_weight(const struct bags *b, size_t i, size_t j)
{
    unsigned common = 0;
    for (size_t w = 0; w < b->n_words; w++) {
        common += b->count[i][w] > 0 && b->count[j][w] > 0;
    }
    if (b->size[i] == 0 || b->size[j] == 0) {
        return 0.0;
    }
    uint32_t logs = log2_fixed(b->size[i]) + log2_fixed(b->size[j]);
    return logs > 0 ? (double)common * 65536.0 / logs : 0.0;
}

static double lexrank_weight(const struct bags *b, size_t i, size_t j)
{
    double dot = 0.0, ii = 0.0, jj = 0.0;
    for (size_t w = 0; w < b->n_words; w++) {
        uint32_t log_n = log2_fixed((uint32_t)b->n), log_w = log2_fixed(b->sentences_with[w]);
        double idf = (double)(log_n - log_w) / 65536.0;
        double x = b->count[i][w] * idf, y = b->count[j][w] * idf;
        dot += x * y;
        ii += x * x;
        jj += y * y;
    }
    if (ii <= 0.0 || jj <= 0.0) {
        return 0.0;
    }
    return dot / (sqrt(ii) * sqrt(jj));
}

static void page_rank(double score[NEWSWIRE_MAX_SENTENCES], const struct matrix *weights, size_t n)
{
    double out[NEWSWIRE_MAX_SENTENCES] = {0}, next[NEWSWIRE_MAX_SENTENCES];
    for (size_t i = 0; i < n; i++) {
        score[i] = 1.0;
        for (size_t j = 0; j < n; j++) {
            out[i] += weights->at[i][j];
        }
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < n; i++) {
            next[i] = 1.0 - DAMPING;
            for (size_t j = 0; j < n; j++) {
                if (out[j] > 0.0) {
                    next[i] += DAMPING * weights->at[j][i] / out[j] * score[j];
                }
            }
        }
        for (size_t i = 0; i < n; i++) {
            score[i] = next[i];
        }
    }
}

/* The best `want` sentences. */
static uint64_t best(const double score[], size_t n, size_t want)
{
    uint64_t chosen = 0;
    for (; want > 0; want--) {
        size_t top = n;
        for (size_t i = 0; i < n; i++) {
            if (!(chosen >> i & 1) &&
                (top == n || llround(score[i] * 1e9) > llround(score[top] * 1e9))) {
                top = i;
            }
        }
        if (top < n) {
            chosen |= UINT64_C(1) << top;
        }
    }
    return chosen;
}

static uint64_t rank_sentences(const struct bags *b,
                               double (*weight)(const struct bags *, size_t, size_t), size_t want)
{
    struct matrix weights;
    double score[NEWSWIRE_MAX_SENTENCES];
    for (size_t i = 0; i < b->n; i++) {
        for (size_t j = 0; j < b->n; j++) {
            weights.at[i][j] = i == j ? 0.0 : weight(b, i, j);
        }
    }
    page_rank(score, &weights, b->n);
    return best(score, b->n, want);
}

static uint64_t sum_basic(const struct bags *b, const struct newswire_article *a)
{
    double p[MAX_WORDS], score[NEWSWIRE_MAX_SENTENCES];
    uint64_t chosen = 0;
    size_t words = 0;
    for (size_t w = 0; w < b->n_words; w++) {
        p[w] = (double)b->uses[w] / b->total;
    }
    while (words < SUMBASIC_WORDS) {
        for (size_t s = 0; s < b->n; s++) {
            double sum = 0.0;
            for (size_t w = 0; w < b->n_words; w++) {
                sum += b->count[s][w] * p[w];
            }
            score[s] = (chosen >> s & 1) || b->size[s] == 0 ? -1.0 : sum / b->size[s];
        }
        uint64_t top = best(score, b->n, 1);
        if ((top & ~chosen) == 0) {
            break;
        }
        chosen |= top;
        for (size_t s = 0; s < b->n; s++) {
            if (!(top >> s & 1)) {
                continue;
            }
            const struct newswire_sentence *sentence = &a->sentences[s];
            words += newswire_word_count(regret_text_get(&a->text) + sentence->start,
                                         sentence->end - sentence->start);
            for (size_t w = 0; w < b->n_words; w++) {
                if (b->count[s][w] > 0) {
                    p[w] *= p[w];
                }
            }
        }
    }
    return chosen;
}

void newswire_copy_sentences(struct newswire_summary *s, const struct newswire_article *a,
                             uint64_t chosen)
{
    uint32_t known = 0;
    int last = -1;
    for (size_t i = 0; i < a->n_sentences; i++) {
        const struct newswire_sentence *sentence = &a->sentences[i];
        if (!(chosen >> i & 1)) {
            continue;
        }
        size_t length = sentence->end - sentence->start;
        const char *text = regret_text_get(&a->text) + sentence->start;
        if (s->text.length > 0) {
            regret_text_append(&s->text, " ");
        }
        regret_text_append_n(&s->text, text, length);
        newswire_assert(s, sentence->fact,
                        sentence->fact >= 0 ? NEWSWIRE_SUPPORTED : NEWSWIRE_EMPTY,
                        (unsigned)newswire_word_count(text, length));
        for (uint32_t lost = sentence->needs & ~known & ~sentence->gives; lost != 0;
             lost &= lost - 1) {
            s->dangling++;
        }
        known |= sentence->gives;
        s->jumps += last >= 0 && (int)i > last + 1;
        last = (int)i;
    }
}

int newswire_extract(struct newswire_summary *s, const struct newswire_article *a, size_t agent)
{
    struct bags b = {0};
    uint64_t chosen = 0;
    fill_bags(&b, a);
    if (agent == NEWSWIRE_LEAD3) {
        chosen = (UINT64_C(1) << LEAD_SENTENCES) - 1;
    } else if (agent == NEWSWIRE_TEXTRANK) {
        chosen = rank_sentences(&b, textrank_weight, TEXTRANK_SENTENCES);
    } else if (agent == NEWSWIRE_LEXRANK) {
        chosen = rank_sentences(&b, lexrank_weight, LEXRANK_SENTENCES);
    } else {
        chosen = sum_basic(&b, a);
    }
    newswire_copy_sentences(s, a, chosen);
    return regret_text_status(&s->text);
}
