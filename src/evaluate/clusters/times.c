#include "evaluate/clusters/times.h"

#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/quantile.h"

enum { MOST = 1 << 16 };

int time_order_build(struct time_order *out, const double *times, size_t n)
{
    struct time_order order = {0};
    size_t step = n / MOST + 1;
    TRY(REGRET_NEW(&order.sorted, n / step + 1));
    for (size_t i = 0; i < n; i += step) {
        if (!isnan(times[i])) {
            order.sorted[order.n++] = times[i];
        }
    }
    regret_sort_numbers(order.sorted, order.n);
    *out = order;
    return REGRET_OK;
}

void time_order_free(struct time_order *order)
{
    regret_free(order->sorted);
    *order = (struct time_order){0};
}

/* How many of them are below x, or not above it. */
static size_t count(const struct time_order *order, double x, int with_equal)
{
    size_t low = 0, high = order->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        double at = order->sorted[middle];
        if (at < x || (with_equal && at <= x)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

double time_place(const struct time_order *order, double time)
{
    return isnan(time) || order->n == 0
               ? NAN
               : 0.5 * (double)(count(order, time, 0) + count(order, time, 1)) / (double)order->n;
}
