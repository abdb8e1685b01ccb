#include "evaluate/clusters/times.h"

#include <math.h>

#include "base/core/sorted.h"
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

double time_place(const struct time_order *order, double time)
{
    return isnan(time) || order->n == 0
               ? NAN
               : 0.5 *
                     (double)(sorted_below(order->sorted, order->n, time) +
                              sorted_below(order->sorted, order->n, nextafter(time, INFINITY))) /
                     (double)order->n;
}
