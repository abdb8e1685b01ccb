#include "rate/estimate/units.h"

#include <string.h>

#include "base/core/try.h"
#include "rate/estimate/columns.h"
#include "rate/rows/rows.h"
#include "regret/alloc.h"

/* What units are numbered by, group after group. */
struct numbering {
    const struct regret_rate_rows *rows;
    struct intern ids; /* family: the first group of the dataset */
    uint32_t *id_of;   /* by row: its number in the table's ids; owned */
    uint32_t *last;    /* by number in `ids`: 1 + the group that had it last; owned */
    uint32_t *unit;    /* by row */
    size_t n;          /* units so far, those by id not counted */
};

static int begin(struct numbering *b, const struct regret_rate_rows *rows)
{
    const struct regret_rate_index *index = rows->index;
    memset(b, 0, sizeof *b);
    b->rows = rows;
    b->n = rows->n_clusters;
    TRY(REGRET_NEW(&b->id_of, rows->n_rows));
    TRY(REGRET_NEW(&b->last, index->ids.n));
    TRY(REGRET_NEW(&b->unit, rows->n_rows));
    memset(b->id_of, 0xFF, rows->n_rows * sizeof *b->id_of);
    for (uint32_t k = 0; k < index->ids.n; k++) {
        b->id_of[index->row_of_id[k]] = k;
    }
    return REGRET_OK;
}

static void finish(struct numbering *b)
{
    intern_free(&b->ids);
    regret_free(b->id_of);
    regret_free(b->last);
    regret_free(b->unit);
}

/* The first group of the same dataset. */
static uint32_t dataset_of(const struct regret_rate_rows *rows, size_t g)
{
    uint32_t first = 0;
    while (strcmp(rows->groups[first].dataset, rows->groups[g].dataset) != 0) {
        first++;
    }
    return first;
}

/* Numbers of ids are kept apart from the others by the number of rows, which none of them reaches. */
static int number_by_id(struct numbering *b, size_t i, uint32_t dataset)
{
    uint32_t number = 0, group = b->rows->group[i] + 1;
    int is_new = 0;
    if (b->id_of[i] == UINT32_MAX) {
        b->unit[i] = (uint32_t)b->n++;
        return REGRET_OK;
    }
    TRY(intern_add(&b->ids, dataset, intern_text(&b->rows->index->ids, b->id_of[i]), &number,
                   &is_new));
    int linked = b->last[number] != group;
    b->last[number] = group;
    b->unit[i] =
        linked ? (uint32_t)(b->rows->n_clusters + b->rows->n_rows + number) : (uint32_t)b->n++;
    return REGRET_OK;
}

static int number_group(struct numbering *b, size_t g, const size_t *members, size_t n,
                        int by_cluster)
{
    uint32_t dataset = dataset_of(b->rows, g);
    for (size_t k = 0; k < n; k++) {
        uint32_t cluster = b->rows->cluster[members[k]];
        if (by_cluster && cluster != REGRET_RATE_NO_CLUSTER) {
            b->unit[members[k]] = cluster;
        } else {
            TRY(number_by_id(b, members[k], dataset));
        }
    }
    return REGRET_OK;
}

int units_number(uint32_t **unit, size_t *n_units, const struct regret_rate_rows *rows,
                 enum regret_rate_clusters which)
{
    const struct regret_rate_options all = {0};
    FREED_BY(finish) struct numbering b = {0};
    FREED_BY(clusters_free) struct clusters clusters = {0};
    FREED size_t *order = NULL, *start = NULL;
    if (2 * rows->n_rows + rows->n_clusters + rows->index->ids.n > UINT32_MAX) {
        return regret_fail(REGRET_E_INPUT, "%zu rows are too many for contrasts; split the file",
                           rows->n_rows);
    }
    TRY(begin(&b, rows));
    TRY(clusters_new(&clusters, rows->n_clusters, rows->n_rows));
    TRY(sort_by_group(&order, &start, rows, &all));
    for (size_t g = 0; g < rows->n_groups; g++) {
        const size_t *members = order + start[g];
        size_t n = start[g + 1] - start[g];
        clusters_number(&clusters, rows->cluster, members, n, which);
        int by_cluster = clusters.n_named > (which == REGRET_CLUSTERS_ALWAYS ? 0 : 1);
        TRY(number_group(&b, g, members, n, by_cluster));
    }
    *unit = b.unit;
    *n_units = rows->n_clusters + rows->n_rows + b.ids.n;
    b.unit = NULL;
    return REGRET_OK;
}

int visit_estimates(const struct regret_rate_rows *rows,
                    const struct regret_rate_estimate *estimates, size_t n, const uint32_t *name,
                    size_t n_names, enum regret_rate_clusters which, visit_estimate *visit,
                    void *context)
{
    const struct regret_rate_options all = {0};
    FREED_BY(clusters_free) struct clusters clusters = {0};
    FREED_BY(columns_free) struct columns columns = {0};
    FREED size_t *order = NULL, *start = NULL;
    TRY(sort_by_group(&order, &start, rows, &all));
    TRY(clusters_new(&clusters, n_names, rows->n_rows));
    for (size_t k = 0; k < n; k++) {
        size_t g = estimates[k].group, n_members = start[g + 1] - start[g];
        const size_t *members = order + start[g];
        if (k == 0 || g != estimates[k - 1].group) {
            clusters_number(&clusters, name, members, n_members, which);
        }
        TRY(columns_gather(&columns, rows, estimates[k].model, members, n_members));
        TRY(visit(context, k, &columns, &clusters, members, n_members));
    }
    return REGRET_OK;
}
