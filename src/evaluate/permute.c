/* Permutation tests. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "evaluate/diagnose.h"
#include "regret/status.h"
#include "regret/task.h"
#include "regret/text.h"
#include "stats/multiplicity.h"

int group_by_stratum(size_t **units, size_t **start, const struct assignment *d)
{
    TRY(REGRET_NEW(units, d->n_units));
    TRY(REGRET_NEW(start, d->n_strata + 1));
    for (size_t u = 0; u < d->n_units; u++) {
        (*start)[d->stratum[u] + 1]++;
    }
    for (size_t s = 0; s < d->n_strata; s++) {
        (*start)[s + 1] += (*start)[s];
    }
    for (size_t u = d->n_units; u-- > 0;) {
        (*units)[--(*start)[d->stratum[u] + 1]] = u;
    }
    for (size_t s = 0; s < d->n_strata; s++) {
        (*start)[s] = (*start)[s + 1];
    }
    (*start)[d->n_strata] = d->n_units;
    return REGRET_OK;
}

void permute_labels(uint32_t *labels, const struct assignment *d, const size_t *by_stratum,
                    const size_t *start, const struct permutation_options *options, size_t index)
{
    struct regret_rng r =
        regret_rng_at(options->seed, REGRET_RNG_DIAGNOSE, (options->stream << 32) + index);
    memcpy(labels, d->label, d->n_units * sizeof *labels);
    for (size_t s = 0; s < d->n_strata; s++) {
        const size_t *units = by_stratum + start[s];
        for (size_t i = start[s + 1] - start[s]; i > 1; i--) {
            size_t j = regret_rng_below(&r, (uint32_t)i);
            uint32_t kept = labels[units[j]];
            labels[units[j]] = labels[units[i - 1]];
            labels[units[i - 1]] = kept;
        }
    }
}

struct run {
    const struct assignment *assignment;
    const struct permutation_options *options;
    size_t *by_stratum, *start; /* owned, as the next */
    uint32_t *labels;           /* a worker's [units] */
    size_t first;
    permuted *look;
    void *context;
};

FREED_FIELDS(run, of->by_stratum, of->start, of->labels)

static int look_at_one(void *self, size_t index, size_t worker)
{
    const struct run *r = self;
    uint32_t *labels = r->labels + worker * r->assignment->n_units;
    permute_labels(labels, r->assignment, r->by_stratum, r->start, r->options, r->first + index);
    r->look(r->context, labels, r->first + index, worker);
    return REGRET_OK;
}

int permutations_look(size_t *made, const struct assignment *d,
                      const struct permutation_options *options, permuted *look,
                      reached_by *reached, void *context)
{
    FREED_BY(run_fields)
    struct run r = {.assignment = d, .options = options, .look = look, .context = context};
    size_t n = options->resamples;
    TRY(group_by_stratum(&r.by_stratum, &r.start, d));
    TRY(REGRET_NEW(&r.labels, d->n_units * options->threads));
    TRY(regret_parallel_for(n, options->threads, look_at_one, &r));
    *made = n;
    if (reached(context, n) < FEW_PERMUTATIONS) {
        r.first = n;
        TRY(regret_parallel_for(n * (MORE_PERMUTATIONS - 1), options->threads, look_at_one, &r));
        *made = n * MORE_PERMUTATIONS;
    }
    return REGRET_OK;
}

struct permuting {
    const struct assignment *assignment;
    const struct regret_csr *x;
    double *expected;       /* [labels × dimensions] E_ad; owned, as the others */
    double *scale;          /* [labels × dimensions] 1/(N_a v_d), 0 where nothing varies */
    double *sums;           /* a worker's [labels × dimensions] */
    unsigned char *reached; /* [permutations] bit 0: Σ Q as large as seen, bit 1: max Q */
    double sum, largest;    /* as seen, less what rounding may make of them */
};

FREED_FIELDS(permuting, of->expected, of->scale, of->sums, of->reached)

/* E and the variances of features within strata, a stratum at a time. `mean` and `count` are scratch. */
static void expect(struct permuting *p, const size_t *by_stratum, const size_t *start, double *mean,
                   double *count, double *variance)
{
    const struct assignment *d = p->assignment;
    size_t n_dims = p->x->cols;
    for (size_t s = 0; s < d->n_strata; s++) {
        double n = (double)(start[s + 1] - start[s]);
        memset(mean, 0, n_dims * sizeof *mean);
        memset(count, 0, d->n_labels * sizeof *count);
        for (size_t i = start[s]; i < start[s + 1]; i++) {
            size_t u = by_stratum[i];
            count[d->label[u]] += 1.0;
            for (size_t e = p->x->row_start[u]; e < p->x->row_start[u + 1]; e++) {
                mean[p->x->column[e]] += p->x->value[e] / n;
                variance[p->x->column[e]] += p->x->value[e] * p->x->value[e];
            }
        }
        for (size_t j = 0; j < n_dims; j++) {
            variance[j] -= n * mean[j] * mean[j];
            for (size_t a = 0; a < d->n_labels; a++) {
                p->expected[a * n_dims + j] += count[a] * mean[j];
            }
        }
    }
}

static int prepare(struct permuting *p)
{
    const struct assignment *d = p->assignment;
    FREED double *mean = NULL, *count = NULL, *variance = NULL, *of_label = NULL;
    FREED size_t *by_stratum = NULL, *start = NULL;
    size_t n_dims = p->x->cols;
    TRY(group_by_stratum(&by_stratum, &start, d));
    TRY(REGRET_NEW(&mean, n_dims));
    TRY(REGRET_NEW(&count, d->n_labels));
    TRY(REGRET_NEW(&variance, n_dims));
    TRY(REGRET_NEW(&of_label, d->n_labels));
    expect(p, by_stratum, start, mean, count, variance);
    for (size_t u = 0; u < d->n_units; u++) {
        of_label[d->label[u]] += 1.0;
    }
    for (size_t a = 0; a < d->n_labels; a++) {
        for (size_t j = 0; j < n_dims; j++) {
            double v = of_label[a] * variance[j] / (double)d->n_units;
            p->scale[a * n_dims + j] = variance[j] > 1e-9 && v > 0.0 ? 1.0 / v : 0.0;
        }
    }
    return REGRET_OK;
}

/* Σ Q and max Q of labels; where `found` is not NULL the dimension and label that depart the most. */
static void measure(double *sum, double *largest, const struct permuting *p, double *sums,
                    const uint32_t *labels, struct imbalance *found)
{
    size_t n_dims = p->x->cols, n_labels = p->assignment->n_labels;
    double most = -1.0;
    memset(sums, 0, n_labels * n_dims * sizeof *sums);
    for (size_t u = 0; u < p->assignment->n_units; u++) {
        double *row = sums + labels[u] * n_dims;
        for (size_t e = p->x->row_start[u]; e < p->x->row_start[u + 1]; e++) {
            row[p->x->column[e]] += p->x->value[e];
        }
    }
    *sum = *largest = 0.0;
    for (size_t j = 0; j < n_dims; j++) {
        double q = 0.0;
        for (size_t a = 0; a < n_labels; a++) {
            size_t k = a * n_dims + j;
            double from = sums[k] - p->expected[k], part = from * from * p->scale[k];
            q += part;
            if (found && part > most) {
                most = part;
                found->dimension = j;
                found->label = a;
            }
        }
        *sum += q;
        *largest = fmax(*largest, q);
    }
}

static void look(void *context, const uint32_t *labels, size_t index, size_t worker)
{
    struct permuting *p = context;
    double *sums = p->sums + worker * p->assignment->n_labels * p->x->cols, sum, largest;
    measure(&sum, &largest, p, sums, labels, NULL);
    p->reached[index] = (unsigned char)((sum >= p->sum) + 2 * (largest >= p->largest));
}

/* Of the first n permutations those that reach what is seen, by the statistic of which fewer do. */
static size_t count(const void *context, size_t n)
{
    const struct permuting *p = context;
    size_t sums = 0, largest = 0;
    for (size_t i = 0; i < n; i++) {
        sums += p->reached[i] & 1U;
        largest += p->reached[i] >> 1U;
    }
    return sums < largest ? sums : largest;
}

int permutation_test(struct imbalance *out, const struct assignment *d, const struct block *block,
                     const struct permutation_options *options)
{
    FREED_BY(permuting_fields) struct permuting p = {.assignment = d, .x = block->x};
    struct imbalance found = {.p = NAN};
    size_t cells = d->n_labels * p.x->cols;
    double units = 0.0;
    TRY(REGRET_NEW(&p.expected, cells));
    TRY(REGRET_NEW(&p.scale, cells));
    TRY(REGRET_NEW(&p.sums, cells * options->threads));
    TRY(REGRET_NEW(&p.reached, options->resamples * MORE_PERMUTATIONS));
    TRY(prepare(&p));
    measure(&p.sum, &p.largest, &p, p.sums, d->label, &found);
    if (p.sum > 0.0) {
        size_t k = found.label * p.x->cols + found.dimension;
        for (size_t u = 0; u < d->n_units; u++) {
            units += d->label[u] == found.label;
        }
        found.mean = p.sums[k] / units;
        found.expected = p.expected[k] / units;
        p.sum *= 1.0 - 1e-9;
        p.largest *= 1.0 - 1e-9;
        TRY(permutations_look(&found.permutations, d, options, look, count, &p));
        double p_one =
            (double)(1 + count(&p, found.permutations)) / (double)(found.permutations + 1);
        found.p = p.x->cols == 1 ? p_one : fmin(1.0, 2.0 * p_one);
    }
    *out = found;
    return REGRET_OK;
}

FREED_POINTER(struct regret_csr, regret_csr_free)

enum { LEAST_ROWS = 8 /* in effect, of an agent that is tested */ };

/* Sums of a label. */
struct weighed {
    double weight, square; /* Σ w, Σ w² */
    double doubt; /* Σ (1 − p)/p² over Σ 1/p: what a row adds to the variance, on average */
    double sum;   /* Σ w (g − ḡ) */
    double own, with;  /* over clusters Σ α², Σ α β */
    double in_cluster; /* α of the cluster at hand */
};

struct weighing {
    const struct regret_log_rows *exp;
    const struct assignment *assignment;
    uint32_t *row;           /* [n_rows] rows of units in the sample, cluster by cluster */
    unsigned char *is_first; /* [n_rows] of its cluster */
    size_t n_rows;
    double *feature;      /* [units] one dimension, centred */
    struct weighed *of;   /* [labels] */
    uint32_t *touched;    /* [labels] those in the cluster at hand */
    double all;           /* Σ β² */
    double mean;          /* of the feature over units, */
    double spread, alone; /* Σ g² of it, and rows in effect that vary it: (Σ g²)²/Σ g⁴ */
};

FREED_FIELDS(weighing, of->row, of->is_first, of->feature, of->of, of->touched)

/* One dimension of the transposed block, centred over units. */
static void spread(struct weighing *w, const struct regret_csr *by_dimension, size_t j)
{
    size_t n = w->assignment->n_units;
    w->mean = 0.0;
    for (size_t e = by_dimension->row_start[j]; e < by_dimension->row_start[j + 1]; e++) {
        w->mean += by_dimension->value[e] / (double)n;
    }
    for (size_t u = 0; u < n; u++) {
        w->feature[u] = -w->mean;
    }
    for (size_t e = by_dimension->row_start[j]; e < by_dimension->row_start[j + 1]; e++) {
        w->feature[by_dimension->column[e]] += by_dimension->value[e];
    }
}

/* Takes what the cluster at hand added up to into the sums. */
static void close_cluster(struct weighing *w, size_t n_touched, double beta)
{
    for (size_t i = 0; i < n_touched; i++) {
        struct weighed *of = &w->of[w->touched[i]];
        of->own += of->in_cluster * of->in_cluster;
        of->with += of->in_cluster * beta;
        of->sum += of->in_cluster;
        of->in_cluster = 0.0;
    }
    w->all += beta * beta;
}

static void add_row(struct weighing *w, size_t row, size_t *n_touched, double *beta)
{
    uint32_t unit = w->assignment->unit[row], a = w->assignment->label[unit];
    int is_new = 1;
    for (size_t k = 0; k < *n_touched && is_new; k++) {
        is_new = w->touched[k] != a;
    }
    if (is_new) {
        w->touched[(*n_touched)++] = a;
    }
    w->of[a].in_cluster += w->feature[unit] / w->exp->propensity[row];
    *beta += w->feature[unit];
}

static void add_up(struct weighing *w)
{
    size_t n_touched = 0;
    double beta = 0.0;
    for (size_t i = 0; i < w->n_rows; i++) {
        if (w->is_first[i]) {
            close_cluster(w, n_touched, beta);
            n_touched = 0;
            beta = 0.0;
        }
        add_row(w, w->row[i], &n_touched, &beta);
    }
    close_cluster(w, n_touched, beta);
}

/* The rows of the sample, cluster by cluster. */
static void list_rows(struct weighing *w, const struct cluster_order *order)
{
    for (size_t c = 0; c < order->n_clusters; c++) {
        unsigned char is_first = 1;
        for (size_t i = cluster_exp(order, c); i < order->start[c + 1]; i++) {
            size_t row = cluster_row(order, order->place[i]);
            if (w->assignment->unit[row] != ASSIGNMENT_NONE) {
                w->row[w->n_rows] = (uint32_t)row;
                w->is_first[w->n_rows++] = is_first;
                is_first = 0;
            }
        }
    }
}

static void weigh(struct weighing *w)
{
    const struct assignment *d = w->assignment;
    for (size_t i = 0; i < d->n_rows; i++) {
        if (d->unit[i] != ASSIGNMENT_NONE) {
            struct weighed *of = &w->of[d->label[d->unit[i]]];
            double one = 1.0 / w->exp->propensity[i];
            of->weight += one;
            of->square += one * one;
            of->doubt += one * one - one;
        }
    }
    for (size_t a = 0; a < d->n_labels; a++) {
        w->of[a].doubt /= w->of[a].weight;
    }
}

static void measure_spread(struct weighing *w)
{
    double fourth = 0.0;
    w->spread = 0.0;
    for (size_t u = 0; u < w->assignment->n_units; u++) {
        double square = w->feature[u] * w->feature[u];
        w->spread += square;
        fourth += square * square;
    }
    w->alone = fourth > 0.0 ? w->spread * w->spread / fourth : 0.0;
}

/* z of every label for the dimension that is spread. The variance over clusters goes with the sum, since both have the same few heavy
 * rows: it is not taken below that of independent rows with what (1 − p)/p is on average. */
static void test_dimension(double *z, struct weighing *w)
{
    size_t n = w->assignment->n_labels;
    w->all = 0.0;
    for (size_t a = 0; a < n; a++) {
        w->of[a].own = w->of[a].with = w->of[a].sum = 0.0;
    }
    add_up(w);
    measure_spread(w);
    for (size_t a = 0; a < n; a++) {
        const struct weighed *of = &w->of[a];
        double v = fmax(of->own - 2.0 * of->with + w->all, of->doubt * w->spread);
        double rows = of->weight * of->weight / of->square;
        rows *= w->alone / (double)w->assignment->n_units;
        z[a] =
            v > 1e-9 && rows >= LEAST_ROWS ? normal_of_student(of->sum / sqrt(v), rows - 1.0) : NAN;
    }
}

static int test_all(struct imbalance *out, struct weighing *w, double *z,
                    const struct regret_csr *by_dimension)
{
    struct joint_answer answer;
    size_t n = w->assignment->n_labels, n_dims = by_dimension->rows;
    for (size_t j = 0; j < n_dims; j++) {
        spread(w, by_dimension, j);
        test_dimension(z + j * n, w);
    }
    struct joint joint = {.z = z, .n = n * n_dims, .draws = 1, .level = 0.95};
    TRY(joint_test(&answer, NULL, &joint));
    *out = (struct imbalance){.p = answer.p};
    if (answer.largest < n * n_dims) {
        out->dimension = answer.largest / n;
        out->label = answer.largest % n;
        spread(w, by_dimension, out->dimension);
        test_dimension(z, w);
        out->expected = w->mean;
        out->mean = w->mean + w->of[out->label].sum / w->of[out->label].weight;
    }
    return REGRET_OK;
}

int weighted_test(struct imbalance *out, const struct regret_log *log, const struct assignment *d,
                  const struct block *block, const struct cluster_order *order)
{
    FREED_BY(weighing_fields)
    struct weighing w = {.exp = &log->rows[REGRET_LOG_EXP], .assignment = d};
    FREED_BY(regret_csr_free_at) struct regret_csr *by_dimension = NULL;
    FREED double *z = NULL;
    TRY(REGRET_NEW(&w.row, d->n_rows));
    TRY(REGRET_NEW(&w.is_first, d->n_rows));
    TRY(REGRET_NEW(&w.feature, d->n_units));
    TRY(REGRET_NEW(&w.of, d->n_labels));
    TRY(REGRET_NEW(&w.touched, d->n_labels));
    TRY(regret_csr_transpose(&by_dimension, block->x));
    TRY(REGRET_NEW(&z, d->n_labels * (block->x->cols + 1)));
    list_rows(&w, order);
    weigh(&w);
    return test_all(out, &w, z, by_dimension);
}

FREED_POINTER(struct regret_tokens, regret_tokens_free)
FREED_POINTER(struct regret_terms, regret_terms_free)

enum { MAX_WORDS = 1000, LEAST_UNITS = 10 };

static const struct regret_terms_options words_alone = {.bigrams = 0, .keep_stop_words = 0};

/* One text a unit of the sample: that of its first row, "" where there is none. Borrowed. */
static int unit_texts(const char ***out, size_t *n_texts, const struct regret_log *log,
                      const struct assignment *d)
{
    const struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    const char **texts = NULL;
    *n_texts = 0;
    TRY(REGRET_NEW(&texts, d->n_units));
    for (size_t u = 0; u < d->n_units; u++) {
        const char *text = log->text ? log->text[exp->context[d->first[u]]] : NULL;
        *n_texts += text != NULL;
        texts[u] = text ? text : "";
    }
    *out = texts;
    return REGRET_OK;
}

struct counted {
    size_t units, term;
};

/* The most frequent first, then in order of appearance. */
static int descending(const void *a, const void *b)
{
    const struct counted *x = a, *y = b;
    return x->units != y->units ? (x->units < y->units) - (x->units > y->units)
                                : (x->term > y->term) - (x->term < y->term);
}

/* column[term]: its dimension, or SIZE_MAX; source[dimension]: the term. */
static int choose(size_t *column, size_t **source, size_t *n, const struct regret_csr *counts)
{
    FREED struct counted *order = NULL;
    *n = 0;
    TRY(REGRET_NEW(&order, counts->cols));
    TRY(REGRET_NEW(source, MAX_WORDS));
    for (size_t t = 0; t < counts->cols; t++) {
        order[t].term = t;
        column[t] = SIZE_MAX;
    }
    for (size_t e = 0; e < regret_csr_entries(counts); e++) {
        order[counts->column[e]].units++;
    }
    if (counts->cols > 0) {
        qsort(order, counts->cols, sizeof *order, descending);
    }
    for (; *n < MAX_WORDS && *n < counts->cols && order[*n].units >= LEAST_UNITS; (*n)++) {
        column[order[*n].term] = *n;
        (*source)[*n] = order[*n].term;
    }
    return REGRET_OK;
}

static int add_words(struct triplets *t, const struct regret_csr *counts, const size_t *column)
{
    const struct assignment *d = t->assignment;
    for (size_t u = 0; u < counts->rows; u++) {
        for (size_t e = counts->row_start[u]; e < counts->row_start[u + 1]; e++) {
            size_t j = column[counts->column[e]];
            if (j != SIZE_MAX) {
                TRY(triplets_add(t, d->first[u], j, (double)d->rows[u]));
            }
        }
    }
    return REGRET_OK;
}

static int count_words(struct regret_terms **out, const char *const *texts, size_t n)
{
    FREED_BY(regret_tokens_free_at) struct regret_tokens *tokens = NULL;
    TRY(regret_tokens_build(&tokens, texts, n));
    return regret_terms_build(out, tokens, &words_alone);
}

int block_words(struct block *out, const struct regret_log *log, const struct assignment *d)
{
    FREED_BY(triplets_free) struct triplets t = {.assignment = d};
    FREED_BY(regret_terms_free_at) struct regret_terms *terms = NULL;
    FREED const char **texts = NULL;
    FREED size_t *column = NULL, *source = NULL;
    size_t n, n_texts;
    TRY(unit_texts(&texts, &n_texts, log, d));
    if (n_texts == 0) {
        return REGRET_OK;
    }
    TRY(count_words(&terms, texts, d->n_units));
    TRY(REGRET_NEW(&column, terms->counts->cols));
    TRY(choose(column, &source, &n, terms->counts));
    TRY(add_words(&t, terms->counts, column));
    if (n == 0) {
        return REGRET_OK;
    }
    size_t *of = source;
    source = NULL;
    return triplets_take(out, &t, n, of);
}

/* A copy of the first piece of the text, cut at blanks, that consists of the token. */
static int find_piece(char **out, const char *text, uint64_t hash)
{
    while (*text && !*out) {
        size_t length = strcspn(text, " \t\r\n");
        char *piece = NULL;
        struct regret_tokens *tokens = NULL;
        int rc;
        TRY_CLEANUP(regret_strndup(&piece, text, length));
        TRY_CLEANUP(regret_tokens_build(&tokens, (const char *const *)&piece, 1));
        for (size_t i = 0; i < tokens->start[1] && !*out; i++) {
            if (tokens->hash[i] == hash) {
                *out = piece;
                piece = NULL;
            }
        }
    cleanup:
        regret_tokens_free(tokens);
        regret_free(piece);
        if (rc < 0) {
            return rc;
        }
        text += length + (text[length] != '\0');
    }
    return REGRET_OK;
}

int block_word(char **out, const struct block *block, size_t j, const struct regret_log *log,
               const struct assignment *d)
{
    FREED_BY(regret_terms_free_at) struct regret_terms *terms = NULL;
    FREED const char **texts = NULL;
    FREED char *word = NULL;
    size_t n_texts, term = block->source[j];
    TRY(unit_texts(&texts, &n_texts, log, d));
    TRY(count_words(&terms, texts, d->n_units));
    for (size_t u = 0; u < d->n_units && !word; u++) {
        for (size_t e = terms->counts->row_start[u]; e < terms->counts->row_start[u + 1]; e++) {
            if (terms->counts->column[e] == term) {
                TRY(find_piece(&word, texts[u], terms->hash[term]));
                break;
            }
        }
    }
    TRY(word ? REGRET_OK : regret_strdup(&word, "?"));
    *out = word;
    word = NULL;
    return REGRET_OK;
}
