#include "evaluate/worth/simultaneous.h"

#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/parallel.h"
#include "regret/quantile.h"
#include "regret/rng.h"

struct draws {
    const double *influence, *length; /* [n × n_clusters], [n] √Σ ψ² */
    size_t n, n_clusters;
    uint64_t seed;
    double *largest;    /* [resamples] */
    double *multiplier; /* [threads × n_clusters] */
};

static int draw(void *self, size_t b, size_t worker)
{
    const struct draws *d = self;
    struct regret_rng rng = regret_rng_at(d->seed, REGRET_RNG_BOOTSTRAP, b);
    double *g = d->multiplier + worker * d->n_clusters, largest = 0.0;
    for (size_t c = 0; c < d->n_clusters; c++) {
        g[c] = regret_rng_normal(&rng);
    }
    for (size_t a = 0; a < d->n; a++) {
        double sum = 0.0;
        for (size_t c = 0; c < d->n_clusters && d->length[a] > 0.0; c++) {
            sum += g[c] * d->influence[a * d->n_clusters + c];
        }
        largest = d->length[a] > 0.0 ? fmax(largest, fabs(sum) / d->length[a]) : largest;
    }
    d->largest[b] = largest;
    return REGRET_OK;
}

static size_t measure(double *length, const double *influence, size_t n, size_t n_clusters)
{
    size_t counted = 0;
    for (size_t a = 0; a < n; a++) {
        double squares = 0.0;
        for (size_t c = 0; c < n_clusters; c++) {
            squares += influence[a * n_clusters + c] * influence[a * n_clusters + c];
        }
        length[a] = sqrt(squares);
        counted += length[a] > 0.0;
    }
    return counted;
}

/* Of many clusters what they add is added up by groups, dealt out in turn [C]: sums of independent clusters are independent, too. */
static int group(double **out, const double *influence, size_t n, size_t n_clusters, size_t groups)
{
    TRY(REGRET_NEW(out, n * groups));
    for (size_t a = 0; a < n; a++) {
        for (size_t c = 0; c < n_clusters; c++) {
            (*out)[a * groups + c % groups] += influence[a * n_clusters + c];
        }
    }
    return REGRET_OK;
}

int simultaneous_level(double *each, double *critical, const double *influence, size_t n,
                       size_t n_clusters, double level, size_t resamples, uint64_t seed,
                       size_t threads)
{
    enum { MOST_CLUSTERS = 20000 };
    FREED double *length = NULL, *largest = NULL, *multiplier = NULL, *grouped = NULL;
    if (n_clusters > MOST_CLUSTERS) {
        TRY(group(&grouped, influence, n, n_clusters, MOST_CLUSTERS));
        influence = grouped;
        n_clusters = MOST_CLUSTERS;
    }
    *each = level;
    *critical = NAN;
    TRY(REGRET_NEW(&length, n));
    TRY(REGRET_NEW(&largest, resamples));
    TRY(REGRET_NEW(&multiplier, threads * n_clusters));
    if (measure(length, influence, n, n_clusters) > 0) {
        struct draws d = {influence, length, n, n_clusters, seed, largest, multiplier};
        TRY(regret_parallel_for(resamples, threads, draw, &d));
        regret_sort_numbers(largest, resamples);
        *critical = regret_quantile(largest, resamples, level);
        *each = fmax(level, erf(*critical / sqrt(2.0)));
    }
    return REGRET_OK;
}
