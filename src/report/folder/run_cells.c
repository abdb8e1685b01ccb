/* The families in each cell of a sweep, of which the page's script shows the one that is chosen. */
#include <math.h>

#include "base/core/try.h"
#include "base/text/escape.h"
#include "report/folder/report.h"
#include "report/rows/contenders.h"

/* A third of a kilobyte each: of more the page would not stay small. */
enum { MOST_ROWS = 2500, DECIMALS = 4 };

int run_has_cells(const struct regret_results *r)
{
    return r->n_cells > 1 && r->n_cells * r->n_subjects <= MOST_ROWS;
}

/* A key that varies is a <span>: the script makes a choice of its values. */
static void put_keys(struct regret_buffer *out, const struct slice *cell)
{
    const char *between = "";
    for (size_t k = 0; k < cell->r->n_keys; k++) {
        const struct regret_key *key = &cell->r->keys[k];
        if (key->n_values > 1) {
            regret_buffer_printf(out, "%s<span data-key=\"", between);
            html_escape(out, k == REGRET_KEY_BETA ? "β" : key->name);
            regret_buffer_append(out, "\">");
            html_escape(out, k == REGRET_KEY_BETA ? "β" : key->name);
            regret_buffer_append_char(out, ' ');
            html_escape(out, slice_value(cell, k));
            regret_buffer_append(out, "</span>");
            between = ", ";
        }
    }
}

static void put_contender(struct table *t, const struct regret_results *r,
                          const struct contender *x)
{
    static const char *const verdicts[] = {[CONTENDER_BEST] = "best",
                                           [CONTENDER_TIED] = "not separable",
                                           [CONTENDER_WORSE] = "above it",
                                           [CONTENDER_BETTER] = "below it",
                                           [CONTENDER_UNKNOWN] = "not testable"};
    const struct paired *d = &x->to_best;
    table_row(t, "%s", r->subjects[x->subject].name);
    table_estimate(t, x->mean, x->se, DECIMALS);
    table_signed(t, d->n > 1 ? d->mean : NAN, DECIMALS);
    table_text(t, d->n > 1 ? "[%s%.*f, %s%.*f]" : "–", d->low < 0.0 ? "−" : "", DECIMALS,
               fabs(d->low), d->high < 0.0 ? "−" : "", DECIMALS, fabs(d->high));
    table_text(t, "%s", verdicts[x->verdict]);
}

static int put_cell(struct regret_buffer *out, const struct slice *cell)
{
    FREED_BY(contenders_free) struct contenders s = {0};
    FREED_BY(table_free) struct table t = {0};
    TRY(contenders_compare(&s, cell));
    table_begin(&t, "cell", "The families in one cell");
    table_block(&t, "%s", "");
    TABLE_HEADS(&t, "Family", "Mean regret ± SE", "Δ to best", "95 % interval", "Verdict");
    for (size_t i = 0; i < s.n; i++) {
        put_contender(&t, s.r, &s.items[i]);
    }
    TRY(table_check(&t));
    regret_buffer_printf(out, "<details class=\"cell\" id=\"cell-%zu\">\n<summary>",
                         cell->cells[0] + 1);
    put_keys(out, cell);
    regret_buffer_append(out, "</summary>\n");
    html_table(out, &t);
    regret_buffer_append(out, "</details>\n");
    return REGRET_OK;
}

int run_cells(struct regret_buffer *out, const struct regret_results *r)
{
    page_section(out, PAGE_IN_PART, "cells", "The families in one cell");
    regret_buffer_append(out,
                         "<p>Δ to best: paired difference of regret over seeds to the family of "
                         "the lowest mean in the cell, with its 95 % bootstrap interval; not "
                         "separable: the interval holds 0.</p>\n<div class=\"cells\">\n");
    for (size_t i = 0; i < r->n_cells; i++) {
        const struct slice cell = {r, &i, 1};
        TRY(put_cell(out, &cell));
    }
    regret_buffer_append(out, "</div>\n</section>\n");
    return REGRET_OK;
}
