/* How often each variant that pools chose each λ, over all cells and seeds: the end of T9. */
#include "base/core/try.h"
#include "regret/alloc.h"
#include "report/tables/spec.h"

static int put_lambdas_of(struct table *t, const struct table_data *d, size_t family)
{
    double *lambda = NULL;
    size_t n = 0;
    TRY(chosen_values(&lambda, &n, d->r, REGRET_MEASURE_LAMBDA, family));
    if (n > 0) {
        static const char *const heads[] = {"λ", "Fits", "Share (%)"};
        table_block(t, "λ chosen by %s, %zu fits", d->r->subjects[family].name, n);
        table_columns(t, heads, sizeof heads / sizeof *heads);
    }
    for (size_t i = 0, end = 0; i < n; i = end) {
        while (end < n && lambda[end] == lambda[i]) {
            end++;
        }
        table_row(t, "%.10g", lambda[i]);
        table_number(t, (double)(end - i), 0);
        table_number(t, 100.0 * (double)(end - i) / (double)n, 1);
    }
    regret_free(lambda);
    return REGRET_OK;
}

int put_chosen_lambdas(struct table *t, const struct table_data *d)
{
    for (size_t f = 0; f < d->r->n_families; f++) {
        if (!family_is_ranked(d->r, f)) {
            TRY(put_lambdas_of(t, d, f));
        }
    }
    return REGRET_OK;
}
