#include "rate/internal.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/status.h"
#include "regret/rate.h"
#include "regret/status.h"
#include "stats/distributions.h"

const char MISSING_ONE_CLUSTER[] = "all rows are of one cluster, so no interval can be made; "
                                   "--cluster none takes them as independent";
const char MISSING_TOO_LARGE[] = "the scores are too large: the result overflows";

int clusters_new(struct clusters *c, size_t n_names, size_t n_members)
{
    memset(c, 0, sizeof *c);
    if (n_names == 0) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&c->of, n_members));
    TRY(REGRET_NEW(&c->seen, n_names));
    memset(c->seen, 0xFF, n_names * sizeof *c->seen);
    return REGRET_OK;
}

void clusters_free(struct clusters *c)
{
    regret_free(c->of);
    regret_free(c->seen);
    memset(c, 0, sizeof *c);
}

void clusters_number(struct clusters *c, const uint32_t *name, const size_t *members, size_t n,
                     enum regret_rate_clusters which)
{
    c->n = n;
    c->n_named = c->matter = 0;
    if (c->of == NULL || which == REGRET_CLUSTERS_NONE) {
        return;
    }
    uint32_t found = 0, named = 0;
    for (size_t k = 0; k < n; k++) {
        uint32_t own = name[members[k]];
        uint32_t *number = own != REGRET_RATE_NO_CLUSTER ? &c->seen[own] : &c->of[k];
        if (number == &c->of[k] || *number == REGRET_RATE_NO_CLUSTER) {
            named += own != REGRET_RATE_NO_CLUSTER;
            *number = found++;
        }
        c->of[k] = *number;
    }
    for (size_t k = 0; k < n; k++) {
        uint32_t own = name[members[k]];
        if (own != REGRET_RATE_NO_CLUSTER) {
            c->seen[own] = REGRET_RATE_NO_CLUSTER;
        }
    }
    c->n = found;
    c->n_named = named;
    c->matter = found < n && (named > 1 || which == REGRET_CLUSTERS_ALWAYS);
}

int sort_by_group(size_t **order, size_t **start, const struct regret_rate_rows *rows,
                  const struct regret_rate_options *options)
{
    size_t n = options->subset != NULL ? options->n_subset : rows->n_rows;
    size_t *begin = NULL;
    FREED size_t *sorted = NULL;
    TRY(REGRET_NEW(&sorted, n));
    TRY(REGRET_NEW(&begin, rows->n_groups + 2));
    for (size_t k = 0; k < n; k++) {
        begin[rows->group[options->subset != NULL ? options->subset[k] : k] + 2]++;
    }
    for (size_t g = 2; g < rows->n_groups + 2; g++) {
        begin[g] += begin[g - 1];
    }
    for (size_t k = 0; k < n; k++) {
        size_t i = options->subset != NULL ? options->subset[k] : k;
        sorted[begin[rows->group[i] + 1]++] = i;
    }
    *order = sorted;
    *start = begin;
    sorted = NULL;
    return REGRET_OK;
}

static int make_room(struct columns *c, size_t n)
{
    if (n <= c->capacity && c->block != NULL) {
        return REGRET_OK;
    }
    columns_free(c);
    TRY(REGRET_NEW(&c->row, n));
    TRY(REGRET_NEW(&c->block, 6 * n));
    c->capacity = n;
    return REGRET_OK;
}

static unsigned needed_of(const struct regret_rate_rows *rows, size_t m, const size_t *members)
{
    return rows->needed[rows->group[members[0]] * rows->n_models + m];
}

/* Sets the used rows: c->row, n1, n0. */
static void choose_rows(struct columns *c, const struct regret_rate_rows *rows, size_t m,
                        const size_t *members, size_t n)
{
    size_t used = 0;
    int any = (needed_of(rows, m, members) & NEEDED_SIDES) != 0; /* else no row serves */
    c->n_predicted = 0;
    for (int w = 1; w >= 0; w--) {
        for (size_t k = 0; any && k < n; k++) {
            size_t i = members[k];
            if (rows->w[i] == w && rows_missing(rows, m, i) == 0) {
                c->n_predicted += rows->w_predicted[i];
                c->row[used++] = k;
            }
        }
        if (w == 1) {
            c->n1 = used;
        }
    }
    c->n0 = used - c->n1;
}

static void fill_pointwise(struct columns *c, const struct regret_rate_model *model,
                           const size_t *members)
{
    size_t n = c->n1 + c->n0;
    double *o = c->score[REGRET_SIDE_ORIGINAL], *r = c->score[REGRET_SIDE_REWRITE];
    double *rr = c->score[REGRET_SIDE_REWRITE_OF_REWRITE];
    for (size_t k = 0; k < n; k++) {
        size_t i = members[c->row[k]];
        double sign = k < c->n1 ? 1.0 : -1.0;
        o[k] = model->score[REGRET_SIDE_ORIGINAL][i];
        r[k] = model->score[REGRET_SIDE_REWRITE][i];
        rr[k] = model->score[REGRET_SIDE_REWRITE_OF_REWRITE][i];
        c->single[k] = sign * (o[k] - r[k]);
        c->rate[k] = sign * (rr[k] - r[k]);
        c->drift[k] = rr[k] - o[k];
    }
}

static void fill_contrastive(struct columns *c, const struct regret_rate_model *model,
                             const size_t *members)
{
    for (size_t k = 0; k < c->n1 + c->n0; k++) {
        size_t i = members[c->row[k]];
        c->single[k] = model->score[0][i];
        c->rate[k] = model->score[1][i];
    }
}

/* Which scores there are, and so which kinds of estimates. */
static void find_kinds(struct columns *c, unsigned needed)
{
    for (int side = 0; side < REGRET_N_SIDES; side++) {
        c->has[side] = !c->contrastive && (needed & 1U << side) != 0;
    }
    int rewrite = c->has[REGRET_SIDE_REWRITE];
    c->has_single = c->contrastive ? (needed & 1U) != 0 : rewrite && c->has[REGRET_SIDE_ORIGINAL];
    c->has_rate =
        c->contrastive ? (needed & 2U) != 0 : rewrite && c->has[REGRET_SIDE_REWRITE_OF_REWRITE];
}

int columns_gather(struct columns *c, const struct regret_rate_rows *rows, size_t m,
                   const size_t *members, size_t n)
{
    const struct regret_rate_model *model = &rows->models[m];
    TRY(make_room(c, n));
    choose_rows(c, rows, m, members, n);
    size_t used = c->n1 + c->n0;
    for (size_t side = 0; side < REGRET_N_SIDES; side++) {
        c->score[side] = c->block + side * used;
    }
    c->single = c->block + 3 * used;
    c->rate = c->block + 4 * used;
    c->drift = c->block + 5 * used;
    c->contrastive = model->contrastive;
    find_kinds(c, needed_of(rows, m, members));
    if (c->contrastive) {
        fill_contrastive(c, model, members);
    } else {
        fill_pointwise(c, model, members);
    }
    return REGRET_OK;
}

void columns_free(struct columns *c)
{
    regret_free(c->block);
    regret_free(c->row);
    c->block = NULL;
    c->row = NULL;
    c->capacity = 0;
}

enum { BLOCK = 128 };

/* Eight running sums, so that the additions need not wait for one another. */
static double short_sum(const double *x, size_t n)
{
    double s[8] = {0.0};
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        for (int k = 0; k < 8; k++) {
            s[k] += x[i + (size_t)k];
        }
    }
    for (; i < n; i++) {
        s[i % 8] += x[i];
    }
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

/* Pairwise summation: the error grows with log n instead of n (Higham 1993,
 * doi:10.1137/0914050). */
static double sum_of(const double *x, size_t n)
{
    if (n <= BLOCK) {
        return short_sum(x, n);
    }
    size_t half = n / 2 / BLOCK * BLOCK;
    half = half == 0 ? BLOCK : half;
    return sum_of(x, half) + sum_of(x + half, n - half);
}

double mean_of(const double *x, size_t n)
{
    return n == 0 ? (double)NAN : sum_of(x, n) / (double)n;
}

static double short_squares(const double *x, size_t n, double mean)
{
    double s[8] = {0.0};
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        for (int k = 0; k < 8; k++) {
            double e = x[i + (size_t)k] - mean;
            s[k] += e * e;
        }
    }
    for (; i < n; i++) {
        s[i % 8] += (x[i] - mean) * (x[i] - mean);
    }
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

static double squares_about(const double *x, size_t n, double mean)
{
    if (n <= BLOCK) {
        return short_squares(x, n, mean);
    }
    size_t half = n / 2 / BLOCK * BLOCK;
    half = half == 0 ? BLOCK : half;
    return squares_about(x, half, mean) + squares_about(x + half, n - half, mean);
}

double variance_of(const double *x, size_t n)
{
    return n < 2 ? (double)NAN : squares_about(x, n, mean_of(x, n)) / (double)(n - 1);
}

double dot_of(const double *x, const double *y, size_t n)
{
    double s[8] = {0.0};
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        for (int k = 0; k < 8; k++) {
            s[k] += x[i + (size_t)k] * y[i + (size_t)k];
        }
    }
    for (; i < n; i++) {
        s[i % 8] += x[i] * y[i];
    }
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

double p_of_zero(double estimate, double se, double df)
{
    return se > 0.0 ? 2.0 * regret_student_cdf(-fabs(estimate) / se, df)
                    : (double)(estimate == 0.0);
}

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
