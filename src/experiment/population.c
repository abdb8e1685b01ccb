#include "experiment/population.h"

#include <cJSON.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/names.h"
#include "base/status.h"
#include "experiment/features.h"
#include "pool/votes.h"
#include "regret/buffer.h"
#include "regret/design.h"
#include "regret/estimate.h"
#include "regret/status.h"
#include "regret/task.h"
#include "value/strength.h"

int grid_votes_make(struct grid_votes *out, const struct regret_grid *g)
{
    TRY(votes_of_grid(&out->votes, g));
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
    TRY(REGRET_NEW(&out->names, g->n_agents));
    for (size_t a = 0; a < g->n_agents; a++) {
        out->names[a] = regret_agent_name(&g->pool->agents[g->agents[a]]);
    }
    int rc = regret_bradley_terry_fit(&out->fit, out->votes, out->names, NULL);
    return rc == REGRET_E_INPUT ? regret_fail_prefix(rc, "pool \"%.60s\"", g->pool->name) : rc;
}

void grid_votes_free(struct grid_votes *v)
{
    regret_votes_free(v->votes);
    regret_bradley_terry_free(v->fit);
    regret_free(v->names);
    *v = (struct grid_votes){0};
}

double grid_votes_as_met(const struct grid_votes *v, size_t a, size_t b)
{
    const struct regret_strength *of = v->fit->agents;
    return of[a].value - strength_win(of[a].beta - of[b].beta);
}

int grid_votes_caution(struct regret_buffer *out, const struct grid_votes *v)
{
    size_t m = v->votes->n_agents, one[2] = {0, 0}, n = 0;
    FREED unsigned char *won = NULL;
    TRY(REGRET_NEW(&won, m * m));
    chains_mark(won, m, v->votes->vote, v->votes->n);
    TRY(chains_apart(&n, one, won, m));
    if (n > 0) {
        regret_buffer_printf(out, "%zu of %zu pairs of agents are in no order by votes, as ", n,
                             m * (m - 1) / 2);
        regret_buffer_append_safe(out, v->names[one[0]], 60);
        regret_buffer_append(out, " and ");
        regret_buffer_append_safe(out, v->names[one[1]], 60);
        regret_buffer_append(out, ": no chain of votes, won or tied, leads from one to the other: "
                                  "add votes, or leave agents out "
                                  "(regret pool select POOL --not-agent NAME -o PART)");
    }
    return regret_buffer_status(out);
}

struct kept_proxy {
    const struct feature_set *features; /* NULL: nothing is kept here */
    struct regret_proxy_options options;
    size_t n_count, n_aux, n_z, dim;
    double *count, *aux, *z;
};

int proxy_memo_create(struct proxy_memo *memo, size_t folds)
{
    size_t room = folds <= PROXY_MEMO_FOLDS ? folds : 0;
    TRY(REGRET_NEW(&memo->kept, room));
    memo->room = room;
    return REGRET_OK;
}

static void forget(struct kept_proxy *k)
{
    regret_free(k->count);
    regret_free(k->aux);
    regret_free(k->z);
    *k = (struct kept_proxy){0};
}

void proxy_memo_clear(struct proxy_memo *memo)
{
    for (size_t i = 0; i < memo->room; i++) {
        forget(&memo->kept[i]);
    }
    regret_free(memo->kept);
    *memo = (struct proxy_memo){0};
}

static int same_options(const struct regret_proxy_options *a, const struct regret_proxy_options *b)
{
    return a->kind == b->kind && a->dim == b->dim && a->tfidf_rank == b->tfidf_rank &&
           a->max_terms == b->max_terms && a->ridge == b->ridge && a->scale == b->scale &&
           a->standardise == b->standardise && a->seed == b->seed;
}

/* Bit for bit: nothing here is computed with. */
static int same_numbers(const double *a, size_t n, const double *b, size_t m)
{
    return n == m && (n == 0 || memcmp(a, b, n * sizeof *a) == 0);
}

static const struct kept_proxy *find(const struct proxy_memo *memo,
                                     const struct feature_set *features,
                                     const struct regret_proxy_source *source, const double *count,
                                     const struct regret_proxy_options *options)
{
    for (size_t i = 0; i < memo->room; i++) {
        const struct kept_proxy *k = &memo->kept[i];
        if (k->features == features && same_options(&k->options, options) &&
            same_numbers(k->count, k->n_count, count, source->n_pairs) &&
            same_numbers(k->aux, k->n_aux, source->aux, source->n_pairs * source->n_aux)) {
            return k;
        }
    }
    return NULL;
}

static int keep_numbers(double **out, size_t *n_out, const double *from, size_t n)
{
    TRY(REGRET_NEW(out, n));
    if (n > 0) {
        memcpy(*out, from, n * sizeof *from);
    }
    *n_out = n;
    return REGRET_OK;
}

static int keep(struct proxy_memo *memo, const struct feature_set *features,
                const struct regret_proxy_source *source, const double *count,
                const struct regret_proxy_options *options, const double *z, size_t dim)
{
    struct kept_proxy *k = &memo->kept[memo->oldest];
    forget(k);
    memo->oldest = (memo->oldest + 1) % memo->room;
    TRY(keep_numbers(&k->count, &k->n_count, count, source->n_pairs));
    TRY(keep_numbers(&k->aux, &k->n_aux, source->aux, source->n_pairs * source->n_aux));
    TRY(keep_numbers(&k->z, &k->n_z, z, source->n_pairs * options->dim));
    k->options = *options;
    k->dim = dim;
    k->features = features;
    return REGRET_OK;
}

int proxy_memo_fit(double *z, size_t *dim, struct proxy_memo *memo,
                   const struct feature_set *features, const struct regret_proxy_source *source,
                   const double *count, const struct regret_proxy_options *options)
{
    if (memo == NULL || memo->room == 0 || options->kind == REGRET_PROXY_PREDICTED_LABELS) {
        return regret_proxy_fit(z, dim, source, count, options);
    }
    const struct kept_proxy *k = find(memo, features, source, count, options);
    if (k != NULL) {
        memcpy(z, k->z, k->n_z * sizeof *z);
        *dim = k->dim;
        return REGRET_OK;
    }
    TRY(regret_proxy_fit(z, dim, source, count, options));
    return keep(memo, features, source, count, options, z, *dim);
}
