/* Baselines by tag and the means of the pool, recomputed from what `regret cell --export` writes. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/exported.h"
#include "experiment/fixture.h"
#include "regret/buffer.h"
#include "regret/report.h"
#include "regret/status.h"

TestSuite(tagged, .init = fixture_open, .fini = fixture_close);

enum { CONTEXTS = 8, AGENTS = 4, CELL = 1, SEED = 1, KINDS = 3 };
/* "c" is one context's alone; so is what has no tag, as in t-cross-fit.c. */
static const char *const TAGS[CONTEXTS] = {"a", "b", "b", "a", "c", "b", "a", "b"};
static const size_t KIND[CONTEXTS] = {0, 1, 1, 0, 2, 1, 0, 1};
static const double DIGITS = 2e-6;

static struct regret_pool *read_pool(void)
{
    struct regret_pool *pool = NULL;
    cr_assert_eq(regret_pool_read(&pool, sample_path("pool")), 0, "%s", regret_error_message());
    return pool;
}

static void write_pool(struct regret_pool *pool)
{
    cr_assert_eq(regret_pool_write(pool, sample_path("pool"), NULL, 1), 0, "%s",
                 regret_error_message());
    regret_pool_free(pool);
}

static void tag_contexts(void)
{
    struct regret_pool *pool = read_pool();
    for (size_t x = 0; x < CONTEXTS; x++) {
        cr_assert_eq(regret_strdup(&pool->contexts[x].tag, TAGS[x]), 0);
    }
    write_pool(pool);
}

/* The agent of the largest mean outcome in a file of rows, on contexts of the kind or, KINDS, on all; AGENTS: no row. */
static size_t best_of_rows(const struct exported *e, const char *file, size_t kind)
{
    size_t n = 0, best = AGENTS;
    double *context = exported_column(&n, e, file, 2), *agent = exported_column(&n, e, file, 3);
    double *y = exported_column(&n, e, file, 5), highest = -1.0;
    for (size_t a = 0; a < AGENTS; a++) {
        double sum = 0.0, rows = 0.0;
        for (size_t i = 0; i < n; i++) {
            int mine = (size_t)agent[i] == a && (kind == KINDS || KIND[(size_t)context[i]] == kind);
            sum += mine ? y[i] : 0.0;
            rows += mine;
        }
        if (rows > 0.0 && sum / rows > highest) {
            highest = sum / rows;
            best = a;
        }
    }
    free(context);
    free(agent);
    free(y);
    return best;
}

static double loss_of(const struct exported *e, size_t x, size_t agent)
{
    const double *mu = e->mu + (x * AGENTS);
    double best = mu[0];
    for (size_t a = 1; a < AGENTS; a++) {
        best = fmax(best, mu[a]);
    }
    return best - mu[agent];
}

/* Runs the configuration and holds the two baselines, row and lists, against all folds of the cell. */
static void check(const char *const *sets, size_t n_sets, size_t folds)
{
    static const char *const names[] = {"best-by-tag-exp", "best-by-tag-obs"};
    static const char *const files[] = {"exp.csv", "obs.csv"};
    struct regret_run_options o = fixture_options("r");
    struct regret_results *r = NULL;
    size_t choice[2][CONTEXTS], held_out[CONTEXTS] = {0};
    double loss[2][CONTEXTS], sum[2] = {0.0, 0.0}, n = 0.0;
    o.sets = sets;
    o.n_sets = n_sets;
    fixture_run(&o);
    for (size_t k = 0; k < folds; k++) {
        struct exported e;
        exported_make(&e, sets, n_sets, (struct exported_place){CELL, SEED, k});
        for (size_t i = 0; i < e.n_test; i++, n += 1.0) {
            size_t x = e.test[i];
            held_out[x] = 1;
            for (size_t b = 0; b < 2; b++) {
                size_t best = best_of_rows(&e, files[b], KIND[x]);
                choice[b][x] = best < AGENTS ? best : best_of_rows(&e, files[b], KINDS);
                loss[b][x] = loss_of(&e, x, choice[b][x]);
                sum[b] += loss[b][x];
            }
        }
        exported_close(&e);
    }
    cr_assert_eq(regret_results_read(&r, sample_path("r")), 0, "%s", regret_error_message());
    for (size_t b = 0; b < 2; b++) {
        size_t subject = regret_results_subject(r, REGRET_ROW_BASELINE, names[b]), at = 0;
        cr_assert_neq(subject, REGRET_NO_ROW);
        cr_assert_eq(r->subjects[subject].rule, REGRET_RULE_BY_TAG);
        cr_assert_str_eq(r->subjects[subject].source, b == 0 ? "EXP" : "OBS");
        cr_assert_float_eq(regret_results_value(r, REGRET_MEASURE_REGRET, subject, CELL, SEED),
                           sum[b] / n, 1e-12);
        struct regret_list_view c = regret_results_list(r, REGRET_LIST_CHOICE, subject, CELL, SEED);
        struct regret_list_view l = regret_results_list(r, REGRET_LIST_LOSS, subject, CELL, SEED);
        for (size_t x = 0; x < CONTEXTS; x++) {
            if (held_out[x]) {
                cr_assert_eq((size_t)c.number[at], choice[b][x], "%s, context %zu", names[b], x);
                cr_assert_float_eq(l.number[at], loss[b][x], DIGITS);
                at++;
            }
        }
        cr_assert_eq(c.n, at);
        cr_assert_eq(l.n, at);
    }
    regret_results_free(r);
}

Test(tagged, baselines_of_a_single_split)
{
    tag_contexts();
    check(NULL, 0, 1);
}

/* Few rows: agents that a tag has not seen. */
Test(tagged, baselines_of_few_rows_and_folds)
{
    tag_contexts();
    check((const char *const[]){"contexts.folds=3", "n_exp=6", "n_obs=8", "cv.folds=2"}, 4, 3);
}

/* A tag that is held out as a whole has no rows: the best of all rows. */
Test(tagged, a_tag_without_rows_has_the_best_of_all)
{
    tag_contexts();
    check((const char *const[]){"contexts.split=leave-one-tag-out"}, 1, 3);
    struct regret_results *r = NULL;
    cr_assert_eq(regret_results_read(&r, sample_path("r")), 0);
    for (size_t i = 0; i < r->n_cells * r->n_seeds; i++) {
        size_t cell = i % r->n_cells, seed = i / r->n_cells;
        double by_tag = regret_results_value(
            r, REGRET_MEASURE_REGRET,
            regret_results_subject(r, REGRET_ROW_BASELINE, "best-by-tag-exp"), cell, seed);
        double single = regret_results_value(
            r, REGRET_MEASURE_REGRET, regret_results_subject(r, REGRET_ROW_BASELINE, "best-exp"),
            cell, seed);
        cr_assert_eq(by_tag, single);
    }
    regret_results_free(r);
}

/* ---------------------------------------------------------------- means of the pool */

struct naive {
    double n, mean, sd;
};

/* Of agent `a`, or of it less `b` (AGENTS: nothing), on the contexts of the kind (KINDS: all) that both have. */
static struct naive naive_of(const double *mu, int lacks[CONTEXTS][AGENTS], size_t kind, size_t a,
                             size_t b)
{
    struct naive out = {0.0, 0.0, 0.0};
    double y[CONTEXTS];
    size_t n = 0;
    for (size_t x = 0; x < CONTEXTS; x++) {
        int there = !lacks[x][a] && (b == AGENTS || !lacks[x][b]);
        if (there && (kind == KINDS || KIND[x] == kind)) {
            y[n++] = mu[x * AGENTS + a] - (b < AGENTS ? mu[x * AGENTS + b] : 0.0);
        }
    }
    for (size_t i = 0; i < n; i++) {
        out.mean += y[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        out.sd += (y[i] - out.mean) * (y[i] - out.mean);
    }
    out.n = (double)n;
    out.mean = n > 0 ? out.mean : (double)NAN;
    out.sd = n > 1 ? sqrt(out.sd / (double)(n - 1)) : (double)NAN;
    return out;
}

static void near(double got, double want)
{
    cr_assert(isnan(want) ? isnan(got) : fabs(got - want) <= DIGITS, "%g, not %g", got, want);
}

static void check_group(const struct regret_run_means *m, const double *mu,
                        int lacks[CONTEXTS][AGENTS], size_t group)
{
    size_t kind = group == 0 ? (size_t)KINDS : group - 1, first = AGENTS, second = AGENTS;
    struct naive each[AGENTS];
    for (size_t a = 0; a < AGENTS; a++) {
        each[a] = naive_of(mu, lacks, kind, a, AGENTS);
        near(m->n[group * AGENTS + a], each[a].n);
        if (m->over != NULL) { /* tests/value/t-within.c has the rest */
            cr_assert(each[a].n > 0.0 || isnan(m->mean[group * AGENTS + a]));
            continue;
        }
        near(m->mean[group * AGENTS + a], each[a].mean);
        near(m->sd[group * AGENTS + a], each[a].sd);
        if (each[a].n > 0.0 && (first == AGENTS || each[a].mean > each[first].mean)) {
            second = first;
            first = a;
        } else if (each[a].n > 0.0 && (second == AGENTS || each[a].mean > each[second].mean)) {
            second = a;
        }
    }
    if (m->over != NULL) {
        return;
    }
    cr_assert_eq(m->first[group], first == AGENTS ? REGRET_NO_ROW : first);
    cr_assert_eq(m->second[group], second == AGENTS ? REGRET_NO_ROW : second);
    if (second < AGENTS) {
        struct naive lead = naive_of(mu, lacks, kind, first, second);
        near(m->pairs[group], lead.n);
        near(m->lead[group], lead.mean);
        near(m->lead_sd[group], lead.sd);
    }
}

/* The means of the run "r" against mu as the cell's export has it. */
static void check_means(const char *const *sets, size_t n_sets, size_t n_tags,
                        int lacks[CONTEXTS][AGENTS])
{
    struct regret_run_options o = fixture_options("r");
    struct regret_results *r = NULL;
    struct exported e;
    o.sets = sets;
    o.n_sets = n_sets;
    fixture_run(&o);
    exported_make(&e, sets, n_sets, (struct exported_place){CELL, SEED, 0});
    cr_assert_eq(regret_results_read(&r, sample_path("r")), 0, "%s", regret_error_message());
    cr_assert_eq(r->n_means, 1, "β does not change the reward");
    cr_assert_eq(r->means[0].n_tags, n_tags);
    for (size_t group = 0; group <= n_tags; group++) {
        check_group(&r->means[0], e.mu, lacks, group);
    }
    exported_close(&e);
    regret_results_free(r);
}

Test(tagged, means_by_tag)
{
    static int none[CONTEXTS][AGENTS];
    tag_contexts();
    check_means(NULL, 0, KINDS, none);
}

/* Agent 0 is not seen on tag "a", context 4 has one output alone. */
Test(tagged, means_leave_imputed_pairs_out)
{
    static int lacks[CONTEXTS][AGENTS];
    struct regret_pool *pool = read_pool();
    for (size_t x = 0; x < CONTEXTS; x++) {
        cr_assert_eq(regret_strdup(&pool->contexts[x].tag, TAGS[x]), 0);
    }
    size_t n = 0;
    for (size_t i = 0; i < pool->n_outputs; i++) {
        struct regret_output *at = &pool->outputs[i];
        int gone =
            (at->agent == 0 && KIND[at->context] == 0) || (at->agent > 0 && at->context == 4);
        lacks[at->context][at->agent] = gone;
        struct regret_output swap = pool->outputs[n];
        pool->outputs[n] = *at;
        *at = swap;
        n += !gone;
    }
    size_t all = pool->n_outputs;
    pool->n_outputs = n;
    cr_assert_eq(regret_pool_write(pool, sample_path("pool"), NULL, 1), 0, "%s",
                 regret_error_message());
    pool->n_outputs = all; /* those at the end are freed, too */
    regret_pool_free(pool);
    check_means((const char *const[]){"grid.policy=impute-zero"}, 1, KINDS, lacks);
}

/* A real pool keeps them without tags; a generated one does not, and neither has baselines by tag. */
Test(tagged, pools_without_tags)
{
    static int none[CONTEXTS][AGENTS];
    struct regret_results *r = NULL;
    struct regret_pool *pool = read_pool();
    pool->synthetic = 0;
    write_pool(pool);
    check_means(NULL, 0, 0, none);
    pool = read_pool();
    pool->synthetic = 1;
    write_pool(pool);
    fixture_make("s");
    cr_assert_eq(regret_results_read(&r, sample_path("s")), 0);
    cr_assert_eq(r->n_means, 0);
    cr_assert_eq(regret_results_subject(r, REGRET_ROW_BASELINE, "best-by-tag-exp"), REGRET_NO_ROW);
    char *run = fixture_read(NULL, "s/run.json");
    cr_assert_null(strstr(run, "\"baselines\""));
    cr_assert_null(strstr(run, "\"means\""));
    regret_free(run);
    regret_results_free(r);
}

static size_t times_in(const char *text, const char *word)
{
    size_t n = 0;
    for (const char *p = strstr(text, word); p != NULL; p = strstr(p + 1, word)) {
        n++;
    }
    return n;
}

/* A page shows two of them, CSV all. */
static void check_headings(const struct regret_results *r, const char *const *headings, size_t n)
{
    struct regret_buffer md = REGRET_BUFFER_INIT, csv = REGRET_BUFFER_INIT;
    cr_assert_eq(regret_report_table(&md, r, "means", REGRET_FORMAT_MARKDOWN), 0);
    cr_assert_eq(regret_report_table(&csv, r, "means", REGRET_FORMAT_CSV), 0);
    for (size_t i = 0; i < n; i++) {
        char heading[96];
        snprintf(heading, sizeof heading, "**%s: who is best**", headings[i]);
        cr_expect_eq(times_in(regret_buffer_get(&md), heading), i < 2, "%s", heading);
        snprintf(heading, sizeof heading, "%s: who is best,all,Best,", headings[i]);
        cr_expect_eq(times_in(regret_buffer_get(&csv), heading), 1, "%s", heading);
    }
    cr_expect_eq(times_in(regret_buffer_get(&md), "A page shows the first 2 of"), n > 2);
    regret_buffer_free(&md);
    regret_buffer_free(&csv);
}

/* Rewards along a parameter, of which there are more than a page shows. */
Test(tagged, many_rewards)
{
    static const char *const headings[] = {"reward.power = 2", "reward.power = 3",
                                           "reward.power = 4"};
    const char *sets[] = {"reward.map=sharpened", "sweep.reward.power=[2,3,4]"};
    struct regret_results *r = NULL;
    tag_contexts();
    fixture_make_with("r", sets, 2);
    cr_assert_eq(regret_results_read(&r, sample_path("r")), 0, "%s", regret_error_message());
    cr_assert_eq(r->n_means, 3);
    check_headings(r, headings, 3);
    regret_results_free(r);
}

/* Two rewards are two items, and shards of such a run join. */
Test(tagged, rewards_apart_and_shards_together)
{
    const char *sets[] = {"sweep.reward.map=[\"smooth\",\"sharpened\"]"};
    struct regret_results *r = NULL;
    tag_contexts();
    struct regret_run_options o = fixture_options("whole");
    o.sets = sets;
    o.n_sets = 1;
    fixture_run(&o);
    o.out = sample_path("one");
    o.shards = 2;
    o.shard = 1;
    fixture_run(&o);
    char one[512], two[512];
    snprintf(one, sizeof one, "%s", sample_path("one"));
    snprintf(two, sizeof two, "%s", sample_path("two"));
    o.out = two;
    o.shard = 2;
    fixture_run(&o);
    const char *const runs[] = {one, two};
    cr_assert_eq(regret_merge(sample_path("joined"), runs, 2, NULL), 0, "%s",
                 regret_error_message());
    fixture_same_run("whole", "joined");
    cr_assert_eq(regret_results_read(&r, sample_path("joined")), 0, "%s", regret_error_message());
    cr_assert_eq(r->n_means, 2);
    for (size_t i = 0; i < r->n_cells; i++) {
        size_t map = regret_results_key_value(r, i, REGRET_KEY_MAP);
        cr_assert_eq(r->cell_means[i] == r->cell_means[0],
                     map == regret_results_key_value(r, 0, REGRET_KEY_MAP));
    }
    check_headings(r, (const char *const[]){"reward.map = smooth", "reward.map = sharpened"}, 2);
    regret_results_free(r);
}

/* A damaged description is told as such. */
Test(tagged, bad_means_are_refused)
{
    static const struct {
        const char *from, *to, *says;
    } bad[] = {{"\"first\":[", "\"first\":[9", "\"first\" must hold"},
               {"\"contexts\":[8", "\"contexts\":[8,1", "\"contexts\" must hold 4 numbers"},
               {"\"pairs\":[8", "\"pairs\":[-8", "\"pairs\" must hold numbers from 0 to"},
               {"\"best-by-tag-exp\"", "\"best-by-moon\"", "\"baselines\" must hold names"}};
    tag_contexts();
    fixture_make("r");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct regret_results *r = NULL;
        struct regret_buffer text = REGRET_BUFFER_INIT;
        char *run = fixture_read(NULL, "r/run.json");
        char *at = strstr(run, bad[i].from);
        cr_assert_not_null(at, "%s", bad[i].from);
        regret_buffer_append_n(&text, run, (size_t)(at - run));
        regret_buffer_append(&text, bad[i].to);
        regret_buffer_append(&text, at + strlen(bad[i].from));
        FILE *f = fopen(sample_path("r/run.json"), "w");
        fputs(regret_buffer_get(&text), f);
        fclose(f);
        cr_assert_eq(regret_results_read(&r, sample_path("r")), REGRET_E_INPUT);
        cr_assert_not_null(strstr(regret_error_message(), bad[i].says), "%s",
                           regret_error_message());
        f = fopen(sample_path("r/run.json"), "w");
        fputs(run, f);
        fclose(f);
        regret_free(run);
        regret_buffer_free(&text);
    }
}
