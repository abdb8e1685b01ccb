/* Timings of the text and proxy stages on generated texts, one thread.
 *
 *   bench-text [contexts [agents]]        default 48 x 20, the size of the main sweep
 *
 * Texts are drawn from a Zipf-like vocabulary; a part of every output is copied from its context.
 * Every line is the best of several runs, in processor time (set OPENBLAS_NUM_THREADS to 1, or threads
 * of OpenBLAS that wait are counted). */
#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "regret/buffer.h"
#include "regret/estimate.h"
#include "regret/status.h"
#include "regret/task.h"
#include "regret/text.h"

enum { VOCABULARY = 12000, CONTEXT_WORDS = 400, OUTPUT_WORDS = 90, LABELS = 12 };
/* Shares of function words and of words that begin a copied run, chosen so that an output has about
 * 80 different terms and 960 outputs about 20,000, as summaries of news articles do. */
static const double FUNCTION_WORDS = 0.4, COPYING = 0.3;

struct bench {
    size_t n_contexts, n_agents, n_pairs;
    char **context, **output;
    uint32_t *context_of, *agent_of;
    double *statistics, *labels, *count, *gram, *z, *coordinates;
    struct regret_tokens *contexts, *outputs;
    struct regret_terms *terms;
    struct regret_csr *phi;
    struct regret_proxy_options proxy;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void require(int rc)
{
    if (rc != REGRET_OK) {
        fprintf(stderr, "bench-text: %s\n", regret_error_message());
        exit(1);
    }
}

static void word(struct regret_buffer *t, size_t rank)
{
    regret_buffer_printf(t, "w%zx", rank * 2654435761u % 1048576u);
}

/* log-uniform ranks: probability about 1/rank. */
static size_t zipf(struct regret_rng *r)
{
    return (size_t)exp(log(VOCABULARY) * regret_rng_uniform(r));
}

static char *make_text(uint64_t index, size_t words, const size_t *source, size_t *kept)
{
    struct regret_rng r = regret_rng_at(1, REGRET_RNG_TEST, index);
    struct regret_buffer t = REGRET_BUFFER_INIT;
    size_t at = 0, left = 0;
    for (size_t i = 0; i < words; i++) {
        if (source != NULL && left == 0 && regret_rng_uniform(&r) < COPYING) {
            at = regret_rng_below(&r, CONTEXT_WORDS - 8);
            left = 1 + regret_rng_below(&r, 7);
        }
        size_t rank = left > 0 ? source[at++] : zipf(&r);
        left -= left > 0;
        if (kept != NULL) {
            kept[i] = rank;
        }
        static const char *const function_words[] = {"the ", "of ", "and ", "to ", "was "};
        if (regret_rng_uniform(&r) < FUNCTION_WORDS) {
            regret_buffer_append(&t, function_words[regret_rng_below(&r, 5)]);
            continue;
        }
        word(&t, rank);
        regret_buffer_append(&t, regret_rng_uniform(&r) < 0.06 ? ". " : " ");
    }
    require(regret_buffer_status(&t));
    return t.data;
}

static void make_texts(struct bench *b)
{
    static size_t kept[CONTEXT_WORDS];
    require(REGRET_NEW(&b->context, b->n_contexts));
    require(REGRET_NEW(&b->output, b->n_pairs));
    require(REGRET_NEW(&b->context_of, b->n_pairs));
    require(REGRET_NEW(&b->agent_of, b->n_pairs));
    for (size_t x = 0; x < b->n_contexts; x++) {
        b->context[x] = make_text(x, CONTEXT_WORDS, NULL, kept);
        for (size_t a = 0; a < b->n_agents; a++) {
            size_t pair = x * b->n_agents + a;
            b->context_of[pair] = (uint32_t)x;
            b->agent_of[pair] = (uint32_t)a;
            b->output[pair] = make_text((1u << 20) + pair, OUTPUT_WORDS, kept, NULL);
        }
    }
}

static void time_stage(const char *name, int runs, void (*stage)(struct bench *), struct bench *b)
{
    double best = 1e300;
    for (int i = 0; i < runs; i++) {
        double start = now();
        stage(b);
        best = fmin(best, now() - start);
    }
    printf("%-52s %10.2f ms\n", name, 1e3 * best);
}

static void stage_tokens(struct bench *b)
{
    regret_tokens_free(b->contexts);
    regret_tokens_free(b->outputs);
    require(regret_tokens_build(&b->contexts, (const char *const *)b->context, b->n_contexts));
    require(regret_tokens_build(&b->outputs, (const char *const *)b->output, b->n_pairs));
}

static struct regret_pairs pairs_of(const struct bench *b)
{
    return (struct regret_pairs){.n_pairs = b->n_pairs,
                                 .contexts = b->contexts,
                                 .outputs = b->outputs,
                                 .context = b->context_of};
}

static void stage_features(struct bench *b)
{
    struct regret_feature_options options = REGRET_FEATURE_OPTIONS_INIT;
    struct regret_pairs pairs = pairs_of(b);
    regret_csr_free(b->phi);
    require(regret_features_build(&b->phi, &pairs, &options));
}

static void stage_statistics(struct bench *b)
{
    struct regret_pairs pairs = pairs_of(b);
    require(regret_text_statistics(b->statistics, &pairs));
}

static void stage_terms(struct bench *b)
{
    struct regret_terms_options options = REGRET_TERMS_OPTIONS_INIT;
    regret_terms_free(b->terms);
    require(regret_terms_build(&b->terms, b->outputs, &options));
}

static void stage_gram(struct bench *b)
{
    require(regret_csr_gram(b->gram, b->phi, NULL));
}

static void run_svd(struct bench *b, enum regret_svd_method method)
{
    struct regret_tfidf_options tfidf = REGRET_TFIDF_OPTIONS_INIT;
    struct regret_svd_options svd = REGRET_SVD_OPTIONS_INIT;
    double *t = NULL;
    size_t rank = 0;
    svd.method = method;
    require(REGRET_NEW(&t, b->n_pairs * svd.rank));
    require(regret_tfidf_svd(t, &rank, b->terms, b->count, &tfidf, &svd));
    regret_free(t);
}

static void stage_exact(struct bench *b)
{
    run_svd(b, REGRET_SVD_EXACT);
}

static void stage_lanczos(struct bench *b)
{
    run_svd(b, REGRET_SVD_LANCZOS);
}

static void stage_tfidf(struct bench *b)
{
    struct regret_tfidf_options options = REGRET_TFIDF_OPTIONS_INIT;
    struct regret_tfidf *tfidf = NULL;
    struct regret_csr *x = NULL;
    require(regret_tfidf_fit(&tfidf, b->terms, b->count, &options));
    require(regret_tfidf_transform(&x, tfidf, b->terms));
    regret_csr_free(x);
    regret_tfidf_free(tfidf);
}

static void stage_proxy(struct bench *b)
{
    const struct regret_design features =
        regret_design_dense(b->n_pairs, b->n_pairs, b->coordinates);
    struct regret_proxy_source source = {b->n_pairs,        b->labels, LABELS,   b->statistics,
                                         REGRET_STATISTICS, b->terms,  &features};
    size_t dim = 0;
    require(regret_proxy_fit(b->z, &dim, &source, b->count, &b->proxy));
}

/* The fitted TF-IDF matrix and its SVD by a method. */
static struct regret_svd *svd_by(struct bench *b, const struct regret_csr *x,
                                 enum regret_svd_method method)
{
    struct regret_svd_options options = REGRET_SVD_OPTIONS_INIT;
    struct regret_svd *svd = NULL;
    options.method = method;
    require(regret_svd_fit(&svd, x, b->count, &options));
    return svd;
}

/* How far Lanczos is from the exact method. */
static void report_accuracy(struct bench *b)
{
    struct regret_tfidf_options options = REGRET_TFIDF_OPTIONS_INIT;
    struct regret_tfidf *tfidf = NULL;
    struct regret_csr *x = NULL;
    require(regret_tfidf_fit(&tfidf, b->terms, b->count, &options));
    require(regret_tfidf_transform(&x, tfidf, b->terms));
    struct regret_svd *exact = svd_by(b, x, REGRET_SVD_EXACT);
    struct regret_svd *lanczos = svd_by(b, x, REGRET_SVD_LANCZOS);
    double values = 0.0, vectors = 0.0;
    for (size_t j = 0; j < exact->rank; j++) {
        values = fmax(values, fabs(lanczos->singular[j] / exact->singular[j] - 1.0));
        for (size_t i = 0; i < exact->n_columns; i++) {
            size_t at = i + j * exact->n_columns;
            vectors = fmax(vectors, fabs(lanczos->v[at] - exact->v[at]));
        }
    }
    printf(
        "\nLanczos against the exact method, %zu terms, rank %zu: singular values %.1e (relative), "
        "vectors %.1e\n",
        tfidf->n_terms, exact->rank, values, vectors);
    regret_svd_free(exact);
    regret_svd_free(lanczos);
    regret_csr_free(x);
    regret_tfidf_free(tfidf);
}

/* An OBS sample of 2,000 rows over the first 80 % of contexts, skewed to some agents. */
static void make_sample(struct bench *b)
{
    struct regret_rng r = regret_rng_at(2, REGRET_RNG_TEST, 0);
    require(REGRET_NEW(&b->count, b->n_pairs));
    require(REGRET_NEW(&b->labels, b->n_pairs * LABELS));
    require(REGRET_NEW(&b->statistics, b->n_pairs * REGRET_STATISTICS));
    require(REGRET_NEW(&b->z, b->n_pairs * 16));
    uint32_t train = (uint32_t)(b->n_contexts * 4 / 5);
    for (int i = 0; i < 2000; i++) {
        double u = regret_rng_uniform(&r);
        size_t agent = (size_t)(u * sqrt(u) * (double)b->n_agents);
        b->count[regret_rng_below(&r, train) * b->n_agents + agent] += 1.0;
    }
    for (size_t i = 0; i < b->n_pairs * LABELS; i++) {
        b->labels[i] = regret_rng_normal(&r);
    }
    size_t seen = 0;
    for (size_t i = 0; i < b->n_pairs; i++) {
        seen += b->count[i] > 0.0;
    }
    printf("%zu pairs, 2000 OBS rows on %zu of them\n", b->n_pairs, seen);
}

static void bench_per_replicate(struct bench *b)
{
    require(REGRET_NEW(&b->gram, b->n_pairs * b->n_pairs));
    require(REGRET_NEW(&b->coordinates, b->n_pairs * b->n_pairs));
    for (size_t i = 0; i < b->n_pairs; i++) {
        b->coordinates[i + i * b->n_pairs] = 1.0;
    }
    time_stage("once a pool: Gram of the features", 3, stage_gram, b);
    time_stage("a replicate: TF-IDF fit and transform", 5, stage_tfidf, b);
    time_stage("a replicate: TF-IDF + exact SVD, rank 50", 5, stage_exact, b);
    time_stage("a replicate: TF-IDF + Lanczos SVD, rank 50", 5, stage_lanczos, b);
    for (int kind = 0; kind < REGRET_PROXY_KINDS; kind++) {
        char name[64];
        b->proxy.kind = (enum regret_proxy_kind)kind;
        snprintf(name, sizeof name, "a replicate: proxy %s", regret_proxy_kind_name(b->proxy.kind));
        time_stage(name, 5, stage_proxy, b);
    }
    report_accuracy(b);
}

static void bench_free(struct bench *b)
{
    for (size_t x = 0; x < b->n_contexts; x++) {
        regret_free(b->context[x]);
    }
    for (size_t i = 0; i < b->n_pairs; i++) {
        regret_free(b->output[i]);
    }
    void *const owned[] = {b->context,    b->output, b->context_of, b->agent_of, b->labels,
                           b->statistics, b->count,  b->gram,       b->z,        b->coordinates};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
        regret_free(owned[i]);
    }
    regret_tokens_free(b->contexts);
    regret_tokens_free(b->outputs);
    regret_terms_free(b->terms);
    regret_csr_free(b->phi);
}

int main(int argc, char **argv)
{
    struct bench b = {.proxy = REGRET_PROXY_OPTIONS_INIT};
    b.n_contexts = argc > 1 ? strtoul(argv[1], NULL, 10) : 48;
    b.n_agents = argc > 2 ? strtoul(argv[2], NULL, 10) : 20;
    b.n_pairs = b.n_contexts * b.n_agents;
    if (b.n_contexts < 5 || b.n_agents < 1 || b.n_contexts > 100000 || b.n_agents > 1000) {
        fprintf(stderr, "usage: bench-text [contexts (5-100000) [agents (1-1000)]]\n");
        return 2;
    }
    openblas_set_num_threads(1);
    make_texts(&b);
    make_sample(&b);
    time_stage("once a pool: tokens", 3, stage_tokens, &b);
    time_stage("once a pool: features", 3, stage_features, &b);
    time_stage("once a pool: statistics", 3, stage_statistics, &b);
    time_stage("once a pool: term counts", 3, stage_terms, &b);
    printf("%zu feature entries, %zu terms, %zu term entries\n", regret_csr_entries(b.phi),
           b.terms->counts->cols, regret_csr_entries(b.terms->counts));
    if (b.n_pairs <= 4000) {
        bench_per_replicate(&b);
    }
    bench_free(&b);
    return 0;
}
