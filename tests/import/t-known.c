/* What is known of contexts: covariates found, and what follows from scores kept out of them and of tags. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "import/guess/guess.h"
#include "import/guess_checks.h"
#include "pool/sample.h"
#include "regret/buffer.h"
#include "regret/hash.h"
#include "regret/import.h"

TestSuite(known, .fini = sample_cleanup);

enum { CONTEXTS = 60, AGENTS = 4 };

static double chance(size_t i, size_t k)
{
    uint64_t key[2] = {i, k + 29};
    return (double)(regret_hash64(key, sizeof key) >> 11) * 0x1p-53;
}

static double score_of(size_t i, size_t a)
{
    return 1.0 + floor(5.0 * chance(i, a));
}

/* What follows from the scores of context i. */
struct made {
    double mean, most, least;
    size_t best;
};

static struct made made_of(size_t i)
{
    struct made m = {0.0, -INFINITY, INFINITY, 0};
    for (size_t a = 0; a < AGENTS; a++) {
        double s = score_of(i, a);
        m.best = s > m.most ? a : m.best;
        m.mean += s / AGENTS;
        m.most = fmax(m.most, s);
        m.least = fmin(m.least, s);
    }
    return m;
}

#define KNOWN                                                                                      \
    "area,prompt_length,customer,is_long,category,hops,row,asked_at_id,rater_name,mostly,top,"     \
    "solved,hardness,score_spread,quality_max,notes,half_known,tiny"

/* Area is the tag; the first six of the rest are known of a request, the others not, or not of all. */
static void put_known(struct regret_buffer *out, size_t i)
{
    struct made m = made_of(i);
    size_t length = 5 + (size_t)(900.0 * chance(i, 91));
    regret_buffer_printf(out, "area%zu,%zu,cust%zu,%s,%zu,%.2f,", i % 3, length,
                         (size_t)(4.0 * chance(i, 92)), length > 300 ? "yes" : "no",
                         1 + (size_t)(5.0 * chance(i, 93)), 10.0 * chance(i, 94));
    regret_buffer_printf(out, "%zu,%zu,ann%zu,m%zu,%zu,%s,%s,%.0f,%.0f,%s,", i, 10000 + 17 * i,
                         (size_t)(3.0 * chance(i, 95)), m.best, (size_t)(40.0 * m.mean),
                         m.most >= 5.0 ? "yes" : "no",
                         m.mean < 2.6   ? "hard"
                         : m.mean < 3.4 ? "middling"
                                        : "easy",
                         m.most - m.least, m.most, i == 3 ? "" : "seen");
    if (i % 2 == 0) {
        regret_buffer_printf(out, "%zu", 100 + i % 7);
    }
    regret_buffer_printf(out, ",%.4g", 1e-7 * chance(i, 96));
}

static void write_wide(void)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_append(&text, "prompt_id,prompt," KNOWN ",m0,m1,m2,m3\n");
    for (size_t i = 0; i < CONTEXTS; i++) {
        regret_buffer_printf(&text, "p%zu,what is the matter with %zu,", i, i);
        put_known(&text, i);
        for (size_t a = 0; a < AGENTS; a++) {
            regret_buffer_printf(&text, ",%g", score_of(i, a));
        }
        regret_buffer_append(&text, "\n");
    }
    sample_write("t.csv", regret_buffer_get(&text));
    regret_buffer_free(&text);
}

static void write_long(void)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_append(&text, "prompt_id,prompt," KNOWN ",model,score,varies\n");
    for (size_t i = 0; i < (size_t)CONTEXTS * AGENTS; i++) {
        regret_buffer_printf(&text, "p%zu,what is the matter with %zu,", i / AGENTS, i / AGENTS);
        put_known(&text, i / AGENTS);
        regret_buffer_printf(&text, ",m%zu,%g,%s\n", i % AGENTS, score_of(i / AGENTS, i % AGENTS),
                             chance(i, 5) < 0.5 ? "on" : "off");
    }
    sample_write("t.csv", regret_buffer_get(&text));
    regret_buffer_free(&text);
}

static struct table_guess guessed(void)
{
    struct table_guess g;
    cr_assert_eq(table_guess_make(&g, sample_path("t.csv"), &(struct guess_known){0}), 0, "%s",
                 regret_error_message());
    return g;
}

static size_t column_of(const struct table_guess *g, const char *name)
{
    size_t k = 0;
    while (k < g->profile.n_columns && strcmp(g->profile.column[k].name, name) != 0) {
        k++;
    }
    cr_assert_lt(k, g->profile.n_columns, "no column %s", name);
    return k;
}

static void check_roles(const struct table_guess *g, const char *what)
{
    static const char *const COVARIATES[] = {"prompt_length", "customer", "is_long",
                                             "category",      "hops",     "tiny"};
    static const char *const NONE[] = {"row",         "asked_at_id", "rater_name", "mostly",
                                       "top",         "solved",      "hardness",   "score_spread",
                                       "quality_max", "half_known"};
    cr_expect_eq(g->role[column_of(g, "area")], GUESS_TAG, "%s: the tag", what);
    for (size_t i = 0; i < sizeof COVARIATES / sizeof *COVARIATES; i++) {
        cr_expect_eq(g->role[column_of(g, COVARIATES[i])], GUESS_COVARIATE, "%s: %s is %d", what,
                     COVARIATES[i], (int)g->role[column_of(g, COVARIATES[i])]);
    }
    for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++) {
        cr_expect_neq(g->role[column_of(g, NONE[i])], GUESS_COVARIATE, "%s: %s", what, NONE[i]);
        cr_expect_neq(g->role[column_of(g, NONE[i])], GUESS_TAG, "%s: %s", what, NONE[i]);
    }
    cr_expect_eq(g->leak[column_of(g, "mostly")], GUESS_AGENTS_NAMES, "%s", what);
    cr_expect_eq(g->leak[column_of(g, "hardness")], GUESS_FROM_SCORES, "%s", what);
    cr_expect_eq(g->leak[column_of(g, "top")], GUESS_FROM_SCORES, "%s", what);
    cr_expect_eq(g->leak[column_of(g, "customer")], GUESS_NO_LEAK, "%s", what);
    cr_expect_eq(g->leak[column_of(g, "tiny")], GUESS_NO_LEAK, "%s", what);
}

/* In the pool, and switched on. */
static void check_written(const struct table_guess *g, const char *what)
{
    struct regret_table_report r;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    struct regret_pool *pool = NULL;
    guess_imports(&r, g, "t.csv");
    cr_assert_eq(regret_pool_read(&pool, sample_path("p")), 0);
    cr_expect_eq(pool->n_columns, g->n_covariates, "%s", what);
    cr_expect_str_eq(pool->columns[0].name, "prompt_length");
    cr_expect_eq(pool->columns[0].kind, REGRET_COLUMN_NUMBER);
    cr_expect_eq(pool->columns[1].kind, REGRET_COLUMN_WORD);
    cr_expect_eq(pool->columns[3].kind, REGRET_COLUMN_WORD, "numbers of a kind are words");
    regret_pool_free(pool);
    table_guess_config(&text, g);
    cr_expect_not_null(strstr(regret_buffer_get(&text), "\"features.agent_columns\": "), "%s",
                       what);
    regret_buffer_free(&text);
    table_guess_explain(&text, g);
    cr_expect_not_null(strstr(regret_buffer_get(&text), "covariate  customer, a word"), "%s", what);
    cr_expect_not_null(strstr(regret_buffer_get(&text), "made of the scores, it seems"), "%s",
                       what);
    cr_expect_not_null(strstr(regret_buffer_get(&text), "mostly: names of agents"), "%s", what);
    regret_buffer_free(&text);
}

Test(known, covariates_are_found_and_no_leak)
{
    static void (*const tables[])(void) = {write_wide, write_long};
    for (size_t i = 0; i < 2; i++) {
        tables[i]();
        struct table_guess g = guessed();
        cr_assert_eq(g.is_wide, i == 0);
        check_roles(&g, i == 0 ? "wide" : "long");
        check_written(&g, i == 0 ? "wide" : "long");
        if (i == 1) {
            cr_expect_eq(g.role[column_of(&g, "varies")], GUESS_NONE, "it varies within a context");
        }
        table_guess_free(&g);
    }
}

static void says(const struct table_guess *g, const char *line)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    table_guess_explain(&text, g);
    cr_expect_not_null(strstr(regret_buffer_get(&text), line), "no %s in\n%s", line,
                       regret_buffer_get(&text));
    regret_buffer_free(&text);
}

/* A column of one value is out, and one that is mostly blank; of fewer blanks a number stays. All that is said. */
Test(known, why_a_column_is_left_out)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_append(&text,
                         "prompt_id,prompt,kind,age,once,const,shop,row,asked_at_id,none,m0,m1\n");
    for (size_t i = 0; i < CONTEXTS; i++) {
        regret_buffer_printf(&text, "p%zu,what is the matter with %zu,%s,", i, i,
                             i % 2 == 0 ? "even" : "odd");
        if (i != 7) {
            regret_buffer_printf(&text, "%zu", 20 + (size_t)(50.0 * chance(i, 91)));
        }
        if (i % 3 == 0) {
            regret_buffer_printf(&text, ",%zu", i * i);
        } else {
            regret_buffer_append(&text, ",NA");
        }
        regret_buffer_printf(&text, ",here,s%zu,%zu,%zu,,%g,%g\n", i, i, 10000 + 17 * i,
                             score_of(i, 0), score_of(i, 1));
    }
    sample_write("t.csv", regret_buffer_get(&text));
    regret_buffer_free(&text);
    struct table_guess g = guessed();
    says(&g,
         "  covariate  age, a number, blank in 1 of 60 rows: the column's mean stands for them\n");
    says(&g, "  left out   once, empty in 40 of 60 rows: fill it in to have a covariate\n");
    says(&g, "  left out   const, the same everywhere\n");
    says(&g, "  left out   shop, 60 kinds of 60 contexts\n");
    says(&g, "  left out   row, which counts the contexts\n");
    says(&g, "  left out   asked_at_id, by its name an id, an answer, a cost or a score\n");
    says(&g, "  left out   none, which holds nothing\n");
    table_guess_free(&g);
    write_long();
    g = guessed();
    says(&g, "  left out   mostly, see below\n");
    says(&g, "  left out   varies, which differs between the rows of a context\n");
    table_guess_free(&g);
}

/* A column whose levels decide who is good is no leak, with noise or without. */
Test(known, what_decides_is_no_leak)
{
    for (int noise = 0; noise < 2; noise++) {
        struct regret_buffer text = REGRET_BUFFER_INIT;
        regret_buffer_append(&text, "prompt_id,prompt,customer,m0,m1,m2\n");
        for (size_t i = 0; i < CONTEXTS; i++) {
            regret_buffer_printf(&text, "p%zu,what is the matter with %zu,cust%zu", i, i, i % 3);
            for (size_t a = 0; a < 3; a++) {
                double s = (a == i % 3 ? 4.0 : 2.0 + (double)(i % 3) / 4.0) + noise * chance(i, a);
                regret_buffer_printf(&text, ",%.2f", s);
            }
            regret_buffer_append(&text, "\n");
        }
        sample_write("t.csv", regret_buffer_get(&text));
        regret_buffer_free(&text);
        struct table_guess g = guessed();
        cr_expect_eq(g.leak[column_of(&g, "customer")], GUESS_NO_LEAK, "noise %d", noise);
        cr_expect_eq(g.role[column_of(&g, "customer")], GUESS_TAG, "noise %d", noise);
        table_guess_free(&g);
    }
}

/* Few contexts tell nothing of covariates. */
Test(known, few_contexts_have_none)
{
    sample_write("t.csv", "id,length,a,b,c\nx,5,1,2,3\ny,9,2,2,1\nz,7,3,1,2\n");
    struct table_guess g = guessed();
    cr_expect_eq(g.n_covariates, 0);
    says(&g, "  left out   length, of too few contexts");
    table_guess_free(&g);
}
