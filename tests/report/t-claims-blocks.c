/* What claims need, which families they rank, the part they show, blocks and formats. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "csv_records.h"
#include "made_run.h"

static void setup(void)
{
    made_begin();
    m.n_seeds = 10;
}

TestSuite(claim_blocks, .init = setup, .fini = made_end);

static const char *verdict_of(const char *claim)
{
    return made_verdict(&m, folder, claim);
}

static const char *lacking(const char *claim)
{
    static char text[512];
    made_up_write(&m, folder);
    struct csv_records t = made_table(folder, "claims");
    cr_expect_str_eq(claim_field(&t, claim, "Verdict"), "not applicable", "%s", claim);
    cr_expect_str_eq(claim_field(&t, claim, "Evidence"), "", "%s", claim);
    snprintf(text, sizeof text, "%s", claim_field(&t, claim, "Parts"));
    csv_free(&t);
    return text;
}

Test(claim_blocks, what_is_missing_is_named)
{
    m.families[2] = "another-family";
    cr_expect_str_eq(lacking("no-family-dominates"), "lacks family representation-exp");
    cr_expect_str_eq(lacking("exp-buys-more-representation"), "lacks family representation-exp");
    m = made_up_default();
    m.n_seeds = 10;
    m.families[4] = "another-family";
    cr_expect_str_eq(lacking("rich-beats-linear"), "lacks family grounded-linear");
    cr_expect_str_eq(lacking("alpha-rises"), "lacks family grounded-linear");
    m.n_betas = m.n_maps = 1;
    m.families[4] = "grounded-linear";
    cr_expect_str_eq(lacking("alpha-rises"), "lacks a sweep of beta");
    m.map = "utility";
    m.n_obs = m.n_exp = 1;
    m.n_fixes = 2;
    cr_expect_str_eq(lacking("omega-narrows-grounded"), "lacks a sweep of reward.omega");
    cr_expect_str_eq(lacking("success-fit-rises"), "lacks the fit of the target on success");
}

Test(claim_blocks, a_run_of_no_view_is_asked_nothing)
{
    m.n_betas = 1;
    m.families[4] = m.families[5] = "another";
    m.n_families = 5;
    m.values = 0;
    made_up_write(&m, folder);
    struct csv_records t = made_table(folder, "claims");
    for (size_t i = 1; i < t.n; i++) {
        const char *block = t.fields[i][0];
        cr_expect(strcmp(block, "note") == 0 || strcmp(block, "title") == 0, "%s", block);
    }
    csv_free(&t);
    cr_expect_not_null(strstr(made_markdown(folder, "claims"), "the shape of no view"));
    cr_expect_not_null(strstr(made_markdown(folder, "claims"), "Not asked here: all "));
}

static double another_is_best(const struct made_up *made, size_t family, size_t cell, size_t seed)
{
    const char *name = made->families[family];
    double noise = 0.1 * (made_number(REGRET_MEASURE_RMSE, family, cell, seed) - 0.05);
    return 0.3 + noise -
           (strcmp(name, "cvci") == 0             ? 0.05
            : strcmp(name, "another-family") == 0 ? 0.1
                                                  : 0.0);
}

Test(claim_blocks, families_that_the_paper_does_not_have_are_no_rivals)
{
    m.families[8] = "another-family";
    m.n_families = 9;
    m.regret = another_is_best;
    cr_expect_str_eq(verdict_of("cvci-best-rank"), "holds");
    m.n_maps = 1;
    cr_expect_str_eq(verdict_of("cvci-lowest-regret"), "holds");
}

/* Against obs-only exp-only is 0 ± 0.2, a wide interval; against cvci it is 0.05 ± 0.02 worse. */
static double wide_and_clear(const struct made_up *made, size_t family, size_t cell, size_t seed)
{
    double turn = seed % 2 ? 1.0 : -1.0;
    const char *name = made->families[family];
    (void)cell;
    return strcmp(name, "obs-only") == 0 ? 0.3 + 0.2 * turn
           : strcmp(name, "cvci") == 0   ? 0.25 + 0.02 * turn
                                         : 0.3;
}

Test(claim_blocks, the_part_that_decides_is_shown)
{
    m.regret = wide_and_clear;
    made_up_write(&m, folder);
    struct csv_records t = made_table(folder, "claims");
    cr_expect_str_eq(claim_field(&t, "sharpened-favours-exp", "Verdict"), "does not hold");
    cr_expect_float_eq(csv_value(&t, "reward shape", "sharpened-favours-exp", "Evidence"), -0.05,
                       1e-9);
    cr_expect_lt(csv_value(&t, "reward shape", "sharpened-favours-exp", "95 % high"), 0.0);
    csv_free(&t);
}

static int cvci_gone(const char *family, size_t cell, size_t seed)
{
    return cell == 0 && seed < 100 && strcmp(family, "cvci") == 0;
}

Test(claim_blocks, numbers_that_no_seed_has_are_named)
{
    m.skip = cvci_gone;
    cr_expect_str_eq(lacking("cvci-best-rank"), "lacks a seed with all its numbers");
}

/* Of the group's rows that are counted, those of the column with that text; "" for any. */
static double count_rows(const struct csv_records *t, const char *prefix, const char *column,
                         const char *text)
{
    double n = 0.0;
    for (size_t i = 1; i < t->n; i++) {
        n += strncmp(t->fields[i][0], prefix, strlen(prefix)) == 0 &&
             strstr(t->fields[i][0], "(not counted)") == NULL &&
             strcmp(t->fields[i][2], column) == 0 &&
             (text[0] == '\0' || strcmp(t->fields[i][5], text) == 0);
    }
    return n;
}

Test(claim_blocks, extra_keys_make_blocks_and_the_tally_counts_every_claim)
{
    static const char *const words[] = {"holds",         "partly",        "mixed",
                                        "does not hold", "not separable", "not applicable"};
    static const char *const ways[][2] = {{"all", "Verdict"},
                                          {"all, Holm", "Holm"},
                                          {"all, Benjamini–Hochberg", "Benjamini–Hochberg"}};
    m.agent_key = 1;
    made_up_write(&m, folder);
    struct csv_records t = made_table(folder, "claims");
    for (int agent = 0; agent < 2; agent++) {
        char block[96], prefix[64];
        snprintf(prefix, sizeof prefix, "features.agent = %s: ", agent ? "true" : "false");
        snprintf(block, sizeof block, "%sverdicts", prefix);
        for (size_t way = 0; way < 3; way++) {
            double total = 0.0;
            for (size_t v = 0; v < 6; v++) {
                double count = csv_value(&t, block, ways[way][0], words[v]);
                cr_expect_eq(count, count_rows(&t, prefix, ways[way][1], words[v]), "%s %s",
                             ways[way][0], words[v]);
                total += count;
            }
            cr_expect_eq(total, count_rows(&t, prefix, "Finding", ""));
            cr_expect_geq(total, 25.0);
        }
        cr_expect_leq(csv_value(&t, block, "all, Holm", "holds"),
                      csv_value(&t, block, "all, Benjamini–Hochberg", "holds"));
        cr_expect_leq(csv_value(&t, block, "all, Benjamini–Hochberg", "holds"),
                      csv_value(&t, block, "all", "holds"));
    }
    csv_free(&t);
}

Test(claim_blocks, what_is_not_the_paper_s_is_not_corrected)
{
    made_up_write(&m, folder);
    struct csv_records t = made_table(folder, "claims");
    for (size_t i = 1; i < t.n; i++) {
        int counted = strstr(t.fields[i][0], "(not counted)") == NULL;
        if (strcmp(t.fields[i][2], "Holm") == 0 && strcmp(t.fields[i][0], "verdicts") != 0) {
            cr_expect_eq(strcmp(t.fields[i][5], "–") != 0, counted, "%s", t.fields[i][1]);
        }
    }
    cr_expect_str_eq(claim_field(&t, "lambda-falls", "Paper"), "ours");
    csv_free(&t);
}

Test(claim_blocks, every_format_renders)
{
    made_up_write(&m, folder);
    struct regret_results *r = NULL;
    cr_assert_eq(regret_results_read(&r, folder), 0);
    for (int format = 0; format < REGRET_N_FORMATS; format++) {
        struct regret_buffer text = REGRET_BUFFER_INIT;
        cr_assert_eq(regret_report_table(&text, r, "claims", (enum regret_format)format), 0);
        cr_expect_not_null(strstr(regret_buffer_get(&text), "cvci-best-rank"));
        cr_expect_not_null(strstr(regret_buffer_get(&text), "not separable"));
        cr_expect_null(strstr(regret_buffer_get(&text), "nan"));
        regret_buffer_free(&text);
    }
    regret_results_free(r);
}
