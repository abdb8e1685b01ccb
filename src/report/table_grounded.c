/* How often grounded-anchored chose each λ, over all cells and seeds: the end of T9. */
#include "base/try.h"
#include "regret/alloc.h"
#include "report/spec.h"

int put_chosen_lambdas(struct table *t, const struct table_data *d)
{
    size_t anchored = regret_results_subject(d->r, REGRET_ROW_FAMILY, "grounded-anchored"), n = 0;
    double *lambda = NULL;
    if (anchored == REGRET_NO_ROW) {
        return REGRET_OK;
    }
    TRY(chosen_values(&lambda, &n, d->r, REGRET_MEASURE_LAMBDA, anchored));
    if (n > 0) {
        static const char *const heads[] = {"λ", "Fits", "Share (%)"};
        table_block(t, "λ chosen by grounded-anchored, %zu fits", n);
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
