/* What links rows of different groups: units, which are drawn independently of each other. */
#ifndef REGRET_RATE_UNITS_H
#define REGRET_RATE_UNITS_H

#include "rate/estimate/clusters.h"

/* (*unit)[row], below *n_units: the cluster where the options let clusters of its group count; else rows
 * of one id and dataset are of one unit, whatever their attribute; else the row. In one group no two
 * rows are linked by their ids. *unit is freed with regret_free(). O(rows). */
int units_number(uint32_t **unit, size_t *n_units, const struct regret_rate_rows *rows,
                 enum regret_rate_clusters which);

struct columns;
/* What is done with one estimate: its columns, the clusters of its group (`of` NULL: none), and the
 * table rows of the group. */
typedef int visit_estimate(void *context, size_t number, const struct columns *columns,
                           const struct clusters *clusters, const size_t *members,
                           size_t n_members);
/* Visits the n estimates of regret_rate_estimate() of all rows in order; rows of one name[row] below
 * n_names are of one cluster. */
int visit_estimates(const struct regret_rate_rows *rows,
                    const struct regret_rate_estimate *estimates, size_t n, const uint32_t *name,
                    size_t n_names, enum regret_rate_clusters which, visit_estimate *visit,
                    void *context);

#endif
