/* "means" of run.json: what the pool's outputs are worth by agent and tag. */
#include <cJSON.h>
#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "results/run/run_file.h"

const char *const run_labelled_names[REGRET_N_LABELLED] = {"labels",   "label_mean", "label_half",
                                                           "ppi_mean", "ppi_half",   "ppi_lambda"};

/* A bound on untrusted lists, as of grids. */
enum { MOST_TAGS = 1 << 24 };
/* And of numbers: rewards are in [0,1], counts those of contexts. */
#define LARGEST 1e9

/* n numbers from `low` to LARGEST, NaN in the place of null. */
static int read_numbers(double **out, const cJSON *item, const char *field, size_t n, double low,
                        struct regret_place at)
{
    const cJSON *list = NULL;
    size_t i = 0;
    TRY(regret_json_get_array(&list, item, field, at));
    if ((size_t)cJSON_GetArraySize(list) != n) {
        return regret_json_error(at, "\"means\": \"%s\" must hold %zu numbers", field, n);
    }
    TRY(REGRET_NEW(out, n));
    for (const cJSON *v = list->child; v != NULL; v = v->next, i++) {
        if (!cJSON_IsNull(v) &&
            !(cJSON_IsNumber(v) && v->valuedouble >= low && v->valuedouble <= LARGEST)) {
            return regret_json_error(at,
                                     "\"means\": \"%s\" must hold numbers from %g to %g, or null",
                                     field, low, LARGEST);
        }
        (*out)[i] = cJSON_IsNull(v) ? (double)NAN : v->valuedouble;
    }
    return REGRET_OK;
}

/* Numbers of agents; REGRET_NO_ROW in the place of null. */
static int read_agents(size_t **out, const cJSON *item, const char *field,
                       const struct regret_run_means *m, struct regret_place at)
{
    FREED double *number = NULL;
    TRY(read_numbers(&number, item, field, m->n_tags + 1, 0.0, at));
    TRY(REGRET_NEW(out, m->n_tags + 1));
    for (size_t i = 0; number != NULL && i <= m->n_tags; i++) {
        if (number[i] >= (double)m->n_agents) {
            return regret_json_error(at, "\"means\": \"%s\" must hold numbers of agents, below %zu",
                                     field, m->n_agents);
        }
        (*out)[i] = isnan(number[i]) ? REGRET_NO_ROW : (size_t)number[i];
    }
    return REGRET_OK;
}

static int read_tags(struct regret_run_means *m, const cJSON *item, struct regret_place at)
{
    const cJSON *tags = NULL;
    TRY(regret_json_get_array(&tags, item, "tags", at));
    int n = cJSON_GetArraySize(tags);
    if (n > MOST_TAGS) {
        return regret_json_error(at, "\"means\": \"tags\" must hold at most %d tags", MOST_TAGS);
    }
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
    TRY(REGRET_NEW(&m->tags, (size_t)n));
    for (const cJSON *tag = tags->child; tag != NULL; tag = tag->next) {
        if (!cJSON_IsNull(tag) && !cJSON_IsString(tag)) {
            return regret_json_error(at, "\"means\": \"tags\" must hold names, or null");
        }
        m->tags[m->n_tags++] = cJSON_IsNull(tag) ? NULL : tag->valuestring;
    }
    return REGRET_OK;
}

/* Limits; older programs wrote none. */
static int read_limits(struct regret_run_means *m, const cJSON *item, size_t groups,
                       struct regret_place at)
{
    if (!cJSON_HasObjectItem(item, "low")) {
        return REGRET_OK;
    }
    TRY(read_numbers(&m->low, item, "low", groups * m->n_agents, -LARGEST, at));
    TRY(read_numbers(&m->high, item, "high", groups * m->n_agents, -LARGEST, at));
    TRY(read_numbers(&m->lead_low, item, "lead_low", groups, -LARGEST, at));
    TRY(read_numbers(&m->lead_high, item, "lead_high", groups, -LARGEST, at));
    return read_numbers(&m->lead_p, item, "lead_p", groups, 0.0, at);
}

/* Of votes whose order is known. */
static int read_position(struct regret_run_means *m, const cJSON *item, struct regret_place at)
{
    const cJSON *position = NULL;
    m->position = m->position_p = NAN;
    if (!cJSON_HasObjectItem(item, "position")) {
        return REGRET_OK;
    }
    TRY(regret_json_get_object(&position, item, "position", at));
    TRY(regret_json_get_number(&m->position, position, "log_odds", at));
    TRY(regret_json_get_number(&m->position_p, position, "p", at));
    return read_numbers(&m->moved, position, "moved", m->n_agents, -1.0, at);
}

static int read_item(struct regret_run_means *m, const cJSON *item, size_t n_agents,
                     struct regret_place at)
{
    size_t groups = 0;
    m->n_agents = n_agents;
    TRY(read_tags(m, item, at));
    groups = m->n_tags + 1;
    TRY(read_numbers(&m->contexts, item, "contexts", groups, 0.0, at));
    TRY(read_numbers(&m->n, item, "n", groups * n_agents, 0.0, at));
    TRY(read_numbers(&m->mean, item, "mean", groups * n_agents, -LARGEST, at));
    TRY(read_numbers(&m->sd, item, "sd", groups * n_agents, 0.0, at));
    TRY(read_agents(&m->first, item, "first", m, at));
    TRY(read_agents(&m->second, item, "second", m, at));
    TRY(read_numbers(&m->pairs, item, "pairs", groups, 0.0, at));
    TRY(read_numbers(&m->lead, item, "lead", groups, -LARGEST, at));
    TRY(read_numbers(&m->lead_sd, item, "lead_sd", groups, 0.0, at));
    TRY(read_limits(m, item, groups, at));
    TRY(read_position(m, item, at));
    int has_labels = cJSON_HasObjectItem(item, run_labelled_names[REGRET_LABELLED_N]);
    for (size_t k = 0; k < REGRET_N_LABELLED && has_labels; k++) {
        int is_mean = k == REGRET_LABELLED_MEAN || k == REGRET_LABELLED_PPI;
        TRY(read_numbers(&m->labelled[k], item, run_labelled_names[k], groups * n_agents,
                         is_mean ? -LARGEST : 0.0, at));
    }
    return REGRET_OK;
}

/* The agents of the first cell that has the item. */
static int count_agents(size_t *n, const struct run_file *run, size_t item, struct regret_place at)
{
    size_t cell = 0;
    while (cell < run->n_cells && run->cell_means[cell] != item) {
        cell++;
    }
    if (cell == run->n_cells || run->n_grids == 0) {
        return regret_json_error(at, "\"means\": no cell has item %zu, or there are no \"grids\"",
                                 item);
    }
    *n = run_file_grid(run, cell)->n_agents;
    return REGRET_OK;
}

static int read_cells(struct run_file *run, long long n, struct regret_place at)
{
    const cJSON *cells = cJSON_GetObjectItemCaseSensitive(run->facts.json, "cells");
    size_t i = 0;
    TRY(REGRET_NEW(&run->cell_means, run->n_cells));
    for (const cJSON *c = cells->child; c != NULL; c = c->next, i++) {
        long long number = 0;
        TRY(regret_json_optional_integer(&number, c, "means", 0, n - 1, at));
        run->cell_means[i] = (size_t)number;
    }
    return REGRET_OK;
}

int run_file_read_means(struct run_file *run, struct regret_place at)
{
    const cJSON *means = cJSON_GetObjectItemCaseSensitive(run->facts.json, RUN_MEANS);
    const cJSON *items = NULL;
    long long version = 0;
    if (means == NULL) {
        return REGRET_OK;
    }
    TRY(regret_json_get_integer(&version, means, "version", 0, 1000000, at));
    if (version != RUN_MEANS_VERSION) { /* of a newer program: reports go without */
        return REGRET_OK;
    }
    TRY(regret_json_get_array(&items, means, "items", at));
    int n = cJSON_GetArraySize(items);
    if (n == 0 || (size_t)n > run->n_cells) {
        return regret_json_error(at, "\"means\": \"items\" must hold one to one a cell");
    }
    TRY(read_cells(run, n, at));
    TRY(REGRET_NEW(&run->means, (size_t)n));
    for (const cJSON *item = items->child; item != NULL; item = item->next) {
        size_t n_agents = 0;
        TRY(count_agents(&n_agents, run, run->n_means, at));
        TRY(read_item(&run->means[run->n_means++], item, n_agents, at));
    }
    return REGRET_OK;
}

void run_means_clear(struct regret_run_means *means, size_t n)
{
    for (size_t i = 0; means != NULL && i < n; i++) {
        struct regret_run_means *m = &means[i];
        void *const blocks[] = {m->tags,     m->contexts,  m->n,      m->mean,    m->sd,  m->first,
                                m->second,   m->pairs,     m->lead,   m->lead_sd, m->low, m->high,
                                m->lead_low, m->lead_high, m->lead_p, m->moved};
        for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
            regret_free(blocks[k]);
        }
        for (size_t k = 0; k < REGRET_N_LABELLED; k++) {
            regret_free(m->labelled[k]);
        }
    }
    regret_free(means);
}
