/* What families of the user's own have not made, in words. */
#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "results/read/reader.h"

/* Of one family. */
struct lack {
    size_t rows, fits;   /* of its replicates, and those that have a fit */
    size_t *failures;    /* by word */
    size_t no_cross_fit; /* replicates with a fit and DM, but no DR */
};

static void count_rows(struct lack *out, const struct regret_results *r, size_t family)
{
    for (size_t i = 0; i < r->n_rows; i++) {
        if (r->row_subject[i] != family) {
            continue;
        }
        out->rows++;
        if (r->row_failure[i] != REGRET_NO_ROW) {
            out->failures[r->row_failure[i]]++;
            continue;
        }
        out->fits++;
        out->no_cross_fit += isfinite(r->measure[REGRET_MEASURE_DM_RMSE][i]) &&
                             !isfinite(r->measure[REGRET_MEASURE_DR_RMSE][i]);
    }
}

/* "mine has no fit in 3 of 60 replicates (time-out 2, crash 1): it counts as missing there, and its numbers are
 * means over the rest." */
static void put_failures(struct regret_buffer *t, const struct regret_results *r, const char *name,
                         const struct lack *lack)
{
    const char *joint = " (";
    if (lack->fits == lack->rows) {
        return;
    }
    regret_buffer_append(t, t->length > 0 ? " " : "");
    regret_buffer_append_safe(t, name, 60);
    regret_buffer_printf(t, " has no fit in %zu of %zu replicates", lack->rows - lack->fits,
                         lack->rows);
    for (size_t w = 0; w < r->n_words; w++) {
        if (lack->failures[w] > 0) {
            regret_buffer_append(t, joint);
            regret_buffer_append_safe(t, r->words[w], 40);
            regret_buffer_printf(t, " %zu", lack->failures[w]);
            joint = ", ";
        }
    }
    regret_buffer_append(t,
                         "): it counts as missing there, and its numbers are means over the rest.");
}

static void put_cross_fit(struct regret_buffer *t, const char *name, const struct lack *lack)
{
    if (lack->no_cross_fit > 0) {
        regret_buffer_append(t, t->length > 0 ? " " : "");
        regret_buffer_append_safe(t, name, 60);
        regret_buffer_printf(
            t,
            " has no DR and SNDR in %zu of %zu replicates, for want of predictions "
            "out of fold.",
            lack->no_cross_fit, lack->rows);
    }
}

static int put_family(struct regret_buffer *t, const struct regret_results *r, size_t family)
{
    struct lack lack = {0};
    TRY(REGRET_NEW(&lack.failures, r->n_words + 1));
    count_rows(&lack, r, family);
    put_failures(t, r, r->subjects[family].name, &lack);
    put_cross_fit(t, r->subjects[family].name, &lack);
    regret_free(lack.failures);
    return regret_buffer_status(t);
}

int results_find_unmade(struct results_reader *reader)
{
    struct regret_results *r = reader->results;
    FREED_BY(regret_buffer_free) struct regret_buffer all = REGRET_BUFFER_INIT;
    for (size_t f = 0; f < r->n_families; f++) {
        TRY(r->subjects[f].external != NULL ? put_family(&all, r, f) : REGRET_OK);
    }
    if (all.length > 0) {
        return regret_strdup(&r->unmade, regret_buffer_get(&all));
    }
    return REGRET_OK;
}
