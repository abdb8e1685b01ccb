/* The library on several threads: what it starts itself, and callers with threads of their own. A
 * program without Criterion, which does not start under the thread sanitizer; there every case also
 * shows that nothing is shared without a lock.
 *
 * Usage: test-threads-library SOURCE */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "rate/typos.h"
#include "regret/buffer.h"
#include "regret/estimate.h"
#include "regret/experiment.h"
#include "regret/pool.h"
#include "regret/report.h"
#include "regret/status.h"
#include "regret/synth.h"
#include "regret/task.h"
#include "regret/text.h"
#include "stats/resampling.h"
#include "synth/newswire.h"

static char folder[64] = "/tmp/regret-library-XXXXXX";
static const char *source, *now = "starting";

static void expect(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "threads: %s: not so: %s (last message: %s)\n", now, what,
                regret_error_message());
        regret_folder_remove(folder);
        exit(1);
    }
}

#define EXPECT(condition) expect(condition, #condition)

static char *in(const char *where, const char *name)
{
    char *path = NULL;
    EXPECT(regret_path_join(&path, where, name) == 0);
    return path;
}

/* ---- Jobs ---- */

enum { JOBS = 2000 };

struct squares {
    size_t out[JOBS];
    size_t fail_from;
};

static int square(void *context, size_t index, size_t worker)
{
    struct squares *s = context;
    (void)worker;
    s->out[index] = index * index;
    return index < s->fail_from ? 0 : regret_fail(REGRET_E_NUMERIC, "job %zu", index);
}

static void jobs(void)
{
    static struct squares s;
    s.fail_from = JOBS;
    EXPECT(regret_parallel_for(JOBS, 4, square, &s) == 0);
    for (size_t i = 0; i < JOBS; i++) {
        EXPECT(s.out[i] == i * i);
    }
    /* Messages belong to threads; the one of the failed job arrives here. */
    s.fail_from = 100;
    EXPECT(regret_parallel_for(JOBS, 4, square, &s) == REGRET_E_NUMERIC);
    EXPECT(strncmp(regret_error_message(), "job 1", 5) == 0);
    double worst = 1.0;
    EXPECT(regret_blas_self_check(4, &worst) == 0 && worst < 1e-10);
}

/* ---- Bootstraps and replications ---- */

enum { ROWS = 200, REPLICATES = 400 };

static int weighted_mean(void *context, double *out, const double *weight, size_t worker)
{
    const double *x = context;
    (void)worker;
    *out = 0.0;
    for (size_t i = 0; i < ROWS; i++) {
        *out += weight[i] * x[i] / ROWS;
    }
    return 0;
}

static void bootstraps(void)
{
    static double x[ROWS], one[REPLICATES], four[REPLICATES];
    struct regret_rng rng = regret_rng_at(1, REGRET_RNG_TEST, 0);
    for (size_t i = 0; i < ROWS; i++) {
        x[i] = regret_rng_normal(&rng);
    }
    struct regret_bootstrap_options o = {REPLICATES, 5, 0, 1};
    EXPECT(regret_bootstrap(one, ROWS, 1, &o, weighted_mean, x) == 0);
    o.threads = 4;
    EXPECT(regret_bootstrap(four, ROWS, 1, &o, weighted_mean, x) == 0);
    EXPECT(memcmp(one, four, sizeof one) == 0);
}

static void rate_worlds(void)
{
    struct regret_rate_world_result one[REGRET_RATE_N_WORLD_ESTIMATORS],
        four[REGRET_RATE_N_WORLD_ESTIMATORS];
    for (size_t w = 0; w < REGRET_RATE_N_WORLDS; w++) {
        memset(one, 0, sizeof one);
        memset(four, 0, sizeof four);
        EXPECT(regret_rate_world_run(one, &regret_rate_worlds()[w], 60, 40, 3, 1) == 0);
        EXPECT(regret_rate_world_run(four, &regret_rate_worlds()[w], 60, 40, 3, 4) == 0);
        EXPECT(memcmp(one, four, sizeof one) == 0);
    }
}

/* ---- Proxies that share a source ---- */

enum { TEXTS = 40, LABELS = 4, COORDINATES = 6, DIM = 5, FITS = 12 };

struct fits {
    struct regret_proxy_source source;
    double count[TEXTS], z[FITS][TEXTS * DIM];
};

static int fit(void *context, size_t index, size_t worker)
{
    struct fits *f = context;
    struct regret_proxy_options o = REGRET_PROXY_OPTIONS_INIT;
    size_t dim = 0;
    (void)worker;
    o.kind = (enum regret_proxy_kind)(index % REGRET_PROXY_KINDS);
    o.dim = DIM;
    o.tfidf_rank = 8;
    return regret_proxy_fit(f->z[index], &dim, &f->source, f->count, &o);
}

static void proxies(void)
{
    static struct fits one, four;
    static double aux[TEXTS * LABELS], coordinates[TEXTS * COORDINATES];
    static char text[TEXTS][160];
    const char *texts[TEXTS];
    struct regret_tokens *tokens = NULL;
    struct regret_terms *terms = NULL;
    struct regret_terms_options options = REGRET_TERMS_OPTIONS_INIT;
    struct regret_rng rng = regret_rng_at(2, REGRET_RNG_TEST, 0);
    for (size_t i = 0; i < TEXTS * LABELS; i++) {
        aux[i] = regret_rng_normal(&rng);
    }
    for (size_t i = 0; i < TEXTS * COORDINATES; i++) {
        coordinates[i] = regret_rng_normal(&rng);
    }
    for (size_t i = 0; i < TEXTS; i++) {
        for (int w = 0; w < 10; w++) {
            size_t n = strlen(text[i]);
            snprintf(text[i] + n, sizeof text[i] - n, "word%u ", regret_rng_below(&rng, 30));
        }
        texts[i] = text[i];
        one.count[i] = (double)(i % 3);
    }
    EXPECT(regret_tokens_build(&tokens, texts, TEXTS) == 0);
    EXPECT(regret_terms_build(&terms, tokens, &options) == 0);
    const struct regret_design features = regret_design_dense(TEXTS, COORDINATES, coordinates);
    one.source = (struct regret_proxy_source){
        .n_pairs = TEXTS, .aux = aux, .n_aux = LABELS, .terms = terms, .features = &features};
    four = one;
    EXPECT(regret_parallel_for(FITS, 1, fit, &one) == 0);
    EXPECT(regret_parallel_for(FITS, 4, fit, &four) == 0);
    EXPECT(memcmp(one.z, four.z, sizeof one.z) == 0);
    regret_terms_free(terms);
    regret_tokens_free(tokens);
}

/* ---- What is made of texts ---- */

enum { ANSWERS = 3000, ASKED = 100, WORDS = 64, VOCABULARY = 400 };

struct made {
    struct regret_tokens *contexts, *outputs;
    struct regret_csr *phi;
    struct regret_terms *terms;
    double statistics[ANSWERS * REGRET_STATISTICS];
};

static int make(struct made *m, const char *const *texts, const uint32_t *context, int bigrams)
{
    const struct regret_terms_options options = {bigrams, 1};
    const struct regret_feature_options features = REGRET_FEATURE_OPTIONS_INIT;
    TRY(regret_tokens_build(&m->contexts, texts, ASKED));
    TRY(regret_tokens_build(&m->outputs, texts, ANSWERS));
    const struct regret_pairs pairs = {
        .n_pairs = ANSWERS, .contexts = m->contexts, .outputs = m->outputs, .context = context};
    TRY(regret_features_build(&m->phi, &pairs, &features));
    TRY(regret_terms_build(&m->terms, m->outputs, &options));
    return regret_text_statistics(m->statistics, &pairs);
}

static void made_free(struct made *m)
{
    regret_tokens_free(m->contexts);
    regret_tokens_free(m->outputs);
    regret_csr_free(m->phi);
    regret_terms_free(m->terms);
    *m = (struct made){0};
}

static int same_matrix(const struct regret_csr *a, const struct regret_csr *b)
{
    size_t n = regret_csr_entries(a);
    return a->cols == b->cols && regret_csr_entries(b) == n &&
           memcmp(a->row_start, b->row_start, (a->rows + 1) * sizeof *a->row_start) == 0 &&
           memcmp(a->column, b->column, n * sizeof *a->column) == 0 &&
           memcmp(a->value, b->value, n * sizeof *a->value) == 0;
}

static int same_tokens(const struct regret_tokens *a, const struct regret_tokens *b)
{
    size_t n = a->start[a->n_texts];
    return memcmp(a->start, b->start, (a->n_texts + 1) * sizeof *a->start) == 0 &&
           memcmp(a->hash, b->hash, n * sizeof *a->hash) == 0 &&
           memcmp(a->is_number, b->is_number, n) == 0 &&
           memcmp(a->shape, b->shape, a->n_texts * sizeof *a->shape) == 0;
}

/* Words are numbered by first appearance, and all of them counted. */
static int numbered(const struct regret_terms *terms, const struct regret_tokens *tokens)
{
    size_t known = 0, n = tokens->start[tokens->n_texts];
    double sum = 0.0;
    for (size_t t = 0; t < n; t++) {
        size_t j = 0;
        while (j < known && terms->hash[j] != tokens->hash[t]) {
            j++;
        }
        known += j == known && known < terms->counts->cols && terms->hash[known] == tokens->hash[t];
        if (j > known) {
            return 0;
        }
    }
    for (size_t e = 0; e < regret_csr_entries(terms->counts); e++) {
        sum += terms->counts->value[e];
    }
    return known == terms->counts->cols && sum == (double)n;
}

static void texts_by_threads(void)
{
    static char text[ANSWERS][WORDS * 8];
    static const char *texts[ANSWERS];
    static uint32_t context[ANSWERS];
    static struct made one, many;
    struct regret_rng rng = regret_rng_at(3, REGRET_RNG_TEST, 0);
    for (size_t i = 0; i < ANSWERS; i++) {
        size_t words = i % 500 == 7 ? 0 : 16 + i % (WORDS - 16), n = 0;
        for (size_t w = 0; w < words; w++) {
            n += (size_t)snprintf(text[i] + n, sizeof text[i] - n, "w%u%s",
                                  regret_rng_below(&rng, VOCABULARY), w % 9 == 8 ? ". " : " ");
        }
        texts[i] = text[i];
        context[i] = (uint32_t)(i % ASKED);
    }
    EXPECT(make(&one, texts, context, 0) == 0 && numbered(one.terms, one.outputs));
    made_free(&one);
    EXPECT(make(&one, texts, context, 1) == 0);
    for (size_t threads = 2; threads < 8; threads = 2 * threads - 1) { /* 2, 3, 5 */
        size_t before = regret_threads_allow(threads);
        EXPECT(make(&many, texts, context, 1) == 0);
        EXPECT(same_tokens(one.contexts, many.contexts) && same_tokens(one.outputs, many.outputs));
        EXPECT(same_matrix(one.phi, many.phi) &&
               same_matrix(one.terms->counts, many.terms->counts));
        EXPECT(memcmp(one.terms->hash, many.terms->hash,
                      one.terms->counts->cols * sizeof *one.terms->hash) == 0);
        EXPECT(memcmp(one.statistics, many.statistics, sizeof one.statistics) == 0);
        made_free(&many);
        for (long k = 0; k < 1000; k += 1 + k / 4) {
            regret_alloc_fail_after(k);
            int rc = make(&many, texts, context, 1);
            regret_alloc_fail_after(-1);
            made_free(&many);
            EXPECT(rc == 0 || rc == REGRET_E_NOMEM);
            if (rc == 0) {
                break;
            }
        }
        regret_threads_restore(&before);
    }
    EXPECT(regret_threads_allowed() == 1);
    made_free(&one);
}

/* ---- Runs that end early ---- */

static char *config;

static struct regret_run_options run_options(const char *out)
{
    struct regret_run_options o = REGRET_RUN_OPTIONS_INIT;
    o.config = config;
    o.out = out;
    o.threads = 4;
    return o;
}

static int stop_after_five(void *context, const struct regret_progress *progress)
{
    size_t *calls = context;
    ++*calls;
    return progress->done - progress->resumed >= 5;
}

static char *rows_of(const char *run)
{
    char *path = in(run, "results-1-of-1.jsonl"), *text = NULL;
    EXPECT(regret_file_read(&text, NULL, path, (size_t)1 << 24) == 0);
    regret_free(path);
    return text;
}

/* Cancelled by the callback, or for want of memory on whichever thread meets it first; gone on with,
 * the rows are those of a run that nobody disturbed. */
static void cut_runs(void)
{
    char *whole = in(folder, "whole"), *cut = in(folder, "cut");
    struct regret_run_options o = run_options(whole);
    struct regret_run_summary summary;
    size_t calls = 0;
    EXPECT(regret_run(&summary, &o) == 0);
    o = run_options(cut);
    o.progress = stop_after_five;
    o.progress_context = &calls;
    EXPECT(regret_run(&summary, &o) == REGRET_E_CANCELLED && calls >= 5);
    o = run_options(cut);
    o.resume = 1;
    for (long k = 2000; k < 20000; k += 3000) {
        regret_alloc_fail_after(k);
        int rc = regret_run(&summary, &o);
        regret_alloc_fail_after(-1);
        EXPECT(rc == 0 || rc == REGRET_E_NOMEM);
    }
    EXPECT(regret_run(&summary, &o) == 0);
    char *a = rows_of(whole), *b = rows_of(cut);
    EXPECT(strlen(a) > 0 && strcmp(a, b) == 0);
    regret_free(a);
    regret_free(b);
    regret_free(whole);
    regret_free(cut);
}

/* ---- Callers with threads of their own ---- */

static void read_and_report(size_t index)
{
    char name[32], *run = in(folder, "whole");
    struct regret_results *results = NULL;
    snprintf(name, sizeof name, "report-%zu", index);
    char *out = in(folder, name);
    EXPECT(regret_report_write(run, out, NULL) == 0);
    EXPECT(regret_results_read(&results, run) == 0);
    regret_results_free(results);
    regret_free(out);
    regret_free(run);
}

static void read_and_pack(size_t index)
{
    char name[32], *pool_path = in(folder, "pool");
    struct regret_pool *pool = NULL;
    snprintf(name, sizeof name, "pool-%zu", index);
    char *out = in(folder, name);
    EXPECT(regret_pool_read(&pool, pool_path) == 0);
    EXPECT(regret_pool_write(pool, out, NULL, 0) == 0);
    regret_pool_free(pool);
    regret_free(out);
    regret_free(pool_path);
}

static void read_and_estimate(void)
{
    char *path = in(source, "data/rate/rows.jsonl");
    const char *paths[] = {path};
    const struct regret_rate_read_options how = {.need_scores = 1, .keep_texts = 1};
    const struct regret_rate_options options = {.bootstrap = 20, .seed = 1, .threads = 2};
    struct regret_rate_rows *rows = NULL;
    struct regret_rate_estimate *estimates = NULL;
    size_t n = 0;
    EXPECT(regret_rate_read(&rows, paths, 1, &how) == 0);
    EXPECT(regret_rate_predict_w(rows, "text") == 0);
    EXPECT(regret_rate_rows_finish(rows) == 0);
    EXPECT(regret_rate_estimate(&estimates, &n, rows, &options) == 0 && n > 0);
    regret_free(estimates);
    regret_rate_rows_free(rows);
    regret_free(path);
}

static void run_one(size_t index)
{
    char name[32];
    struct regret_run_summary summary;
    snprintf(name, sizeof name, "run-%zu", index);
    char *out = in(folder, name);
    struct regret_run_options o = run_options(out);
    o.threads = 2;
    EXPECT(regret_run(&summary, &o) == 0);
    char *whole = in(folder, "whole"), *a = rows_of(whole), *b = rows_of(out);
    EXPECT(strcmp(a, b) == 0);
    regret_free(a);
    regret_free(b);
    regret_free(whole);
    regret_free(out);
}

static int call(void *context, size_t index, size_t worker)
{
    (void)context;
    (void)worker;
    switch (index % 4) {
    case 0:
        run_one(index);
        break;
    case 1:
        read_and_report(index);
        break;
    case 2:
        read_and_pack(index);
        break;
    default:
        read_and_estimate();
    }
    return 0;
}

/* Unrelated calls at the same time: the library has no state but each thread's message, and how many it may share out to. */
static void callers(void)
{
    EXPECT(regret_parallel_for(8, 4, call, NULL) == 0);
}

static void prepare(void)
{
    static const char keys[] =
        "{\"pool\": \"pool\", \"contexts.hard\": 0, \"seeds\": 6, \"n_obs\": 40, \"n_exp\": 20,"
        " \"features.buckets\": 64, \"proxy.dim\": 4, \"sweep\": {\"beta\": [0, 1]}}";
    const struct regret_synth_options options = {1, 4, 1};
    const struct regret_generator *generator = NULL;
    struct regret_pool *pool = NULL;
    EXPECT(mkdtemp(folder) != NULL);
    char *path = in(folder, "pool");
    EXPECT(regret_generator_find(&generator, "synth:newswire") == 0);
    EXPECT(regret_synth_pool(&pool, generator, &options) == 0);
    EXPECT(regret_pool_write(pool, path, NULL, 0) == 0);
    regret_pool_free(pool);
    regret_free(path);
    config = in(folder, "config.json");
    EXPECT(regret_file_write(config, keys, sizeof keys - 1) == 0);
}

int main(int argc, char **argv)
{
    EXPECT(synth_register() == 0);
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {{"jobs", jobs},       {"bootstraps", bootstraps},  {"rate worlds", rate_worlds},
                 {"proxies", proxies}, {"texts", texts_by_threads}, {"cut runs", cut_runs},
                 {"callers", callers}};
    if (argc != 2) {
        fputs("usage: test-threads-library SOURCE\n", stderr);
        return 2;
    }
    source = argv[1];
    regret_blas_set_threads(1);
    prepare();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        now = cases[i].name;
        cases[i].run();
        printf("%s: the same on any number of threads\n", now);
        fflush(stdout);
    }
    regret_free(config);
    EXPECT(regret_folder_remove(folder) == 0);
    return 0;
}
