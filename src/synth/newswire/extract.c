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
    unsigned sentences_with[MAX_WORDS];
    unsigned uses[MAX_WORDS];
    unsigned total;
    unsigned size[NEWSWIRE_MAX_SENTENCES]; /* content words with repetition */
    unsigned char count[NEWSWIRE_MAX_SENTENCES][MAX_WORDS];
    size_t n_different[NEWSWIRE_MAX_SENTENCES]; /* words of a sentence, ascending: */
    unsigned short word[NEWSWIRE_MAX_SENTENCES][MAX_WORDS];
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

/* What a bag needs to number words: by the first place of each in the article, its number + 1. */
struct numbers {
    unsigned short at[NEWSWIRE_MAX_TOKENS];
};

/* MAX_WORDS for a word that has no number any more. */
static size_t word_index(struct bags *b, struct numbers *numbers, size_t place)
{
    if (numbers->at[place] == 0 && b->n_words < MAX_WORDS) {
        numbers->at[place] = (unsigned short)++b->n_words;
    }
    return numbers->at[place] > 0 ? numbers->at[place] - 1U : MAX_WORDS;
}

static void list_words(struct bags *b)
{
    for (size_t s = 0; s < b->n; s++) {
        for (size_t w = 0; w < b->n_words; w++) {
            if (b->count[s][w] > 0) {
                b->word[s][b->n_different[s]++] = (unsigned short)w;
            }
        }
    }
}

static void fill_bags(struct bags *b, const struct newswire_article *a)
{
    struct numbers numbers = {{0}};
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
        size_t w = word_index(b, &numbers, newswire_first_place(&a->tokens, token->hash));
        if (w == MAX_WORDS) {
            continue;
        }
        b->sentences_with[w] += b->count[s][w] == 0;
        b->count[s][w]++;
        b->uses[w]++;
        b->size[s]++;
        b->total++;
    }
    list_words(b);
}

static void textrank_weights(struct matrix *weights, const struct bags *b)
{
    uint32_t logs[NEWSWIRE_MAX_SENTENCES];
    for (size_t i = 0; i < b->n; i++) {
        logs[i] = b->size[i] > 0 ? log2_fixed(b->size[i]) : 0;
        for (size_t j = 0; j < i; j++) {
            unsigned common = 0;
            for (size_t k = 0; k < b->n_different[i]; k++) {
                common += b->count[j][b->word[i][k]] > 0;
            }
            uint32_t both = logs[i] + logs[j];
            double weight = both > 0 ? (double)common * 65536.0 / both : 0.0;
            weights->at[i][j] = weights->at[j][i] = weight;
        }
    }
}

static void lexrank_weights(struct matrix *weights, const struct bags *b)
{
    double idf[MAX_WORDS], length[NEWSWIRE_MAX_SENTENCES];
    for (size_t w = 0; w < b->n_words; w++) {
        uint32_t log_n = log2_fixed((uint32_t)b->n), log_w = log2_fixed(b->sentences_with[w]);
        idf[w] = (double)(log_n - log_w) / 65536.0;
    }
    for (size_t i = 0; i < b->n; i++) {
        double squares = 0.0, x[MAX_WORDS];
        for (size_t k = 0; k < b->n_different[i]; k++) {
            x[k] = b->count[i][b->word[i][k]] * idf[b->word[i][k]];
            squares += x[k] * x[k];
        }
        length[i] = sqrt(squares);
        for (size_t j = 0; j < i; j++) {
            double dot = 0.0;
            for (size_t k = 0; k < b->n_different[i]; k++) {
                dot += x[k] * (b->count[j][b->word[i][k]] * idf[b->word[i][k]]);
            }
            double lengths = length[i] * length[j];
            weights->at[i][j] = weights->at[j][i] = lengths > 0.0 ? dot / lengths : 0.0;
        }
    }
}

/* What each sentence hands on in a round, a row a sentence that gives, in place of the weights. */
static void make_shares(struct matrix *weights, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        double out = 0.0;
        for (size_t i = 0; i < n; i++) {
            out += weights->at[j][i];
        }
        for (size_t i = 0; i < n; i++) {
            weights->at[j][i] = out > 0.0 ? DAMPING * weights->at[j][i] / out : 0.0;
        }
    }
}

static void page_rank(double score[NEWSWIRE_MAX_SENTENCES], const struct matrix *shares, size_t n)
{
    double next[NEWSWIRE_MAX_SENTENCES];
    for (size_t i = 0; i < n; i++) {
        score[i] = 1.0;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < n; i++) {
            next[i] = 1.0 - DAMPING;
        }
        for (size_t j = 0; j < n; j++) {
            for (size_t i = 0; i < n; i++) {
                next[i] += shares->at[j][i] * score[j];
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

/* `weigh` gives the weights of different sentences. */
static uint64_t rank_sentences(const struct bags *b,
                               void (*weigh)(struct matrix *, const struct bags *), size_t want)
{
    struct matrix weights = {0};
    double score[NEWSWIRE_MAX_SENTENCES];
    weigh(&weights, b);
    make_shares(&weights, b->n);
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
            for (size_t k = 0; k < b->n_different[s]; k++) {
                sum += b->count[s][b->word[s][k]] * p[b->word[s][k]];
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
            words += newswire_word_count(regret_buffer_get(&a->text) + sentence->start,
                                         sentence->end - sentence->start);
            for (size_t k = 0; k < b->n_different[s]; k++) {
                p[b->word[s][k]] *= p[b->word[s][k]];
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
        const char *text = regret_buffer_get(&a->text) + sentence->start;
        if (s->text.length > 0) {
            regret_buffer_append(&s->text, " ");
        }
        regret_buffer_append_n(&s->text, text, length);
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
        chosen = rank_sentences(&b, textrank_weights, TEXTRANK_SENTENCES);
    } else if (agent == NEWSWIRE_LEXRANK) {
        chosen = rank_sentences(&b, lexrank_weights, LEXRANK_SENTENCES);
    } else {
        chosen = sum_basic(&b, a);
    }
    newswire_copy_sentences(s, a, chosen);
    return regret_buffer_status(&s->text);
}
