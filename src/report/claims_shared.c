/* The evaluators that claims of several ideas share. */
#include <stdio.h>

#include "regret/alloc.h"
#include "report/claims.h"

int claim_beats(struct finding *f, const struct claim *c, const struct scene *x)
{
    size_t *rivals = NULL;
    size_t first = family_named(x->r, c->families[0]);
    int rc = REGRET_NEW(&rivals, x->r->n_families + CLAIM_FAMILIES);
    size_t n = rc == REGRET_OK ? rivals_of(rivals, c, x) : 0;
    say_mean(f, &x->cells, c->measure, first);
    for (size_t i = 0; rc == REGRET_OK && i < n; i++) {
        say_mean(f, &x->cells, c->measure, rivals[i]);
        add_mean(f, c->sign, &x->cells, c->measure, first);
        add_mean(f, -c->sign, &x->cells, c->measure, rivals[i]);
        rc = end_part(f);
    }
    regret_free(rivals);
    return rc;
}

/* "beta 0: 0.31": the number, or the difference of the two, at an end of the key. */
static int say_end(struct finding *f, const struct claim *c, const struct scene *x, enum end end)
{
    struct slice s = {0};
    char label[128];
    int rc = cells_at(&s, &x->cells, c->key, end);
    if (rc != REGRET_OK) {
        return rc;
    }
    double y = slice_estimate(&s, c->measure, family_named(x->r, c->families[0])).mean;
    snprintf(label, sizeof label, "%s %s:", x->r->keys[c->key].name, value_text(&s, c->key));
    if (c->families[1] == NULL) {
        say_number(f, label, y, decimals_of(c->measure));
    } else {
        y -= slice_estimate(&s, c->measure, family_named(x->r, c->families[1])).mean;
        say_signed(f, label, y, decimals_of(c->measure));
    }
    slice_free(&s);
    return REGRET_OK;
}

int claim_trend(struct finding *f, const struct claim *c, const struct scene *x)
{
    int rc = say_end(f, c, x, FIRST);
    if (rc == REGRET_OK) {
        rc = say_end(f, c, x, LAST);
    }
    if (rc == REGRET_OK) {
        rc = add_slope(f, c->sign, &x->cells, c->key, c->measure,
                       family_named(x->r, c->families[0]));
    }
    if (rc == REGRET_OK && c->families[1] != NULL) {
        rc = add_slope(f, -c->sign, &x->cells, c->key, c->measure,
                       family_named(x->r, c->families[1]));
    }
    return rc == REGRET_OK ? end_part(f) : rc;
}

int claim_ranks_agents(struct finding *f, const struct claim *c, const struct scene *x)
{
    struct claim part = *c;
    part.sign = 1;
    part.measure = REGRET_MEASURE_TOP1;
    say_words(f, "top-1:");
    int rc = claim_beats(f, &part, x);
    part.measure = REGRET_MEASURE_TOP3;
    say_words(f, "; top-3:");
    return rc == REGRET_OK ? claim_beats(f, &part, x) : rc;
}
