#include "report/claims/claim_ask.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "report/claims/evidence.h"
#include "results/row/row.h"

static claim_kind *kind_of(const struct claim *c)
{
    int m = c->measures[0];
    return m == MEASURE_COSTLIEST                        ? judge_costliest
           : c->against == AGAINST_EACH                  ? judge_rivals
           : m == MEASURE_WINS || m == MEASURE_MOST_WINS ? judge_wins
                                                         : judge_contrast;
}

static int ask_measures(struct claim_result *f, const struct claim *c, struct claim_context *x)
{
    for (size_t k = 0; k < CLAIM_MEASURES && c->measures[k] >= 0; k++) {
        x->measure = c->measures[k];
        TRY(kind_of(c)(f, c, x));
    }
    return REGRET_OK;
}

int claim_ask(struct claim_result *f, const struct claim *c, const struct slice *all,
              const struct ranking *ranking)
{
    struct claim_context x = {.r = all->r, .ranking = *ranking};
    int rc;
    f->weakest = (struct paired){NAN, NAN, NAN, NAN, 0};
    TRY(claim_needs(f, c, all));
    if (f->lacking.length > 0) {
        return REGRET_OK;
    }
    TRY_CLEANUP(claim_cells_of(&x.cells, c, all));
    memset(f->d, 0, f->n_seeds * sizeof *f->d);
    TRY_CLEANUP(ask_measures(f, c, &x));
    if (f->tested == 0 && f->lacking.length == 0) {
        regret_buffer_append(&f->lacking, "a seed with all its numbers");
    }
    rc = regret_buffer_status(&f->lacking);
cleanup:
    slice_free(&x.cells);
    return rc;
}

size_t claim_parts_on(const struct claim_result *f, int side, const double *adjusted)
{
    const double size = 0.05;
    size_t n = 0;
    for (size_t i = 0; i < f->n_parts; i++) {
        n += f->parts[i].side == side && (adjusted == NULL || adjusted[i] <= size);
    }
    return n;
}

enum verdict claim_verdict(const struct claim_result *f, const double *adjusted)
{
    size_t above = claim_parts_on(f, 1, adjusted), below = claim_parts_on(f, -1, adjusted);
    if (f->lacking.length > 0) {
        return VERDICT_NOT_APPLICABLE;
    }
    if (above == 0) {
        return below > 0 ? VERDICT_FAILS : VERDICT_OPEN;
    }
    return below > 0 ? VERDICT_MIXED : above == f->n_parts ? VERDICT_HOLDS : VERDICT_PARTLY;
}

void claim_result_clear(struct claim_result *f)
{
    regret_buffer_free(&f->lacking);
    regret_free(f->parts);
    *f = (struct claim_result){.n_seeds = f->n_seeds, .d = f->d};
}
