/* Regret by tag, of rows whose numbers are few enough to take means of by hand. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regret/report.h"
#include "regret/task.h"
#include "report/cautions.h"
#include "report/csv_records.h"
#include "report/made_run.h"
#include "stats/distributions.h"

enum { CELLS = 2, SEEDS = 5, CONTEXTS = 12, SUBJECTS = 5 };
static const char *const NAMES[SUBJECTS] = {"exp-only", "cvci", "random", "best-exp",
                                            "best-by-tag-exp"};
static const char *const KINDS[SUBJECTS] = {"family", "family", "baseline", "baseline", "baseline"};
static const char *const TAGS[3] = {"news", NULL, "a<b>"};

static size_t kind[CONTEXTS];
static int held[SEEDS][CONTEXTS];
static double loss[CELLS][SEEDS][SUBJECTS][CONTEXTS];

TestSuite(report_tags, .init = made_begin, .fini = made_end);

/* Losses of four digits, contexts held out and kinds at random; the last seed holds out none of kind 2. */
static void invent(void)
{
    struct regret_rng rng = regret_rng_at(3, REGRET_RNG_TEST, 0);
    for (size_t x = 0; x < CONTEXTS; x++) {
        kind[x] = x < 3 ? x : regret_rng_below(&rng, 3);
        for (size_t s = 0; s < SEEDS; s++) {
            held[s][x] = x < 3 || regret_rng_below(&rng, 2);
            held[s][x] = held[s][x] && !(s == SEEDS - 1 && kind[x] == 2);
        }
    }
    for (size_t i = 0; i < CELLS * SEEDS * SUBJECTS * CONTEXTS; i++) {
        (&loss[0][0][0][0])[i] = floor(1e4 * regret_rng_uniform(&rng)) / 1e4;
    }
}

static void write_head(const char *extra)
{
    FILE *f = fopen(made_path(folder, "run.json"), "w");
    fprintf(f, "{\"format\":\"regret-run-1\",\"results_version\":1,\"config\":{\"pool\":\"p\"},"
               "\"pool\":{\"name\":\"tiny\",\"synthetic\":false,\"contexts\":12,\"agents\":2,"
               "\"draws\":1},\"grids\":[{\"agents\":[\"a\",\"b\"],\"contexts\":[");
    for (size_t x = 0; x < CONTEXTS; x++) {
        fprintf(f, "%s\"x%zu\"", x > 0 ? "," : "", x);
    }
    fprintf(
        f,
        "]%s}],\"version\":\"0.1.0\",\"blas\":{\"build\":\"b\",\"kernel\":\"k\"},"
        "\"families\":[\"exp-only\",\"cvci\"],\"baselines\":[\"oracle\",\"random\",\"best-exp\","
        "\"best-by-tag-exp\"],\"cells\":[",
        extra);
    for (size_t c = 0; c < CELLS; c++) {
        fprintf(f,
                "%s{\"cell\":%zu,\"key\":{\"reward.map\":\"smooth\",\"beta\":%zu,\"n_obs\":60,"
                "\"n_exp\":40}}",
                c > 0 ? "," : "", c, c);
    }
    fprintf(f, "],\"seeds\":%d,\"shard\":\"1/1\",\"replicates\":%d}\n", SEEDS, CELLS * SEEDS);
    fclose(f);
}

/* A list by the contexts held out: which they are, their losses, or 0 and 1 in turn. */
static void put_list(FILE *f, const char *name, size_t seed, const double *of, int choice)
{
    const char *before = "";
    fprintf(f, ",\"%s\":[", name);
    for (size_t x = 0; x < CONTEXTS; x++) {
        if (held[seed][x]) {
            fprintf(f, "%s%.10g", before,
                    of != NULL ? of[x]
                    : choice   ? (double)(x % 2)
                               : (double)x);
            before = ",";
        }
    }
    fprintf(f, "]");
}

static double mean_loss(size_t seed, const double *of)
{
    double sum = 0.0, n = 0.0;
    for (size_t x = 0; x < CONTEXTS; x++) {
        sum += held[seed][x] ? of[x] : 0.0;
        n += held[seed][x];
    }
    return sum / n;
}

static void write_rows(void)
{
    static const double zeros[CONTEXTS] = {0};
    FILE *f = fopen(made_path(folder, "results-1-of-1.jsonl"), "w");
    for (size_t i = 0; i < SEEDS * CELLS * (SUBJECTS + 1); i++) {
        size_t s = i / (SUBJECTS + 1) / CELLS, c = i / (SUBJECTS + 1) % CELLS,
               j = i % (SUBJECTS + 1);
        const double *losses = j < SUBJECTS ? loss[c][s][j] : zeros;
        fprintf(f,
                "{\"cell\":%zu,\"seed\":%zu,\"key\":{\"reward.map\":\"smooth\",\"beta\":%zu,"
                "\"n_obs\":60,\"n_exp\":40},\"kind\":\"%s\",\"family\":\"%s\",\"regret\":%.10g",
                c, s, c, j < SUBJECTS ? KINDS[j] : "baseline", j < SUBJECTS ? NAMES[j] : "oracle",
                mean_loss(s, losses));
        if (j == SUBJECTS) {
            put_list(f, "context", s, NULL, 0);
        }
        put_list(f, "choice", s, NULL, 1);
        put_list(f, "loss", s, losses, 0);
        fprintf(f, "}\n");
    }
    fclose(f);
}

static struct csv_records make_table(void)
{
    struct regret_results *r = NULL;
    struct regret_buffer csv = REGRET_BUFFER_INIT;
    cr_assert_eq(regret_results_read(&r, folder), 0, "%s", regret_error_message());
    cr_assert_eq(regret_report_table(&csv, r, "tags", REGRET_FORMAT_CSV), 0, "%s",
                 regret_error_message());
    struct csv_records records = csv_parse(regret_buffer_get(&csv));
    regret_buffer_free(&csv);
    regret_results_free(r);
    return records;
}

/* Of a seed; NaN where it held out no such context. */
static double naive(size_t subject, size_t tag, size_t seed)
{
    double mean = 0.0;
    for (size_t c = 0; c < CELLS; c++) {
        double sum = 0.0, n = 0.0;
        for (size_t x = 0; x < CONTEXTS; x++) {
            if (held[seed][x] && kind[x] == tag) {
                sum += loss[c][seed][subject][x];
                n += 1.0;
            }
        }
        mean += n > 0.0 ? sum / n / CELLS : (double)NAN;
    }
    return mean;
}

/* Mean and error over seeds of a subject, or of what it has more than another. */
static void naive_estimate(double *mean, double *se, size_t *n, size_t subject, size_t less,
                           size_t tag)
{
    double x[SEEDS], squares = 0.0;
    *n = 0;
    *mean = 0.0;
    for (size_t s = 0; s < SEEDS; s++) {
        double v = naive(subject, tag, s) - (less < SUBJECTS ? naive(less, tag, s) : 0.0);
        if (!isnan(v)) {
            x[(*n)++] = v;
            *mean += v;
        }
    }
    *mean /= (double)*n;
    for (size_t i = 0; i < *n; i++) {
        squares += pow(x[i] - *mean, 2);
    }
    *se = sqrt(squares / (double)(*n - 1) / (double)*n);
}

static void expect(const struct csv_records *t, const char *block, const char *row,
                   const char *column, double value, double se)
{
    size_t found = 0;
    for (size_t i = 1; i < t->n; i++) {
        char *const *f = t->fields[i];
        if (strcmp(f[0], block) == 0 && strcmp(f[1], row) == 0 && strcmp(f[2], column) == 0) {
            cr_expect_float_eq(strtod(f[3], NULL), value, 1e-12, "%s, %s", row, column);
            cr_expect_float_eq(strtod(f[4], NULL), se, 1e-12, "%s, %s: ±", row, column);
            found++;
        }
    }
    cr_assert_eq(found, 1, "%zu of %s, %s, %s", found, block, row, column);
}

static void write_tags(char *out, size_t size)
{
    size_t n = (size_t)snprintf(out, size, ",\"tags\":[");
    for (size_t x = 0; x < CONTEXTS; x++) {
        const char *tag = TAGS[kind[x]], *quote = tag != NULL ? "\"" : "";
        n += (size_t)snprintf(out + n, size - n, "%s%s%s%s", x > 0 ? "," : "", quote,
                              tag != NULL ? tag : "null", quote);
    }
    snprintf(out + n, size - n, "]");
}

Test(report_tags, means_by_hand)
{
    char tags[400];
    size_t times[3] = {0};
    invent();
    write_tags(tags, sizeof tags);
    write_head(tags);
    write_rows();
    for (size_t x = 0; x < CONTEXTS; x++) {
        times[kind[x]]++;
    }
    struct csv_records t = make_table();
    for (size_t k = 0; k < 3; k++) {
        char row[40];
        double mean, se;
        size_t n;
        snprintf(row, sizeof row, "%s (%zu)", TAGS[k] != NULL ? TAGS[k] : "no tag", times[k]);
        for (size_t j = 0; j < SUBJECTS; j++) {
            naive_estimate(&mean, &se, &n, j, SUBJECTS, k);
            cr_assert_eq(n, k == 2 ? SEEDS - 1 : SEEDS);
            expect(&t, "regret", row, NAMES[j], mean, se);
        }
        for (size_t j = 0; j < 2; j++) {
            naive_estimate(&mean, &se, &n, j, 3, k);
            double half = se * regret_student_quantile(0.975, (double)n - 1.0);
            expect(&t, "less the regret of best-exp", row, NAMES[j], mean, half);
            naive_estimate(&mean, &se, &n, j, 4, k);
            half = se * regret_student_quantile(0.975, (double)n - 1.0);
            expect(&t, "less the regret of best-by-tag-exp", row, NAMES[j], mean, half);
        }
    }
    csv_free(&t);
}

Test(report_tags, a_run_without_tags_says_so)
{
    struct regret_results *r = NULL;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    invent();
    write_head("");
    write_rows();
    cr_assert_eq(regret_results_read(&r, folder), 0, "%s", regret_error_message());
    cr_assert_eq(regret_report_table(&text, r, "tags", REGRET_FORMAT_MARKDOWN), 0);
    cr_assert_not_null(strstr(regret_buffer_get(&text), "The contexts of this run have no tags."));
    regret_buffer_clear(&text);
    constant_agents_describe(&text, r);
    cr_assert_str_eq(regret_buffer_get(&text), "");
    regret_buffer_free(&text);
    regret_results_free(r);
}

/* Agents are chosen in turn, the second for contexts of odd numbers. */
Test(report_tags, an_agent_of_one_text_is_named)
{
    struct regret_results *r = NULL;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    char expected[300];
    double odd = 0.0, all = 0.0;
    invent();
    write_head(",\"constant\":[1]");
    write_rows();
    for (size_t i = 0; i < SEEDS * CONTEXTS; i++) {
        odd += held[i / CONTEXTS][i % CONTEXTS] * (i % CONTEXTS % 2);
        all += held[i / CONTEXTS][i % CONTEXTS];
    }
    cr_assert_eq(regret_results_read(&r, folder), 0, "%s", regret_error_message());
    constant_agents_describe(&text, r);
    snprintf(expected, sizeof expected,
             "b gives one text to every context, whatever is asked. By the scores it is the best "
             "agent for %.1f %% of the held-out contexts, and recommended for %.1f %% (exp-only).",
             100.0 * odd / all, 100.0 * odd / all);
    cr_assert_str_eq(regret_buffer_get(&text), expected);
    regret_buffer_free(&text);
    regret_results_free(r);
}

/* Where all are so, the pool has no outputs: one sentence. */
Test(report_tags, all_agents_of_one_text)
{
    struct regret_results *r = NULL;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    invent();
    write_head(",\"constant\":[0,1]");
    write_rows();
    cr_assert_eq(regret_results_read(&r, folder), 0, "%s", regret_error_message());
    constant_agents_describe(&text, r);
    cr_assert_str_eq(
        regret_buffer_get(&text),
        "Each of the 2 agents gives one text to every context, as where the pool has no "
        "outputs: all that is learnt of an output is whose it is.");
    regret_buffer_free(&text);
    regret_results_free(r);
}

Test(report_tags, untrusted_tags)
{
    static const struct {
        const char *extra, *message;
    } CASES[] = {{",\"tags\":[\"a\"]", "\"tags\" must hold a tag of each of the 12 contexts"},
                 {",\"tags\":{}", "\"tags\" must hold a tag"},
                 {",\"tags\":[1,2,3,4,5,6,7,8,9,10,11,12]", "must hold names, or null"},
                 {",\"tags\":[\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\"]",
                  "must hold names"},
                 {",\"columns\":{}", "\"columns\" must be an array"},
                 {",\"columns\":[{\"name\":\"n\",\"values\":[1]}]", "a value for each of the 12"},
                 {",\"columns\":[{\"name\":\"n\",\"values\":[1,2,3,4,5,6,7,8,9,10,11,\"a\"]}]",
                  "must hold words, or numbers and null"},
                 {",\"columns\":[{\"values\":[1,2,3,4,5,6,7,8,9,10,11,12]}]", "\"name\""},
                 {",\"constant\":[2]", "numbers of agents, from 0 to 1"},
                 {",\"constant\":[-1]", "numbers of agents"},
                 {",\"constant\":[\"a\"]", "numbers of agents"},
                 {",\"constant\":3", "\"constant\""}};
    invent();
    write_rows();
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct regret_results *r = NULL;
        write_head(CASES[i].extra);
        cr_assert_eq(regret_results_read(&r, folder), REGRET_E_INPUT, "%s", CASES[i].extra);
        cr_expect_not_null(strstr(regret_error_message(), CASES[i].message), "%s",
                           regret_error_message());
    }
}
