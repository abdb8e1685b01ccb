#include "experiment/inputs/population.h"

#include <math.h>
#include <string.h>

#include <cJSON.h>

#include "base/core/id_table.h"
#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/json.h"
#include "regret/svd.h"

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
