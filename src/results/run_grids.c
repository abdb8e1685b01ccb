/* Grids and means of a run. */
#include <cJSON.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "regret/status.h"
#include "results/run_file.h"

/* "grids" of run.json: what the lists of rows number. */

/* A bound on untrusted lists; pools have fewer contexts and agents. */
enum { LONGEST = 1 << 24 };

static int read_ids(const char ***out, size_t *n, const cJSON *grid, const char *field,
                    struct regret_place at)
{
    const cJSON *ids = NULL;
    TRY(regret_json_get_array(&ids, grid, field, at));
    int length = cJSON_GetArraySize(ids);
    if (length == 0 || length > LONGEST) {
        return regret_json_error(at, "\"grids\": \"%s\" must hold 1 to %d ids, not %d", field,
                                 LONGEST, length);
    }
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
    TRY(REGRET_NEW(out, (size_t)length));
    for (const cJSON *id = ids->child; id != NULL; id = id->next) {
        if (!cJSON_IsString(id) || id->valuestring[0] == '\0') {
            return regret_json_error(at, "\"grids\": \"%s\" must hold ids", field);
        }
        (*out)[(*n)++] = id->valuestring;
    }
    return REGRET_OK;
}

/* The tags of the contexts, where the grid says. */
static int read_tags(struct regret_run_grid *grid, const cJSON *json, struct regret_place at)
{
    const cJSON *tags = cJSON_GetObjectItemCaseSensitive(json, "tags");
    size_t i = 0;
    if (tags == NULL) {
        return REGRET_OK;
    }
    if (!cJSON_IsArray(tags) || (size_t)cJSON_GetArraySize(tags) != grid->n_contexts) {
        return regret_json_error(at,
                                 "\"grids\": \"tags\" must hold a tag of each of the %zu "
                                 "contexts, or null",
                                 grid->n_contexts);
    }
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
    TRY(REGRET_NEW(&grid->tags, grid->n_contexts));
    for (const cJSON *tag = tags->child; tag != NULL; tag = tag->next, i++) {
        if (!cJSON_IsNull(tag) && !(cJSON_IsString(tag) && tag->valuestring[0] != '\0')) {
            return regret_json_error(at, "\"grids\": \"tags\" must hold names, or null");
        }
        grid->tags[i] = cJSON_IsNull(tag) ? NULL : tag->valuestring;
    }
    return REGRET_OK;
}

static int read_column(struct regret_run_column *out, const cJSON *json, size_t n,
                       struct regret_place at)
{
    const cJSON *values = cJSON_GetObjectItemCaseSensitive(json, "values");
    size_t i = 0;
    TRY(regret_json_get_string(&out->name, json, "name", at));
    if (!cJSON_IsArray(values) || (size_t)cJSON_GetArraySize(values) != n) {
        return regret_json_error(
            at, "\"grids\": \"columns\" must have a value for each of the %zu contexts", n);
    }
    if (cJSON_IsString(values->child)) {
        /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
        TRY(REGRET_NEW(&out->word, n));
    } else {
        TRY(REGRET_NEW(&out->number, n));
    }
    for (const cJSON *v = values->child; v != NULL; v = v->next, i++) {
        if (out->word != NULL ? !cJSON_IsString(v) : !cJSON_IsNumber(v) && !cJSON_IsNull(v)) {
            return regret_json_error(at,
                                     "\"grids\": \"columns\" must hold words, or numbers and null");
        }
        if (out->word != NULL) {
            out->word[i] = v->valuestring;
        } else {
            out->number[i] = cJSON_IsNull(v) ? NAN : v->valuedouble;
        }
    }
    return REGRET_OK;
}

/* Numbers and words that are known of contexts, where the grid says. */
static int read_columns(struct regret_run_grid *grid, const cJSON *json, struct regret_place at)
{
    const cJSON *columns = cJSON_GetObjectItemCaseSensitive(json, "columns");
    if (columns == NULL) {
        return REGRET_OK;
    }
    if (!cJSON_IsArray(columns)) {
        return regret_json_error(at, "\"grids\": \"columns\" must be an array");
    }
    TRY(REGRET_NEW(&grid->columns, (size_t)cJSON_GetArraySize(columns)));
    for (const cJSON *c = columns->child; c != NULL; c = c->next) {
        TRY(read_column(&grid->columns[grid->n_columns++], c, grid->n_contexts, at));
    }
    return REGRET_OK;
}

/* The agents that give one text to every context, where there are any. */
static int read_constant(struct regret_run_grid *grid, const cJSON *json, struct regret_place at)
{
    const cJSON *numbers = cJSON_GetObjectItemCaseSensitive(json, "constant");
    if (numbers == NULL) {
        return REGRET_OK;
    }
    TRY(regret_json_get_array(&numbers, json, "constant", at));
    TRY(REGRET_NEW(&grid->constant, grid->n_agents));
    for (const cJSON *v = numbers->child; v != NULL; v = v->next) {
        double a = cJSON_IsNumber(v) ? v->valuedouble : -1.0;
        if (!(a >= 0.0 && a < (double)grid->n_agents)) {
            return regret_json_error(at,
                                     "\"grids\": \"constant\" must hold numbers of agents, "
                                     "from 0 to %zu",
                                     grid->n_agents - 1);
        }
        grid->constant[(size_t)a] = 1;
    }
    return REGRET_OK;
}

/* What the agents cost, where the run has curves. */
static int read_costs(struct regret_run_grid *grid, const cJSON *json, struct regret_place at)
{
    const cJSON *costs = cJSON_GetObjectItemCaseSensitive(json, "costs");
    size_t i = 0;
    if (costs == NULL) {
        return REGRET_OK;
    }
    if (!cJSON_IsArray(costs) || (size_t)cJSON_GetArraySize(costs) != grid->n_agents) {
        return regret_json_error(
            at, "\"grids\": \"costs\" must hold a number for each of the %zu agents",
            grid->n_agents);
    }
    TRY(REGRET_NEW(&grid->costs, grid->n_agents));
    for (const cJSON *v = costs->child; v != NULL; v = v->next, i++) {
        if (!cJSON_IsNumber(v) || !(v->valuedouble >= 0.0 && isfinite(v->valuedouble))) {
            return regret_json_error(at, "\"grids\": \"costs\" must hold numbers from 0 on");
        }
        grid->costs[i] = v->valuedouble;
    }
    return REGRET_OK;
}

/* Who has won from whom, where votes put not all agents in an order. */
static int read_won(struct regret_run_grid *grid, const cJSON *json, struct regret_place at)
{
    const cJSON *pairs = cJSON_GetObjectItemCaseSensitive(json, "won");
    if (pairs == NULL) {
        return REGRET_OK;
    }
    TRY(regret_json_get_array(&pairs, json, "won", at));
    TRY(REGRET_NEW(&grid->won, (size_t)cJSON_GetArraySize(pairs) + 1));
    for (const cJSON *pair = pairs->child; pair != NULL; pair = pair->next) {
        for (size_t i = 0; i < 2; i++) {
            const cJSON *v = cJSON_GetArrayItem(pair, (int)i);
            double a = cJSON_IsNumber(v) ? v->valuedouble : -1.0;
            if (!(a >= 0.0 && a < (double)grid->n_agents)) {
                return regret_json_error(at,
                                         "\"grids\": \"won\" must hold pairs of agents' numbers, "
                                         "from 0 to %zu",
                                         grid->n_agents - 1);
            }
            grid->won[grid->n_won][i] = (size_t)a;
        }
        grid->n_won++;
    }
    return REGRET_OK;
}

/* Which grid each cell has; the first where it does not say. */
static int read_cell_grids(struct run_file *run, struct regret_place at)
{
    const cJSON *cells = cJSON_GetObjectItemCaseSensitive(run->facts.json, "cells");
    size_t i = 0;
    TRY(REGRET_NEW(&run->cell_grid, run->n_cells));
    for (const cJSON *c = cells->child; c != NULL; c = c->next, i++) {
        long long grid = 0;
        TRY(regret_json_optional_integer(&grid, c, "grid", 0, (long long)run->n_grids - 1, at));
        run->cell_grid[i] = (size_t)grid;
    }
    return REGRET_OK;
}

int run_file_read_grids(struct run_file *run, struct regret_place at)
{
    const cJSON *grids = cJSON_GetObjectItemCaseSensitive(run->facts.json, "grids");
    if (grids == NULL) {
        return REGRET_OK;
    }
    int n = cJSON_IsArray(grids) ? cJSON_GetArraySize(grids) : 0;
    if (n == 0 || (size_t)n > run->n_cells) {
        return regret_json_error(at, "\"grids\" must be an array of the cells' grids");
    }
    TRY(REGRET_NEW(&run->grids, (size_t)n));
    for (const cJSON *g = grids->child; g != NULL; g = g->next) {
        struct regret_run_grid *grid = &run->grids[run->n_grids++];
        TRY(read_ids(&grid->agents, &grid->n_agents, g, "agents", at));
        TRY(read_ids(&grid->contexts, &grid->n_contexts, g, "contexts", at));
        TRY(read_tags(grid, g, at));
        TRY(read_columns(grid, g, at));
        TRY(read_constant(grid, g, at));
        TRY(read_costs(grid, g, at));
        TRY(read_won(grid, g, at));
    }
    return read_cell_grids(run, at);
}

const struct regret_run_grid *run_file_grid(const struct run_file *run, size_t cell)
{
    return run->n_grids > 0 ? &run->grids[run->cell_grid[cell]] : NULL;
}

void run_grids_free(struct regret_run_grid *grids, size_t n)
{
    for (size_t i = 0; grids != NULL && i < n; i++) {
        regret_free(grids[i].agents);
        regret_free(grids[i].contexts);
        regret_free(grids[i].tags);
        for (size_t j = 0; j < grids[i].n_columns; j++) {
            regret_free(grids[i].columns[j].number);
            regret_free(grids[i].columns[j].word);
        }
        regret_free(grids[i].columns);
        regret_free(grids[i].constant);
        regret_free(grids[i].costs);
        regret_free(grids[i].won);
    }
    regret_free(grids);
}

/* "means" of run.json: what the pool's outputs are worth by agent and tag. */

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

static int run_means_read_tags(struct regret_run_means *m, const cJSON *item,
                               struct regret_place at)
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
    TRY(run_means_read_tags(m, item, at));
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
    if (cJSON_HasObjectItem(item, "over")) {
        const char *strata = NULL;
        TRY(read_numbers(&m->over, item, "over", groups * n_agents, -LARGEST, at));
        TRY(read_numbers(&m->over_se, item, "over_se", groups * n_agents, 0.0, at));
        TRY(read_numbers(&m->behind, item, "behind", groups * n_agents, -LARGEST, at));
        TRY(read_numbers(&m->behind_se, item, "behind_se", groups * n_agents, 0.0, at));
        TRY(regret_json_get_string(&strata, item, "strata", at));
        m->by_words = strcmp(strata, "words") == 0;
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
        void *const blocks[] = {m->tags,  m->contexts, m->n,        m->mean,      m->sd,
                                m->first, m->second,   m->pairs,    m->lead,      m->lead_sd,
                                m->low,   m->high,     m->lead_low, m->lead_high, m->lead_p,
                                m->moved, m->over,     m->over_se,  m->behind,    m->behind_se};
        for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
            regret_free(blocks[k]);
        }
    }
    regret_free(means);
}
