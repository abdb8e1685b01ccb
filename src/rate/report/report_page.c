/* The page of `regret rate estimate --figures`: the page of a report (report/page.h), of effects. */
#include <math.h>

#include "base/core/try.h"
#include "base/text/take.h"
#include "rate/report/report.h"
#include "regret/alloc.h"
#include "report/page/page.h"

enum { DECIMALS = 3, SAMPLES_OF_GROUP = 2, MOST_SAMPLES = 12, SAMPLE_CHARACTERS = 1500 };

static const char title[] = "Attribute effects on reward models";

/* ---------------------------------------------------------------- what the estimates say */

/* 1 above 0 and -1 below it for certain, by the 95 % interval; 0 otherwise, and of what is missing. */
static int sign_of(const struct regret_rate_effect *e)
{
    return e->low > 0.0 ? 1 : e->high < 0.0 ? -1 : 0;
}

struct tally {
    size_t n, instead, up, down, naive_n, naive_outside, drifts, drifting;
};

static struct tally count_effects(const struct regret_rate_estimate *estimates, size_t n)
{
    struct tally t = {0};
    for (size_t i = 0; i < n; i++) {
        const struct regret_rate_effect *e = estimates[i].effects;
        const struct regret_rate_effect *ate = &e[REGRET_EFFECT_RATE_ATE];
        enum regret_rate_effect_kind kind = REGRET_EFFECT_RATE_ATE;
        const struct regret_rate_effect *first = main_effect(&kind, &estimates[i]);
        double naive = e[REGRET_EFFECT_NAIVE].estimate;
        t.n += first != NULL;
        t.instead += first != NULL && first != ate;
        t.up += first != NULL && sign_of(first) > 0;
        t.down += first != NULL && sign_of(first) < 0;
        t.naive_n += ate->missing == NULL && isfinite(naive);
        t.naive_outside += naive < ate->low || naive > ate->high;
        for (int k = REGRET_EFFECT_DRIFT_1; k <= REGRET_EFFECT_DRIFT_0; k++) {
            t.drifts += e[k].missing == NULL;
            t.drifting += sign_of(&e[k]) != 0;
        }
    }
    return t;
}

static void put_sentences(struct regret_buffer *out, const struct regret_rate_rows *rows,
                          const struct tally *t)
{
    html_say(out, "p class=\"verdict\"",
             "Of %zu pairs of an attribute and a reward model, having the attribute raises the "
             "reward in %zu and lowers it in %zu; in %zu it cannot be told from none.",
             t->n, t->up, t->down, t->n - t->up - t->down);
    regret_buffer_append(out, "<ul class=\"sentences\">\n");
    html_element(out, "li",
                 "By the double rewrite (RATE, average treatment effect) and its 95 % interval, "
                 "which is not corrected for the number of pairs.");
    if (t->instead > 0) {
        html_say(out, "li",
                 "In %zu there is no such effect: there the ATU or ATT counts, or single rewrites, "
                 "which carry whatever else rewriting changes.",
                 t->instead);
    }
    html_say(out, "li",
             "The naive difference, of texts that have the attribute and texts that do not, lies "
             "outside that interval in %zu of %zu.",
             t->naive_outside, t->naive_n);
    html_say(out, "li",
             "Drift, what two rewrites change besides the attribute, differs from none in %zu of "
             "%zu; single rewrites carry it.",
             t->drifting, t->drifts);
    html_say(out, "li", "%zu row%s; whether a text has the attribute was predicted for %zu.",
             rows->n_rows, rows->n_rows == 1 ? "" : "s", count_predicted(rows));
    regret_buffer_append(out, "</ul>\n");
}

/* ---------------------------------------------------------------- tables */

static void put_label(struct table *t, const struct regret_rate_rows *rows,
                      const struct regret_rate_estimate *e, const char *suffix)
{
    struct regret_buffer label = REGRET_BUFFER_INIT;
    append_label(&label, rows, e->group, e->model);
    table_row(t, "%s%s", regret_buffer_get(&label), suffix);
    text_free_into(&t->status, &label);
}

static void make_overview(struct table *t, const struct regret_rate_rows *rows,
                          const struct regret_rate_estimate *estimates, size_t n)
{
    static const char *const words[] = {"lowers the reward", "not separable", "raises the reward"};
    static const enum regret_rate_effect_kind kinds[] = {
        REGRET_EFFECT_NAIVE, REGRET_EFFECT_SINGLE_ATE, REGRET_EFFECT_RATE_ATE};
    table_begin(t, "effects", "What an attribute does to a reward");
    table_block(t, "%s", "");
    TABLE_HEADS(t, "Attribute and model", "It", "Naive", "Single rewrite", "RATE", "95 % low",
                "95 % high", "Drift, W = 1", "Drift, W = 0");
    for (size_t i = 0; i < n; i++) {
        const struct regret_rate_effect *e = estimates[i].effects;
        enum regret_rate_effect_kind kind = REGRET_EFFECT_RATE_ATE;
        const struct regret_rate_effect *ate = &e[REGRET_EFFECT_RATE_ATE],
                                        *first = main_effect(&kind, &estimates[i]);
        put_label(t, rows, &estimates[i], "");
        table_text(t, "%s%s%s", first == NULL ? ate->missing : words[1 + sign_of(first)],
                   first == NULL || first == ate ? "" : ": ",
                   first == NULL || first == ate ? "" : regret_rate_effect_name(kind));
        for (size_t k = 0; k < 3; k++) {
            table_signed_estimate(t, e[kinds[k]].estimate, e[kinds[k]].se, DECIMALS);
        }
        table_signed(t, ate->low, DECIMALS);
        table_signed(t, ate->high, DECIMALS);
        table_signed_estimate(t, e[REGRET_EFFECT_DRIFT_1].estimate, e[REGRET_EFFECT_DRIFT_1].se,
                              DECIMALS);
        table_signed_estimate(t, e[REGRET_EFFECT_DRIFT_0].estimate, e[REGRET_EFFECT_DRIFT_0].se,
                              DECIMALS);
    }
    table_note(t, "On the scale of the reward, ± standard error; the interval is RATE's. Naive, "
                  "single rewrite and RATE: average treatment effects of the attribute W.");
}

static void make_effects(struct table *t, const struct regret_rate_rows *rows,
                         const struct regret_rate_estimate *estimates, size_t n)
{
    static const char *const heads[] = {"Effect",        "Rows",          "Estimate ± SE",
                                        "95 % low",      "95 % high",     "Cohen's d ± SE",
                                        "boot 95 % low", "boot 95 % high"};
    struct regret_buffer suffix = REGRET_BUFFER_INIT;
    int boot = has_bootstrap(estimates, n);
    table_begin(t, "estimates", "Every effect");
    table_block(t, "%s", "");
    table_columns(t, heads, sizeof heads / sizeof *heads - (boot ? 0 : 2));
    for (size_t i = 0; i < n * REGRET_N_EFFECTS; i++) {
        const struct regret_rate_estimate *of = &estimates[i / REGRET_N_EFFECTS];
        enum regret_rate_effect_kind kind = (enum regret_rate_effect_kind)(i % REGRET_N_EFFECTS);
        const struct regret_rate_effect *e = &of->effects[kind];
        regret_buffer_clear(&suffix);
        regret_buffer_printf(&suffix, ": %s", regret_rate_effect_name(kind));
        put_label(t, rows, of, regret_buffer_get(&suffix));
        table_number(t, (double)e->n, 0);
        table_signed_estimate(t, e->estimate, e->se, DECIMALS);
        table_signed(t, e->low, DECIMALS);
        table_signed(t, e->high, DECIMALS);
        table_signed_estimate(t, e->d, e->d_se, DECIMALS);
        if (boot) {
            table_signed(t, e->boot_low, DECIMALS);
            table_signed(t, e->boot_high, DECIMALS);
        }
    }
    table_note(t, "ATE, ATT and ATU: average effect on all, on those that have the attribute, on "
                  "those that do not. docs/rate.md has every formula.");
    text_free_into(&t->status, &suffix);
}

static void make_issues(struct table *t, const struct regret_rate_rows *rows)
{
    struct regret_buffer where = REGRET_BUFFER_INIT;
    table_begin(t, "issues", "Rows with issues");
    table_block(t, "%s", "");
    TABLE_HEADS(t, "Issue", "Count", "Where", "Remedy");
    t->idle = 1;
    for (int k = 0; k < REGRET_RATE_N_ISSUES; k++) {
        if (rows->issues[k].count > 0) {
            t->idle = 0;
            regret_buffer_clear(&where);
            issue_places(&where, rows, &rows->issues[k]);
            table_row(t, "%s", regret_rate_issue_name((enum regret_rate_issue_kind)k));
            table_number(t, (double)rows->issues[k].count, 0);
            table_text(t, "%s", regret_buffer_get(&where));
            table_text(t, "%s", regret_rate_issue_remedy((enum regret_rate_issue_kind)k));
        }
    }
    text_free_into(&t->status, &where);
}

/* ---------------------------------------------------------------- texts */

static void put_rewards(struct regret_buffer *out, const struct regret_rate_rows *rows, size_t i,
                        int side)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    append_rewards(&text, rows, i, side);
    html_element(out, "p class=\"data\"", regret_buffer_get(&text));
    regret_buffer_free_into(out, &text);
}

static void put_sample(struct regret_buffer *out, const struct regret_rate_rows *rows, size_t i)
{
    static const char *const sides[] = {"Original", "Rewrite", "Rewrite of the rewrite"};
    const struct regret_rate_group *g = &rows->groups[rows->group[i]];
    struct regret_buffer text = REGRET_BUFFER_INIT;
    html_say(out, "h3", "%s%s%s:%zu", g->attribute, g->attribute[0] != '\0' ? ", " : "",
             rows->file[i] < rows->n_files ? rows->files[rows->file[i]].name : "row",
             rows->line[i]);
    regret_buffer_append(out, "<div class=\"texts\">\n");
    for (int s = 0; s < REGRET_N_SIDES; s++) {
        /* The rewrite has the attribute where the original has it not. */
        int has = (rows->w[i] == REGRET_LABEL_1) != (s == REGRET_SIDE_REWRITE);
        regret_buffer_printf(out, "<div>\n<h4>%s, W = %d</h4>\n", sides[s], has);
        put_rewards(out, rows, i, s);
        regret_buffer_clear(&text);
        regret_buffer_append_safe(&text, rows->texts[i].completion[s], SAMPLE_CHARACTERS);
        html_element(out, "p", regret_buffer_get(&text));
        regret_buffer_append(out, "</div>\n");
    }
    regret_buffer_append(out, "</div>\n");
    regret_buffer_free_into(out, &text);
}

/* The first rows of each group that have all three texts; none where texts were not kept. */
static int put_samples(struct regret_buffer *out, const struct regret_rate_rows *rows)
{
    size_t n = 0;
    FREED size_t *of_group = NULL;
    TRY(REGRET_NEW(&of_group, rows->n_groups + 1));
    for (size_t i = 0; i < rows->n_rows && n < MOST_SAMPLES; i++) {
        if (has_texts(rows, i) && of_group[rows->group[i]]++ < SAMPLES_OF_GROUP) {
            if (n++ == 0) {
                page_section(out, PAGE_TOP, "texts", "Texts beside one another");
            }
            put_sample(out, rows, i);
        }
    }
    regret_buffer_append(out, n > 0 ? "</section>\n" : "");
    return REGRET_OK;
}

static int has_samples(const struct regret_rate_rows *rows)
{
    size_t i = 0;
    while (i < rows->n_rows && !has_texts(rows, i)) {
        i++;
    }
    return i < rows->n_rows;
}

/* ---------------------------------------------------------------- the page */

static void put_navigation(struct regret_buffer *out, const struct regret_rate_rows *rows,
                           const struct figures *figures, const struct table *issues)
{
    page_contents(out);
    page_link(out, "headline", "Headline");
    page_figure_links(out, figures);
    page_link(out, "estimates", "estimates");
    if (!issues->idle) {
        page_link(out, "issues", "issues");
    }
    if (has_samples(rows)) {
        page_link(out, "texts", "texts");
    }
    page_main(out);
}

int estimates_page(struct regret_buffer *out, const struct regret_rate_rows *rows,
                   const struct regret_rate_estimate *estimates, size_t n,
                   const struct figures *figures)
{
    FREED_BY(table_free) struct table overview = {0};
    FREED_BY(table_free) struct table effects = {0};
    FREED_BY(table_free) struct table issues = {0};
    const struct tally tally = count_effects(estimates, n);
    make_overview(&overview, rows, estimates, n);
    make_effects(&effects, rows, estimates, n);
    make_issues(&issues, rows);
    TRY(table_check(&overview));
    TRY(table_check(&effects));
    TRY(table_check(&issues));
    page_begin(out, title);
    put_navigation(out, rows, figures, &issues);
    page_section(out, PAGE_TOP, "headline", "Headline");
    put_sentences(out, rows, &tally);
    html_table(out, &overview);
    TRY(page_table_download(out, &overview, 0));
    regret_buffer_append(out, "</section>\n");
    TRY(page_figures(out, figures, 0));
    TRY(page_table(out, PAGE_TOP, &effects, 0));
    if (!issues.idle) {
        TRY(page_table(out, PAGE_TOP, &issues, 0));
    }
    TRY(put_samples(out, rows));
    page_end(out);
    return regret_buffer_status(out);
}
