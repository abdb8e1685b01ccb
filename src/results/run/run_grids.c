/* "grids" of run.json: what the lists of rows number. */
#include <math.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "results/run/run_file.h"

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
