/* A run held against published numbers: the reader of their files, and every statistic beside plain
 * loops over a made-up run. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv_records.h"
#include "left_over.h"
#include "made_run.h"
#include "regret/alloc.h"
#include "regret/config.h"
#include "regret/file.h"
#include "regret/measure.h"
#include "report/paper/published.h"

#define HEAD "table,row,column,statistic,subject,beta,n_obs,n_exp,value\n"

static struct regret_results *results;

static void setup(void)
{
    made_begin();
    made_up_write(&m, folder);
    cr_assert_eq(regret_results_read(&results, folder), 0, "%s", regret_error_message());
}

static void teardown(void)
{
    regret_results_free(results);
    made_end();
}

TestSuite(against, .init = setup, .fini = teardown, .timeout = 120);

static const char *published(const char *text, size_t length)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/published.csv", folder);
    FILE *f = fopen(path, "wb");
    cr_assert_not_null(f);
    cr_assert_eq(fwrite(text, 1, length, f), length);
    cr_assert_eq(fclose(f), 0);
    return path;
}

/* The table in CSV, parsed. */
static struct csv_records held_against(const char *what)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    cr_assert_eq(regret_report_against(&text, results, what, REGRET_FORMAT_CSV), 0, "%s",
                 regret_error_message());
    struct csv_records t = csv_parse(regret_buffer_get(&text));
    regret_buffer_free(&text);
    return t;
}

static struct csv_records beside(const char *text)
{
    return held_against(published(text, strlen(text)));
}

/* ---------------------------------------------------------------- the reader */

static void refused_bytes(const char *text, size_t length, const char *why)
{
    struct regret_buffer out = REGRET_BUFFER_INIT;
    cr_expect_eq(
        regret_report_against(&out, results, published(text, length), REGRET_FORMAT_MARKDOWN),
        REGRET_E_INPUT, "%s", why);
    cr_expect_not_null(strstr(regret_error_message(), why), "\"%s\" says nothing of \"%s\"",
                       regret_error_message(), why);
    regret_buffer_free(&out);
}

static void refused(const char *text, const char *why)
{
    refused_bytes(text, strlen(text), why);
}

Test(against, bad_headers)
{
    refused("", "the file is empty");
    refused("table,row,column,statistic,subject\n", ":1: no column \"value\"");
    refused("table,row,column,statistic,subject,value,row\n", "column \"row\" is there twice");
    refused("table,row,column,statistic,subject,value,bets\n", "column \"bets\" is neither");
    refused("table,row,column,statistic,subject,value,beta,beta\n",
            "column \"beta\" is there twice");
    refused(HEAD, "a header and no number");
}

Test(against, bad_numbers)
{
    static const char *const values[] = {"=1+1", "",    " 1",    "1 ",    "nan", "inf",
                                         "0x10", "1,5", "1e999", "1.2.3", "+-1", "@SUM(A1)"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[256];
        snprintf(text, sizeof text, HEAD "T,a,b,regret,cvci,,,,\"%s\"\n", values[i]);
        refused(text, ":2: value \"");
    }
}

Test(against, bad_records)
{
    refused(HEAD "T,a,b,regret,cvci,,,\n", ":2: 8 fields where the header has 9");
    refused(HEAD "T,a,b,regrets,cvci,,,,1\n",
            "unknown statistic \"regrets\"; did you mean \"regret\"");
    refused(HEAD "T,a,b,regret,cvci,,,,1\nT,a,b,rank,cvci,,,,2\n",
            ":3: table \"T\", row \"a\", column \"b\" is there twice");
    refused(HEAD "T,\"a\tb\",c,regret,cvci,,,,1\n", "control character (byte 0x09)");
    refused(HEAD "T,\"a\nb\",c,regret,cvci,,,,1\n", "control character (byte 0x0a)");
    refused(HEAD "T,a\x7f,c,regret,cvci,,,,1\n", "control character (byte 0x7f)");
    refused(HEAD "T,a\x1b[31m,c,regret,cvci,,,,1\n", "control character (byte 0x1b)");
    refused(HEAD "T,\xff,c,regret,cvci,,,,1\n", "not valid UTF-8");
    static const char zero[] = HEAD "T,a\0b,c,regret,cvci,,,,1\n";
    refused_bytes(zero, sizeof zero - 1, "control character (byte 0x00)");
}

/* A file as long as you like is given up early. */
Test(against, huge_files)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_append(&text, HEAD);
    for (int i = 0; i < 4097; i++) {
        regret_buffer_printf(&text, "T,%d,b,regret,cvci,,,,1\n", i);
    }
    refused(regret_buffer_get(&text), ":4098: more than 4096 numbers");
    regret_buffer_clear(&text);
    regret_buffer_append(&text, HEAD);
    for (int i = 0; i < 3000; i++) {
        regret_buffer_printf(&text, "T,%0190d,%0190d,regret,cvci,,,,1\n", i, i);
    }
    refused(regret_buffer_get(&text), "longer than 1048576 bytes");
    regret_buffer_clear(&text);
    regret_buffer_printf(&text, HEAD "T,%0201d,b,regret,cvci,,,,1\n", 0);
    refused(regret_buffer_get(&text), "field 2 has 201 bytes; at most 200");
    regret_buffer_clear(&text);
    regret_buffer_append(&text, HEAD "T,\"");
    for (int i = 0; i < 1 << 17; i++) {
        regret_buffer_append_char(&text, 'x');
    }
    refused(regret_buffer_get(&text), "published.csv:2:");
    regret_buffer_free(&text);
}

Test(against, unknown_names)
{
    struct regret_buffer out = REGRET_BUFFER_INIT;
    static const struct {
        const char *what, *why;
    } wrong[] = {{"T99", "T4, T5, T6, T7, T9"},      {"", "nothing called \"\""},
                 {"T4,", "nothing called \"\""},     {"T4,T4", "T4 is named twice"},
                 {"F5", "no number of F5 is known"}, {"none/of/this.csv", "none/of/this.csv"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_expect_eq(regret_report_against(&out, results, wrong[i].what, REGRET_FORMAT_CSV),
                     REGRET_E_INPUT, "%s", wrong[i].what);
        cr_expect_not_null(strstr(regret_error_message(), wrong[i].why), "%s",
                           regret_error_message());
    }
    regret_buffer_free(&out);
}

/* ---------------------------------------------------------------- numbers, naively */

enum { ANY = 9, N_RANKED = 6 };
static const size_t ranked[N_RANKED] = {0, 1, 2, 3, 6, 7};

static int inside(size_t beta, size_t obs, size_t exp, size_t cell)
{
    struct made_cell c = made_cell(&m, cell);
    return (beta == ANY || c.beta == beta) && (obs == ANY || c.obs == obs) &&
           (exp == ANY || c.exp == exp);
}

static double naive_cell(enum regret_measure k, size_t f, size_t cell)
{
    double sum = 0.0;
    for (size_t s = 0; s < m.n_seeds; s++) {
        sum += made_value(&m, k, f, cell, s) / (double)m.n_seeds;
    }
    return sum;
}

static struct interval naive_mean(enum regret_measure k, size_t f, size_t beta, size_t obs,
                                  size_t exp)
{
    double d[64] = {0};
    for (size_t s = 0; s < m.n_seeds; s++) {
        double n = 0.0;
        for (size_t c = 0; c < made_cells(&m); c++) {
            if (inside(beta, obs, exp, c)) {
                d[s] += made_value(&m, k, f, c, s);
                n += 1.0;
            }
        }
        d[s] /= n;
    }
    return naive_interval(d, m.n_seeds);
}

static void near(const struct csv_records *t, const char *row, const char *column, double expected)
{
    long i = csv_find_row(t, row, column);
    cr_assert_geq(i, 0, "no %s, %s", row, column);
    cr_expect_float_eq(strtod(t->fields[i][3], NULL), expected, 1e-12, "%s, %s: %s, not %.15g", row,
                       column, t->fields[i][3], expected);
}

static const char *words(const struct csv_records *t, const char *row, const char *column)
{
    long i = csv_find_row(t, row, column);
    cr_assert_geq(i, 0, "no %s, %s", row, column);
    return t->fields[i][5];
}

Test(against, means_and_their_intervals)
{
    struct csv_records t = beside(HEAD "T,a,1,regret,cvci,0.20,#2/2,200,0.05\n"
                                       "T,a,2,dm_rmse,obs-only,,,,0.04\n"
                                       "T,a,3,dr_minus_dm,grounded,#3/3,,,-0.5\n"
                                       "T,a,4,regret,best-exp,,,,0.1\n"
                                       "T,a,5,r2,proxy,,,,0.1\n");
    struct interval a = naive_mean(REGRET_MEASURE_REGRET, 6, 1, 1, 0);
    near(&t, "a, 1", "This run", a.mean);
    near(&t, "a, 1", "95 % low", a.low);
    near(&t, "a, 1", "95 % high", a.high);
    near(&t, "a, 1", "Published", 0.05);
    near(&t, "a, 1", "Difference", a.mean - 0.05);
    cr_expect_str_eq(words(&t, "a, 1", "Cells here"), "beta = 0.2, n_obs = 5000, n_exp = 200");
    near(&t, "a, 2", "This run", naive_mean(REGRET_MEASURE_DM_RMSE, 1, ANY, ANY, ANY).mean);
    double change = naive_mean(REGRET_MEASURE_DR_RMSE, 3, 2, ANY, ANY).mean -
                    naive_mean(REGRET_MEASURE_DM_RMSE, 3, 2, ANY, ANY).mean;
    near(&t, "a, 3", "This run", change);
    near(&t, "a, 4", "This run", naive_mean(REGRET_MEASURE_REGRET, 8 + 2, ANY, ANY, ANY).mean);
    near(&t, "a, 5", "This run", naive_mean(REGRET_MEASURE_R2, 8 + 4, ANY, ANY, ANY).mean);
    csv_free(&t);
}

Test(against, ranks_excesses_and_leads)
{
    struct csv_records t = beside(HEAD "T,a,1,rank,cvci,,,,2\nT,a,2,top3,cvci,,,,40\n"
                                       "T,a,3,excess,cvci,,,,5\nT,a,4,wins,cvci,,,,5\n"
                                       "T,a,5,top1_wins,cvci,,,,5\n"
                                       "T,a,6,lead,cvci,0,2000,200,0.001\n");
    double rank = 0.0, top3 = 0.0, excess = 0.0, wins = 0.0, top1 = 0.0, lead = 0.0, n = 0.0;
    double cells = (double)made_cells(&m);
    for (size_t c = 0; c < made_cells(&m); c++) {
        double own = naive_cell(REGRET_MEASURE_REGRET, 6, c), best = INFINITY, other = INFINITY;
        double own1 = naive_cell(REGRET_MEASURE_TOP1, 6, c), place = 1.0;
        int is_first = 1;
        for (size_t i = 0; i < N_RANKED; i++) {
            double x = naive_cell(REGRET_MEASURE_REGRET, ranked[i], c);
            place += x < own;
            best = fmin(best, x);
            other = ranked[i] != 6 ? fmin(other, x) : other;
            is_first &= naive_cell(REGRET_MEASURE_TOP1, ranked[i], c) <= own1;
        }
        rank += place / cells;
        top3 += place <= 3.0;
        excess += 100.0 * (own / best - 1.0) / cells;
        wins += place == 1.0;
        top1 += is_first;
        if (inside(0, 0, 0, c)) {
            lead += other - own;
            n += 1.0;
        }
    }
    near(&t, "a, 1", "This run", rank);
    near(&t, "a, 2", "This run", top3);
    near(&t, "a, 3", "This run", excess);
    near(&t, "a, 4", "This run", wins);
    near(&t, "a, 5", "This run", top1);
    near(&t, "a, 6", "This run", lead / n);
    csv_free(&t);
}

/* ---------------------------------------------------------------- order */

/* Regrets in a known order, exp-only (0) lowest, with so little noise that it cannot be missed. */
static double ordered(const struct made_up *made, size_t family, size_t cell, size_t seed)
{
    (void)made;
    return 0.1 * (double)(family + 1) + 1e-4 * (double)((cell * 7 + seed * 3 + family) % 5);
}

static void with_order(void)
{
    regret_results_free(results);
    cr_assert_eq(regret_folder_remove(folder), 0);
    made_begin();
    m.regret = ordered;
    made_up_write(&m, folder);
    cr_assert_eq(regret_results_read(&results, folder), 0, "%s", regret_error_message());
}

static const struct headline {
    const char *value, *agree, *clear, *tied, *differ, *pairs, *verdict;
    double kendall;
} headlines[] = {
    /* exp-only, obs-only, representation-exp and cvci have .1, .2, .3, .7 and more */
    {"1 2 3 4", "1 of 1", "1 of 1", "0 of 1", "0 of 1", "6 of 6", "same order", 1.0},
    {"1 2 4 3", "1 of 1", "1 of 1", "0 of 1", "0 of 1", "5 of 6", "same winners", 2.0 / 3.0},
    {"1 1 2 3", "1 of 1", "1 of 1", "0 of 1", "0 of 1", "5 of 5", "same order",
     5.0 / 5.477225575051661},
    {"4 3 2 1", "0 of 1", "0 of 1", "0 of 1", "1 of 1", "0 of 6", "does not replicate", -1.0},
};

Test(against, the_order_of_families)
{
    with_order();
    for (size_t i = 0; i < sizeof headlines / sizeof *headlines; i++) {
        const struct headline *h = &headlines[i];
        char text[512];
        snprintf(text, sizeof text,
                 HEAD "T,a,1,regret,exp-only,,,,%.1s\nT,b,1,regret,obs-only,,,,%.1s\n"
                      "T,c,1,regret,representation-exp,,,,%.1s\nT,d,1,regret,cvci,,,,%.1s\n",
                 h->value, h->value + 2, h->value + 4, h->value + 6);
        struct csv_records t = beside(text);
        cr_expect_str_eq(words(&t, "T regret", "Same winner or sign"), h->agree);
        cr_expect_str_eq(words(&t, "T regret", "Clearly"), h->clear);
        cr_expect_str_eq(words(&t, "T regret", "Not separable"), h->tied);
        cr_expect_str_eq(words(&t, "T regret", "Differs"), h->differ);
        cr_expect_str_eq(words(&t, "T regret", "Pairs in order"), h->pairs);
        cr_expect_str_eq(words(&t, "T regret", "Verdict"), h->verdict, "%s: %s", h->value,
                         words(&t, "T regret", "Verdict"));
        near(&t, "T regret", "Families", 4.0);
        near(&t, "T regret", "Kendall", h->kendall);
        csv_free(&t);
    }
}

Test(against, places_winners_and_signs)
{
    with_order();
    struct csv_records t = beside(HEAD "T,a,1,regret,exp-only,,,,2\nT,b,1,regret,cvci,,,,1\n"
                                       "U,a,1,lead,cvci,0,2000,200,0.001\n"
                                       "U,a,2,lead,exp-only,0,2000,800,0.001\n");
    cr_expect_str_eq(words(&t, "b, 1", "Places"), "1, 2");
    cr_expect_str_eq(words(&t, "b, 1", "Agrees"), "other place");
    cr_expect_str_eq(words(&t, "U lead", "Same winner or sign"), "1 of 2");
    cr_expect_str_eq(words(&t, "U lead", "Differs"), "1 of 2");
    long i = csv_find(&t, "U", "a, 1", "Agrees");
    cr_assert_geq(i, 0);
    cr_expect_str_eq(t.fields[i][5], "no: exp-only");
    cr_expect_str_eq(csv_text(&t, "U", "a, 2", "Agrees"), "yes, clearly");
    cr_expect_str_eq(words(&t, "all", "Compared"), "4 of 4");
    csv_free(&t);
}

/* ---------------------------------------------------------------- what the run lacks */

Test(against, what_is_missing_is_named)
{
    struct csv_records t = beside(HEAD "T,a,1,regret,cvci,,#1/3,,1\nT,a,2,regret,cvci,,,999,1\n"
                                       "T,a,3,regret,nobody,,,,1\nT,a,4,regret,cvci,?,,,1\n"
                                       "T,a,5,none,cvci,,,,1\nT,a,6,regret,cvci,,,,1\n"
                                       "T,a,7,dm_rmse,best-exp,,,,1\n");
    static const char *const why[] = {"the run has 2 values of n_obs, not 3",
                                      "the run has no n_exp 999",
                                      "the run has no nobody",
                                      "which beta it is about is lost",
                                      "no number of the run's cells",
                                      NULL,
                                      "the run has no dm_rmse of it"};
    for (size_t i = 0; i < sizeof why / sizeof *why; i++) {
        char row[16];
        snprintf(row, sizeof row, "a, %zu", i + 1);
        if (why[i] != NULL) {
            cr_expect_str_eq(csv_text(&t, "T: 6 of 7 not compared", row, "Why not"), why[i]);
        }
    }
    cr_expect_str_eq(words(&t, "all", "Compared"), "1 of 7");
    csv_free(&t);
}

Test(against, the_paper)
{
    struct csv_records t = held_against("paper");
    cr_expect_eq(csv_find_row(&t, "T4 rank", "Compared"), -1, "three β are not six");
    csv_free(&t);
    t = held_against("T4,T6");
    near(&t, "CVCI, Avg. rank", "Published", 2.04);
    near(&t, "CVCI, Sharpened", "Published", 0.0423);
    csv_free(&t);
    t = held_against("T13"); /* its six β are not there */
    cr_expect_str_eq(words(&t, "row 1, column 1", "Why not"),
                     "the run has 3 values of beta, not 6");
    cr_expect_str_eq(words(&t, "all", "Compared"), "3 of 27");
    csv_free(&t);
}

Test(against, the_paper_by_the_shape_of_the_run)
{
    regret_results_free(results);
    cr_assert_eq(regret_folder_remove(folder), 0);
    made_begin();
    m.n_betas = 6;
    made_up_write(&m, folder);
    cr_assert_eq(regret_results_read(&results, folder), 0, "%s", regret_error_message());
    struct csv_records t = held_against("paper");
    cr_expect_str_eq(words(&t, "T4 rank", "Compared"), "6 of 6");
    cr_expect_str_eq(words(&t, "T5 regret", "Compared"), "24 of 24");
    cr_expect_str_eq(words(&t, "T6 regret", "Compared"), "8 of 8");
    cr_expect_str_eq(words(&t, "T9 wins", "Compared"), "1 of 4");
    cr_expect_eq(csv_find_row(&t, "T13 lead", "Compared"), -1, "two reward maps are not one");
    cr_expect_eq(csv_find_row(&t, "T14 lead", "Compared"), -1, "summaries are not patches");
    csv_free(&t);
}

/* Writes the run with that "paper" in its configuration and its report; 1 when that has the table. */
static int is_held(const char *paper, const char *against)
{
    char config[64];
    const struct regret_report_options options = {.against = against};
    snprintf(config, sizeof config, ",\"paper\":\"%s\"", paper);
    m.config = config;
    made_up_write(&m, folder);
    m.config = NULL;
    cr_assert_eq(regret_report_write(folder, NULL, against != NULL ? &options : NULL), 0, "%s",
                 regret_error_message());
    char *text = NULL;
    cr_assert_eq(regret_file_read(&text, NULL, made_path(folder, "report/report.html"), 1 << 24),
                 0);
    int held = regret_file_exists(made_path(folder, "report/tables/against.csv"));
    cr_expect_eq(strstr(text, "CVCI, Avg. rank") != NULL || strstr(text, "CVCI, Sharpened") != NULL,
                 held);
    cr_expect_eq(regret_file_exists(made_path(folder, "report/tables/against.html")), held);
    regret_free(text);
    return held;
}

Test(against, what_the_configuration_names)
{
    m.n_seeds = 2;
    cr_expect_eq(is_held("T4,T5,T6", NULL), 0, "three β are not six");
    cr_expect_eq(is_held("T6", "T6"), 1, "asked for");
    m.n_betas = 6;
    cr_expect_eq(is_held("", NULL), 0);
    cr_expect_eq(is_held("T12,T14", NULL), 0, "of other tasks");
    cr_expect_eq(is_held("T13,T6", NULL), 1);
    char *csv = NULL;
    cr_assert_eq(
        regret_file_read(&csv, NULL, made_path(folder, "report/tables/against.csv"), 1 << 24), 0);
    cr_expect_not_null(strstr(csv, "T6 "));
    cr_expect_null(strstr(csv, "T13 lead"), "it has two maps");
    cr_expect_null(strstr(csv, "T4 rank"), "nobody named it");
    regret_free(csv);
    cr_expect_eq(is_held("T4", "none"), 0);
    m.config = ",\"paper\":\"T4,T98\"";
    made_up_write(&m, folder);
    cr_expect_eq(regret_report_write(folder, NULL, NULL), REGRET_E_INPUT);
    cr_expect_not_null(
        strstr(regret_error_message(), "run.json: \"paper\": nothing called \"T98\""), "%s",
        regret_error_message());
}

/* What a configuration may name is what can be held against: the tables of which a number survives. */
Test(against, the_key_knows_every_table)
{
    struct regret_key_help key = {.name = ""};
    for (size_t i = 0; regret_config_key(&key, i) && strcmp(key.name, "paper") != 0; i++) {
    }
    cr_assert_str_eq(key.name, "paper");
    size_t n = 0;
    struct paper_tables tables = {0};
    cr_assert_eq(paper_tables_read(&tables), 0);
    for (size_t i = 0; i < tables.n; i++) {
        if (tables.items[i].file[0] != '\0') {
            cr_assert_not_null(key.choices[n]);
            cr_expect_str_eq(key.choices[n++], tables.items[i].name);
        }
    }
    paper_tables_free(&tables);
    cr_expect_null(key.choices[n]);
}

/* A sweep of β by both budgets is T13's shape, but one of grounded's variants is T9's alone. */
Test(against, a_run_of_variants_ranks_no_families)
{
    static const char *const some[] = {"obs-only", "grounded", "grounded-linear"};
    regret_results_free(results);
    for (size_t n = 3; n <= 8; n += 5) {
        cr_assert_eq(regret_folder_remove(folder), 0);
        made_begin();
        m = made_up_default();
        m.n_betas = 6;
        m.n_maps = 1;
        m.map = "smooth";
        m.n_families = n;
        for (size_t i = 0; i < n && n == 3; i++) {
            m.families[i] = some[i];
        }
        made_up_write(&m, folder);
        cr_assert_eq(regret_results_read(&results, folder), 0, "%s", regret_error_message());
        struct csv_records t = held_against("paper");
        cr_expect_neq(csv_find_row(&t, "T9 wins", "Compared"), -1);
        cr_expect_eq(csv_find_row(&t, "T13 lead", "Compared") == -1, n == 3, "%zu families", n);
        csv_free(&t);
        if (n == 3) {
            regret_results_free(results);
        }
    }
}

/* ---------------------------------------------------------------- the report */

static char *content(const char *name)
{
    char *text = NULL;
    cr_assert_eq(regret_file_read(&text, NULL, made_path(folder, name), 1 << 24), 0, "%s",
                 regret_error_message());
    return text;
}

static void holds(const char *file, const char *text, int there)
{
    char *all = content(file);
    cr_expect_eq(strstr(all, text) != NULL, there, "%s: %s", file, text);
    regret_free(all);
}

Test(against, every_format_escapes_and_guards)
{
    struct regret_report_options options = {.safe_csv = 1};
    const char *text = HEAD "=T,=1+1,<b>|*x*,regret,cvci,,,,0.5\n";
    options.against = published(text, strlen(text));
    cr_assert_eq(regret_report_write(folder, NULL, &options), 0, "%s", regret_error_message());
    holds("report/tables/against.csv", "'=1+1", 1);
    holds("report/tables/against.csv", ",=1+1", 0);
    holds("report/tables/against.html", "<b>", 0);
    holds("report/tables/against.html", "&lt;b&gt;", 1);
    holds("report/tables/against.md", "\\|", 1);
    holds("report/tables/against.tex", "<b>|*x*", 0);
    holds("report/report.md", "Beside published numbers", 1);
    holds("report/report.html", "href=\"#against\"", 1);
    cr_assert_eq(regret_report_write(folder, NULL, NULL), 0, "%s", regret_error_message());
    holds("report/report.md", "Beside published numbers", 0);
}
