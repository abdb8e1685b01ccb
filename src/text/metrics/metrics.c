#include "regret/metrics.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "base/text/name.h"
#include "regret/alloc.h"
#include "text/metrics/overlap.h"

struct texts {
    const char *output, *reference;
    const char *const *references; /* all of them, for who takes them together */
    size_t n_references;
};

struct metric {
    const char *name;
    int (*score)(double *out, const struct texts *texts, const struct metric *metric);
    enum units_way way;
    size_t order;  /* of n-grams; of words beside characters */
    int takes_all; /* 1: of the references together; 0: of each, and the best counts */
};

enum { CHRF_ORDER = 6, BLEU_ORDER = 4 };
static const double CHRF_BETA = 2.0;

/* Both texts as units. */
struct cut {
    struct units output, reference; /* owned */
};

static void cut_free(struct cut *c)
{
    units_free(&c->output);
    units_free(&c->reference);
}

static int cut(struct cut *c, const struct texts *texts, enum units_way way)
{
    TRY(units_cut(&c->output, texts->output, way));
    return units_cut(&c->reference, texts->reference, way);
}

static double share(double part, double whole)
{
    return whole > 0.0 ? part / whole : 0.0;
}

/* The F-score of precision and recall, recall weighing β times as much. */
static double f_score(double precision, double recall, double beta)
{
    return share((1.0 + beta * beta) * precision * recall, beta * beta * precision + recall);
}

static double f1(const struct overlap *o)
{
    return f_score(share(o->common, o->output), share(o->common, o->reference), 1.0);
}

static int score_exact(double *out, const struct texts *texts, const struct metric *metric)
{
    (void)metric;
    *out = strcmp(texts->output, texts->reference) == 0;
    return REGRET_OK;
}

static int score_answer(double *out, const struct texts *texts, const struct metric *metric)
{
    FREED_BY(cut_free) struct cut c = {0};
    TRY(cut(&c, texts, metric->way));
    *out = c.output.n == c.reference.n &&
           memcmp(c.output.unit, c.reference.unit, c.output.n * sizeof *c.output.unit) == 0;
    return REGRET_OK;
}

/* F1 of n-grams; of answers without words, whether both are. */
static int score_ngrams(double *out, const struct texts *texts, const struct metric *metric)
{
    FREED_BY(cut_free) struct cut c = {0};
    struct overlap o;
    TRY(cut(&c, texts, metric->way));
    TRY(overlap_ngrams(&o, &c.output, &c.reference, metric->order));
    *out = metric->way == UNITS_ANSWER && c.output.n + c.reference.n == 0 ? 1.0 : f1(&o);
    return REGRET_OK;
}

static int score_sequence(double *out, const struct texts *texts, const struct metric *metric)
{
    FREED_BY(cut_free) struct cut c = {0};
    struct overlap o;
    TRY(cut(&c, texts, metric->way));
    TRY(overlap_sequence(&o, &c.output, &c.reference));
    *out = f1(&o);
    return REGRET_OK;
}

/* Adds precision and recall of the orders that both texts are long enough for. */
static int add_orders(double sum[3], const struct texts *texts, enum units_way way, size_t orders)
{
    FREED_BY(cut_free) struct cut c = {0};
    struct overlap o;
    TRY(cut(&c, texts, way));
    for (size_t n = 1; n <= orders && n <= c.output.n && n <= c.reference.n; n++) {
        TRY(overlap_ngrams(&o, &c.output, &c.reference, n));
        sum[0] += o.common / o.output;
        sum[1] += o.common / o.reference;
        sum[2] += 1.0;
    }
    return REGRET_OK;
}

static int score_chrf(double *out, const struct texts *texts, const struct metric *metric)
{
    double sum[3] = {0.0, 0.0, 0.0};
    TRY(add_orders(sum, texts, UNITS_CHARACTERS, CHRF_ORDER));
    TRY(add_orders(sum, texts, UNITS_CHRF, metric->order));
    *out = f_score(share(sum[0], sum[2]), share(sum[1], sum[2]), CHRF_BETA);
    return REGRET_OK;
}

/* The length that is nearest to the output's, of two the shorter. */
static double nearest_length(const struct units *output, const struct units *references, size_t n)
{
    double wanted = (double)output->n, best = INFINITY;
    for (size_t k = 0; k < n; k++) {
        double length = (double)references[k].n, gap = fabs(length - wanted) - fabs(best - wanted);
        best = gap < 0.0 || (gap <= 0.0 && length < best) ? length : best;
    }
    return best;
}

/* `all`: the output, then the references, as tokens. */
static int bleu_of(double *out, const struct units *all, size_t n_references)
{
    struct overlap o;
    double logs = 0.0, smoothed = 1.0, common = 0.0, order = 0.0;
    for (size_t n = 1; n <= BLEU_ORDER && n <= all->n; n++, order++) {
        TRY(overlap_any(&o, all, all + 1, n_references, n));
        smoothed *= o.common > 0.0 ? 1.0 : 0.5;
        logs += log((o.common > 0.0 ? o.common : smoothed) / o.output);
        common += o.common;
    }
    double ratio = share(nearest_length(all, all + 1, n_references), (double)all->n);
    *out = common > 0.0 ? exp(fmin(0.0, 1.0 - ratio) + logs / order) : 0.0;
    return REGRET_OK;
}

static int score_bleu(double *out, const struct texts *texts, const struct metric *metric)
{
    size_t n = texts->n_references;
    struct units *all = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&all, n + 1));
    TRY_CLEANUP(units_cut(&all[0], texts->output, metric->way));
    for (size_t k = 0; k < n; k++) {
        TRY_CLEANUP(units_cut(&all[k + 1], texts->references[k], metric->way));
    }
    rc = bleu_of(out, all, n);
cleanup:
    for (size_t k = 0; all != NULL && k <= n; k++) {
        units_free(&all[k]);
    }
    regret_free(all);
    return rc;
}

static const struct metric METRICS[] = {
    {"exact", score_exact, UNITS_CHARACTERS, 0, 0},
    {"exact-squad", score_answer, UNITS_ANSWER, 0, 0},
    {"f1", score_ngrams, UNITS_ANSWER, 1, 0},
    {"rouge-1", score_ngrams, UNITS_ROUGE, 1, 0},
    {"rouge-2", score_ngrams, UNITS_ROUGE, 2, 0},
    {"rouge-l", score_sequence, UNITS_ROUGE, 0, 0},
    {"rouge-1-stem", score_ngrams, UNITS_STEMS, 1, 0},
    {"rouge-2-stem", score_ngrams, UNITS_STEMS, 2, 0},
    {"rouge-l-stem", score_sequence, UNITS_STEMS, 0, 0},
    {"chrf", score_chrf, UNITS_CHARACTERS, 0, 0},
    {"chrf++", score_chrf, UNITS_CHARACTERS, 2, 0},
    {"bleu", score_bleu, UNITS_MTEVAL, 0, 1},
};
enum { N_METRICS = sizeof METRICS / sizeof *METRICS };

const char *regret_metric_name(size_t i)
{
    return i < N_METRICS ? METRICS[i].name : NULL;
}

int regret_metric_score(double *out, const char *name, const char *output, const char *reference)
{
    return regret_metric_score_any(out, name, output, &reference, 1);
}

static int score_best(double *out, const struct metric *metric, struct texts texts)
{
    *out = 0.0;
    for (size_t k = 0; k < (metric->takes_all ? 1 : texts.n_references); k++) {
        double score = 0.0;
        texts.reference = texts.references[k];
        TRY(metric->score(&score, &texts, metric));
        *out = fmax(*out, score);
    }
    return REGRET_OK;
}

int regret_metric_score_any(double *out, const char *name, const char *output,
                            const char *const *references, size_t n)
{
    const struct texts texts = {output, NULL, references, n};
    const char *known[N_METRICS];
    for (size_t i = 0; i < N_METRICS; i++) {
        known[i] = METRICS[i].name;
        if (strcmp(name, known[i]) == 0) {
            return score_best(out, &METRICS[i], texts);
        }
    }
    return name_unknown("metric", name, known, N_METRICS);
}

double regret_pass_at_k(size_t n, size_t right, size_t k)
{
    double none = 1.0; /* of the k is right */
    if (k < 1 || k > n || right > n) {
        return NAN;
    }
    for (size_t i = 0; i < k; i++) {
        none *= n - i > right ? (double)(n - i - right) / (double)(n - i) : 0.0;
    }
    return 1.0 - none;
}
