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
        regret_buffer_append(out, ": no chain of votes, won or tied, leads from one to the other; "
                                  "recommend names none of these: add votes, or leave agents out "
                                  "(regret pool select POOL --not-agent NAME -o PART)");
    }
    return regret_buffer_status(out);
}

FREED_POINTER(struct population_file, population_file_free)

struct population_file {
    cJSON *json;         /* holds the ids; owned */
    struct id_table ids; /* places of `weight` */
    double *weight;      /* owned */
    char digest[33];
};

static int take_weights(struct population_file *f, struct regret_place at)
{
    size_t n = (size_t)cJSON_GetArraySize(f->json), i = 0;
    if (!cJSON_IsObject(f->json)) {
        return regret_json_error(at, "weights must be an object {\"context id\": weight, …}");
    }
    TRY(REGRET_NEW(&f->weight, n));
    TRY(id_table_reserve(&f->ids, n));
    for (const cJSON *v = f->json->child; v != NULL; v = v->next, i++) {
        if (!cJSON_IsNumber(v) || !(v->valuedouble >= 0.0)) {
            return regret_json_error(at, "the weight of \"%.60s\" must be a number of 0 or more",
                                     v->string);
        }
        f->weight[i] = v->valuedouble;
        id_table_put(&f->ids, v->string, i);
    }
    return REGRET_OK;
}

int population_file_read(struct population_file **out, const char *path)
{
    FREED_BY(population_file_free_at) struct population_file *f = NULL;
    TRY(REGRET_NEW(&f, 1));
    TRY(regret_digest_file(f->digest, path));
    TRY(regret_json_read_file(&f->json, path));
    TRY(take_weights(f, (struct regret_place){path, 0}));
    *out = f;
    f = NULL;
    return REGRET_OK;
}

void population_file_free(struct population_file *f)
{
    if (f != NULL) {
        cJSON_Delete(f->json);
        id_table_free(&f->ids);
        regret_free(f->weight);
        regret_free(f);
    }
}

const char *population_file_digest(const struct population_file *f)
{
    return f->digest;
}

/* ln of the bytes of the texts; of an empty one 0. */
static void take_lengths(double *s, const struct regret_grid *g)
{
    for (size_t x = 0; x < g->n_contexts; x++) {
        size_t bytes = strlen(regret_grid_context_text(g, x));
        s[x] = log((double)(bytes > 0 ? bytes : 1));
    }
}

/* ln of the weights; of 0 −∞. */
static int take_given(double *s, const struct regret_config *c, const struct regret_grid *g,
                      const struct population_file *file)
{
    if (c->transport_shift < 0.0) {
        return regret_fail(REGRET_E_INPUT,
                           "transport.shift = %g of transport.by \"weights\": weights are taken to "
                           "that power; use 1 for the weights themselves",
                           c->transport_shift);
    }
    for (size_t x = 0; x < g->n_contexts; x++) {
        const struct regret_context *context = &g->pool->contexts[g->contexts[x]];
        const char *id = context->id;
        size_t i = id_table_find(&file->ids, id);
        i = i == SIZE_MAX ? id_table_find(&file->ids, regret_context_name(context)) : i;
        if (i == SIZE_MAX) {
            return regret_fail(REGRET_E_INPUT,
                               "%s has no weight of context \"%s\"; give every context of the grid "
                               "one, 0 for those outside the target population",
                               c->transport_weights, id);
        }
        s[x] = log(file->weight[i]);
    }
    return REGRET_OK;
}

/* s(x), with mean 0 and deviation 1 but for the logarithms of given weights. */
static int score_contexts(double *s, const struct regret_config *c, const struct feature_set *f,
                          const struct regret_controlled_world *world,
                          const struct population_file *file)
{
    static const char *const what[] = {"length of contexts", "score of contexts"};
    size_t n = f->grid->n_contexts, n_constant = 0;
    if (c->transport_by == REGRET_BY_WEIGHTS) {
        return take_given(s, c, f->grid, file);
    }
    if (c->transport_by == REGRET_BY_LENGTH) {
        take_lengths(s, f->grid);
    } else if (world != NULL) {
        memcpy(s, world->context_score, n * sizeof *s);
    } else {
        return regret_fail(REGRET_E_INPUT, "transport.by = \"score\" is of a controlled world; use "
                                           "\"length\" or \"weights\" with task \"pool\"");
    }
    TRY(regret_standardise(s, n, 1, NULL, &n_constant));
    return n_constant == 0
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "transport.shift = %g, but the %s is the same everywhere; shift by "
                             "something else (transport.by)",
                             c->transport_shift, what[c->transport_by]);
}

/* w ← exp(shift · s), divided by its mean; s is taken less its largest, so that nothing overflows. */
static int exponentiate(double *w, size_t n, double shift)
{
    double largest = -INFINITY, sum = 0.0;
    for (size_t x = 0; x < n; x++) {
        w[x] *= shift;
        largest = fmax(largest, w[x]);
    }
    if (!isfinite(largest)) {
        return regret_fail(REGRET_E_INPUT, "every context of the grid has weight 0 in "
                                           "transport.weights; nothing is left to value agents on");
    }
    for (size_t x = 0; x < n; x++) {
        w[x] = exp(w[x] - largest);
        sum += w[x];
    }
    for (size_t x = 0; x < n; x++) {
        w[x] *= (double)n / sum;
    }
    return REGRET_OK;
}

int population_weigh(double **out, const struct regret_config *config,
                     const struct feature_set *features,
                     const struct regret_controlled_world *world,
                     const struct population_file *file)
{
    size_t n = features->grid->n_contexts;
    FREED double *w = NULL;
    *out = NULL;
    if (config->transport_shift == 0.0) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&w, n));
    TRY(score_contexts(w, config, features, world, file));
    TRY(exponentiate(w, n, config->transport_shift));
    *out = w;
    w = NULL;
    return REGRET_OK;
}

double population_of(const double *weight, const size_t *contexts, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += weight != NULL ? weight[contexts[i]] : 1.0;
    }
    return sum;
}

int population_check_split(const double *weight, const struct regret_split *split, uint64_t seed)
{
    int no_truth = !(population_of(weight, split->reference, split->n_reference) > 0.0);
    if (!no_truth && population_of(weight, split->train, split->n_train) > 0.0) {
        return REGRET_OK;
    }
    return regret_fail(REGRET_E_INPUT,
                       "the target population (transport.*) has none of the %zu %s contexts of "
                       "seed %llu; a smaller transport.shift, more contexts or other weights "
                       "overlap",
                       no_truth ? split->n_reference : split->n_train,
                       no_truth ? "reference" : "training", (unsigned long long)seed);
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
