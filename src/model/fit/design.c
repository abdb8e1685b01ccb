#include "model/fit/design.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "model/core/model.h"
#include "regret/alloc.h"

FREED_POINTER(struct vocabulary, vocabulary_free)

void vocabulary_free(struct vocabulary *v)
{
    if (v == NULL) {
        return;
    }
    for (size_t t = 0; v->tag != NULL && t < v->n_tags; t++) {
        regret_free(v->tag[t]);
    }
    regret_free(v->tag);
    regret_free(v->kind);
    regret_free(v->share);
    model_columns_free(&v->columns);
    regret_free(v->own);
    regret_csr_free(v->phi);
    regret_svd_free(v->svd);
    regret_free(v->score);
    regret_free(v->mean);
    regret_free(v);
}

static const char *tag_of(const struct regret_model_data *data, size_t x)
{
    return data->tag != NULL && data->tag[x] != NULL ? data->tag[x] : "";
}

/* Tags by first appearance. */
static int find_tags(struct vocabulary *v, const struct regret_model_data *data)
{
    size_t capacity = 0;
    for (size_t x = 0; x < v->n; x++) {
        const char *name = tag_of(data, x);
        size_t t = 0;
        while (t < v->n_tags && strcmp(v->tag[t], name) != 0) {
            t++;
        }
        if (t == REGRET_MODEL_MAX_TAGS) {
            return regret_fail(REGRET_E_INPUT,
                               "the contexts have more than %d tags, too many to tell apart; give "
                               "coarser ones, or none",
                               REGRET_MODEL_MAX_TAGS);
        }
        if (t == v->n_tags) {
            TRY(regret_grow((void **)&v->tag, &capacity, v->n_tags, sizeof *v->tag, "tags"));
            v->tag[t] = NULL;
            TRY(regret_strdup(&v->tag[t], name));
            v->n_tags++;
        }
        v->kind[x] = (uint32_t)t;
    }
    return REGRET_OK;
}

static int count_tags(struct vocabulary *v)
{
    TRY(REGRET_NEW(&v->share, v->n_tags));
    for (size_t x = 0; x < v->n; x++) {
        v->share[v->kind[x]] += 1.0 / (double)v->n;
    }
    return REGRET_OK;
}

static int find_columns(struct vocabulary *v, const struct regret_model_data *data)
{
    TRY(model_columns_make(&v->columns, data));
    TRY(REGRET_NEW(&v->own, v->n * v->columns.features));
    for (size_t x = 0; v->columns.n > 0 && x < v->n; x++) {
        model_columns_read(v->own + x * v->columns.features, &v->columns, data->covariate[x]);
    }
    return REGRET_OK;
}

static int find_words(struct vocabulary *v, const struct regret_model_data *data)
{
    struct regret_svd_options options = REGRET_SVD_OPTIONS_INIT;
    options.rank = v->n < REGRET_MODEL_RANK ? v->n : REGRET_MODEL_RANK;
    TRY(model_words(&v->phi, &data->features, data->max_bytes, data->text, v->n));
    TRY(regret_svd_fit(&v->svd, v->phi, NULL, &options));
    TRY(REGRET_NEW(&v->score, v->n * v->svd->rank));
    TRY(REGRET_NEW(&v->mean, v->phi->cols));
    for (size_t e = 0; e < regret_csr_entries(v->phi); e++) {
        v->mean[v->phi->column[e]] += v->phi->value[e] / (double)v->n;
    }
    return regret_svd_project(v->score, v->svd, v->phi);
}

int vocabulary_create(struct vocabulary **out, const struct regret_model_data *data)
{
    FREED_BY(vocabulary_free_at) struct vocabulary *v = NULL;
    TRY(REGRET_NEW(&v, 1));
    v->n = data->n_contexts;
    TRY(REGRET_NEW(&v->kind, v->n));
    TRY(find_tags(v, data));
    TRY(count_tags(v));
    TRY(find_columns(v, data));
    TRY(find_words(v, data));
    *out = v;
    v = NULL;
    return REGRET_OK;
}

static int add_design(struct design_list *list, const struct vocabulary *v,
                      enum regret_model_rule rule, double gamma, double kappa)
{
    struct design *d = &list->item[list->n++];
    size_t rank = rule == REGRET_MODEL_WORDS ? v->svd->rank : 0;
    d->rule = rule;
    d->gamma = gamma;
    d->kappa = kappa;
    d->n_tags = gamma > 0.0 ? v->n_tags : 0;
    d->n_own = kappa > 0.0 ? v->columns.features : 0;
    d->cols = d->n_tags + d->n_own + rank;
    TRY(REGRET_NEW(&d->z, v->n * d->cols));
    for (size_t x = 0; d->n_tags > 0 && x < v->n; x++) {
        d->z[v->kind[x] * v->n + x] = sqrt(gamma);
    }
    for (size_t j = 0; j < d->n_own; j++) {
        for (size_t x = 0; x < v->n; x++) {
            d->z[(d->n_tags + j) * v->n + x] = sqrt(kappa) * v->own[x * d->n_own + j];
        }
    }
    if (rank > 0) {
        memcpy(d->z + v->n * (d->n_tags + d->n_own), v->score, v->n * rank * sizeof *d->z);
    }
    return REGRET_OK;
}

int design_list_create(struct design_list *out, const struct vocabulary *v)
{
    static const double gammas[] = {1.0, 10.0};
    int has_tags = v->n_tags > 1, has_own = v->columns.features > 0, has_words = v->svd->rank > 0;
    *out = (struct design_list){0};
    TRY(add_design(out, v, REGRET_MODEL_SINGLE, 0.0, 0.0));
    if (has_tags) {
        TRY(add_design(out, v, REGRET_MODEL_TAG, 1.0, 0.0));
    }
    if (has_own) {
        TRY(add_design(out, v, REGRET_MODEL_COLUMNS, has_tags ? 1.0 : 0.0, 1.0));
    }
    for (size_t g = 0; has_words && g < (has_tags || has_own ? 2 : 1); g++) {
        TRY(add_design(out, v, REGRET_MODEL_WORDS, has_tags ? gammas[g] : 0.0,
                       has_own ? gammas[g] : 0.0));
    }
    return REGRET_OK;
}

void design_list_clear(struct design_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        regret_free(list->item[i].z);
    }
    list->n = 0;
}
