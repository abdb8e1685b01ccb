/* Claims over several runs: who answers, what is counted, what is refused. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "csv_records.h"
#include "made_up.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "svg_check.h"

enum { MOST = 3 };
static char top[64], folders[MOST][128];
static struct regret_results *runs[MOST];
static size_t n_runs;

static void setup(void)
{
    made_folder(top);
}

static void teardown(void)
{
    for (size_t i = 0; i < n_runs; i++) {
        regret_results_free(runs[i]);
    }
    cr_assert_eq(regret_folder_remove(top), 0);
}

TestSuite(claims_page, .init = setup, .fini = teardown);

static void add_run(const struct made_up *m, const char *name)
{
    char *folder = folders[n_runs];
    snprintf(folder, sizeof folders[0], "%s/%s", top, name);
    cr_assert_eq(regret_folder_create(folder), 0);
    made_up_write(m, folder);
    cr_assert_eq(regret_results_read(&runs[n_runs], folder), 0, "%s", regret_error_message());
    n_runs++;
}

/* The main sweep without variants, the value view, and budgets in the world. */
static struct made_up main_run(void)
{
    struct made_up m = made_up_default();
    m.n_seeds = 10;
    m.n_betas = 2;
    m.families[4] = "one-more";
    m.families[5] = "another";
    return m;
}

static struct made_up values_run(void)
{
    struct made_up m = main_run();
    m.n_maps = m.n_obs = 1;
    m.n_exp = 3;
    m.config = ",\"title\":\"values\"";
    return m;
}

static struct made_up world_run(void)
{
    struct made_up m = main_run();
    m.n_maps = 1;
    m.map = "world";
    m.config = ",\"task\":\"world\"";
    return m;
}

static void add_all(void)
{
    const struct made_up m[] = {main_run(), values_run(), world_run()};
    add_run(&m[0], "a");
    add_run(&m[1], "b");
    add_run(&m[2], "c");
}

static struct csv_records page_of(const struct regret_results *const *some, size_t n)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    cr_assert_eq(regret_report_claims(&text, some, n, REGRET_FORMAT_CSV), 0, "%s",
                 regret_error_message());
    struct csv_records t = csv_parse(regret_buffer_get(&text));
    regret_buffer_free(&text);
    return t;
}

static struct csv_records page(void)
{
    return page_of((const struct regret_results *const *)runs, n_runs);
}

/* The verdict on a claim by a run; NULL where the run is not asked. The rows of a claim follow each other,
 * with the column "Run" before "Verdict". */
static const char *answer_of(const struct csv_records *t, const char *claim, const char *run)
{
    int here = 0;
    for (size_t i = 1; i < t->n; i++) {
        if (strcmp(t->fields[i][1], claim) != 0) {
            continue;
        }
        if (strcmp(t->fields[i][2], "Run") == 0) {
            here = strcmp(t->fields[i][5], run) == 0;
        }
        if (here && strcmp(t->fields[i][2], "Verdict") == 0) {
            return t->fields[i][5];
        }
    }
    return NULL;
}

static int has_note(const struct csv_records *t, const char *part)
{
    for (size_t i = 1; i < t->n; i++) {
        if (strcmp(t->fields[i][0], "note") == 0 && strstr(t->fields[i][5], part) != NULL) {
            return 1;
        }
    }
    return 0;
}

Test(claims_page, each_claim_is_answered_by_the_runs_of_its_views)
{
    add_all();
    struct csv_records t = page();
    cr_expect_not_null(answer_of(&t, "cvci-best-rank", "a"));
    cr_expect_null(answer_of(&t, "cvci-best-rank", "b"));
    cr_expect_not_null(answer_of(&t, "dr-harms-cvci", "b"));
    cr_expect_null(answer_of(&t, "dr-harms-cvci", "a"));
    cr_expect_not_null(answer_of(&t, "world-next-tier", "c"));
    cr_expect_not_null(answer_of(&t, "scarce-exp-needs-obs", "a"));
    cr_expect_null(answer_of(&t, "scarce-exp-needs-obs", "c"));
    cr_expect_not_null(answer_of(&t, "world-scarce-exp-needs-obs", "c"));
    cr_expect_null(answer_of(&t, "scarce-exp-needs-obs", "b"));
    cr_expect(has_note(&t, "a: pool made-up (SYNTHETIC), 16 cells × 10 seeds; view main."));
    cr_expect(has_note(&t, "b: pool made-up (SYNTHETIC), 6 cells × 10 seeds; view values."));
    cr_expect(
        has_note(&t, "No run of the views grounded, map24, world-dr, world-grounded, coding"));
    csv_free(&t);
}

/* Alone and together the runs give the same answers, and the counts are the sums of theirs. */
Test(claims_page, counts_are_those_of_the_runs)
{
    static const char *const columns[] = {"holds",         "partly",        "mixed",
                                          "does not hold", "not separable", "not applicable",
                                          "Comparisons"};
    static const char *const names[] = {"a", "b", "c"};
    add_all();
    struct csv_records t = page();
    for (size_t v = 0; v < 7; v++) {
        double sum = 0.0;
        for (size_t i = 0; i < 3; i++) {
            struct csv_records alone = made_table(folders[i], "claims");
            double own = csv_value(&t, "verdicts", names[i], columns[v]);
            cr_expect_eq(own, csv_value(&alone, "verdicts", "all", columns[v]), "%s of %s",
                         columns[v], names[i]);
            sum += own;
            csv_free(&alone);
        }
        cr_expect_eq(csv_value(&t, "verdicts", "all", columns[v]), sum, "%s", columns[v]);
    }
    csv_free(&t);
}

/* The shares of a row are those of its counts and come to one. */
Test(claims_page, the_picture_has_the_same_counts)
{
    struct made_up m = main_run();
    add_run(&m, "one");
    struct csv_records t = page();
    static const char *const verdicts[] = {"holds", "partly", "mixed", "does not hold",
                                           "not separable"};
    double all = 0.0, sum = 0.0, holds = csv_value(&t, "verdicts", "all", "holds");
    for (size_t v = 0; v < 5; v++) {
        all += csv_value(&t, "verdicts", "all", verdicts[v]);
    }
    csv_free(&t);
    cr_assert_eq(regret_report_claims_draw(made_path(top, "figures"),
                                           (const struct regret_results *const *)runs, n_runs),
                 0, "%s", regret_error_message());
    char *csv = NULL, *svg = NULL, head[64];
    cr_assert_eq(regret_file_read(&csv, NULL, made_path(top, "figures/claims.csv"), 1 << 20), 0);
    cr_assert_eq(regret_file_read(&svg, NULL, made_path(top, "figures/claims.svg"), 1 << 20), 0);
    check_svg(svg, "claims");
    for (size_t v = 0; v < 5; v++) {
        double share = -1.0;
        snprintf(head, sizeof head, "\nall (%g),%s,", all, verdicts[v]);
        const char *line = strstr(csv, head);
        cr_assert_not_null(line, "%s in %s", head, csv);
        cr_assert_eq(sscanf(line + strlen(head), "%lf", &share), 1);
        cr_assert(v > 0 || fabs(share - holds / all) < 1e-15);
        sum += share;
    }
    cr_assert_float_eq(sum, 1.0, 1e-12);
    regret_free(csv);
    regret_free(svg);
}

Test(claims_page, the_order_of_runs_does_not_matter)
{
    add_all();
    const struct regret_results *turned[] = {runs[2], runs[0], runs[1]};
    struct csv_records t = page(), u = page_of(turned, 3);
    cr_expect_eq(t.n, u.n);
    for (size_t i = 1; i < t.n; i++) {
        if (strcmp(t.fields[i][2], "Run") == 0) {
            const char *claim = t.fields[i][1], *run = t.fields[i][5];
            cr_expect_str_eq(answer_of(&t, claim, run), answer_of(&u, claim, run), "%s", claim);
        }
    }
    for (int way = 0; way < 2; way++) {
        const char *row = way ? "all, Holm" : "all, Benjamini–Hochberg";
        cr_expect_eq(csv_value(&t, "verdicts", row, "holds"),
                     csv_value(&u, "verdicts", row, "holds"));
    }
    csv_free(&t);
    csv_free(&u);
}

/* exp-only's DM error is above the others' by so much that p is .003 (10 seeds: t 4.04). */
static double barely(const struct made_up *m, enum regret_measure k, size_t subject, size_t cell,
                     size_t seed)
{
    double own = subject < m->n_families && strcmp(m->families[subject], "exp-only") == 0;
    (void)cell;
    return 0.5 + (k == REGRET_MEASURE_DM_RMSE ? own * ((seed % 2 ? 0.01 : -0.01) + 0.01347) : 0.0);
}

/* Of one run 8 of 27 comparisons have that p-value, which Benjamini and Hochberg find; so they do of
 * both, but Holm's factor grows from 27 to more than 80. */
Test(claims_page, all_runs_are_one_family_of_comparisons)
{
    struct made_up v = values_run(), w = world_run();
    v.number = barely;
    add_run(&v, "b");
    add_run(&w, "c");
    struct csv_records alone = made_table(folders[0], "claims"), t = page();
    cr_expect_eq(csv_value(&alone, "verdicts", "all", "Comparisons"), 27.0);
    cr_expect_gt(csv_value(&t, "verdicts", "all", "Comparisons"), 50.0);
    cr_expect_str_eq(csv_text(&alone, "values", "exp-only-worst-dm", "Verdict"), "holds");
    cr_expect_str_eq(csv_text(&alone, "values", "exp-only-worst-dm", "Benjamini–Hochberg"),
                     "holds");
    cr_expect_str_eq(csv_text(&t, "values", "exp-only-worst-dm", "Verdict"), "holds");
    cr_expect_str_eq(csv_text(&t, "values", "exp-only-worst-dm", "Holm"), "not separable");
    csv_free(&alone);
    csv_free(&t);
}

static void expect_refused(const char *part)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    cr_expect_eq(regret_report_claims(&text, (const struct regret_results *const *)runs, n_runs,
                                      REGRET_FORMAT_MARKDOWN),
                 REGRET_E_INPUT);
    cr_expect_not_null(strstr(regret_error_message(), part), "%s", regret_error_message());
    cr_expect_str_empty(regret_buffer_get(&text));
    regret_buffer_free(&text);
}

Test(claims_page, a_run_comes_once)
{
    struct made_up m = main_run();
    expect_refused("no run to ask");
    add_run(&m, "a");
    add_run(&m, "copy");
    expect_refused("have the same configuration, pool and seeds");
    regret_results_free(runs[1]);
    cr_assert_eq(regret_results_read(&runs[1], folders[0]), 0);
    expect_refused("are the same folder; name it once");
}

Test(claims_page, runs_of_one_name_go_by_their_paths)
{
    struct made_up m = main_run(), v = values_run();
    add_run(&m, "x/run");
    add_run(&v, "y/run");
    struct csv_records t = page();
    cr_expect_not_null(answer_of(&t, "cvci-best-rank", folders[0]));
    cr_expect_not_null(answer_of(&t, "dr-harms-cvci", folders[1]));
    csv_free(&t);
}

Test(claims_page, a_run_of_no_view_is_named_and_alone_refused)
{
    struct made_up none = main_run(), m = main_run();
    none.n_exp = 1;
    none.config = ",\"title\":\"none\"";
    add_run(&none, "none");
    expect_refused("no run here has the shape of a view of the paper (main, values, grounded");
    add_run(&m, "a");
    struct csv_records t = page();
    cr_expect(
        has_note(&t, "none: pool made-up (SYNTHETIC), 8 cells × 10 seeds; the shape of no view"));
    cr_expect_not_null(answer_of(&t, "cvci-best-rank", "a"));
    csv_free(&t);
}

Test(claims_page, every_format_renders)
{
    add_all();
    for (int format = 0; format < REGRET_N_FORMATS; format++) {
        struct regret_buffer text = REGRET_BUFFER_INIT;
        cr_assert_eq(regret_report_claims(&text, (const struct regret_results *const *)runs, n_runs,
                                          (enum regret_format)format),
                     0);
        cr_expect_not_null(strstr(regret_buffer_get(&text), "cvci-best-rank"));
        cr_expect_null(strstr(regret_buffer_get(&text), "nan"));
        regret_buffer_free(&text);
    }
}
