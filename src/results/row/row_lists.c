#include "results/row/row_lists.h"

#include <math.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "regret/alloc.h"

/* A mean of losses of six digits, against the regret. */
static const double LOSS_TOLERANCE = 1e-5;

void row_lists_clear(struct row_lists *lists)
{
    regret_free(lists->number);
    regret_free(lists->begin);
    regret_free(lists->length);
    *lists = (struct row_lists){0};
}

static int grow_rows(struct row_lists *lists)
{
    size_t n = lists->row_capacity == 0 ? 64 : 2 * lists->row_capacity;
    if (lists->rows < lists->row_capacity) {
        return REGRET_OK;
    }
    TRY(regret_realloc((void **)&lists->begin, n, sizeof *lists->begin, "lists of rows"));
    TRY(regret_realloc((void **)&lists->length, n, sizeof *lists->length, "lists of rows"));
    lists->row_capacity = n;
    return REGRET_OK;
}

/* One number; `before` is the one in front of it. */
static int take_number(double *out, const cJSON *item, enum regret_list list, double most,
                       double before, struct regret_place at)
{
    const struct row_list_rule *rule = row_list_rule(list);
    if (cJSON_IsNull(item) && rule->may_lack) {
        *out = NAN;
        return REGRET_OK;
    }
    if (!cJSON_IsNumber(item)) {
        return regret_json_error(at, "\"%s\" must hold numbers%s", rule->name,
                                 rule->may_lack ? " or null" : "");
    }
    double x = item->valuedouble;
    double high = rule->whole ? most : rule->high;
    if (!(x >= rule->low && x <= high) || (rule->whole && x != floor(x))) {
        return regret_json_error(at, "\"%s\" holds %.17g; it wants %s from %g to %g", rule->name, x,
                                 rule->whole ? "whole numbers" : "numbers", rule->low, high);
    }
    if (list == REGRET_LIST_CONTEXT && x <= before) {
        return regret_json_error(at, "\"%s\" must ascend, but %.17g follows %.17g", rule->name, x,
                                 before);
    }
    *out = x;
    return REGRET_OK;
}

static int check_length(int n, enum regret_list list, size_t contexts,
                        const struct regret_run_grid *grid, struct regret_place at)
{
    static const char *const words[] = {
        [LIST_BY_CONTEXT] = "contexts", [LIST_BY_AGENT] = "agents", [LIST_FIXED] = "in its format"};
    const struct row_list_rule *rule = row_list_rule(list);
    const size_t wanted[] = {[LIST_BY_CONTEXT] = contexts,
                             [LIST_BY_AGENT] = grid->n_agents,
                             [LIST_FIXED] = rule->length};
    if (n == 0) {
        return regret_json_error(at, "\"%s\" has 0 numbers; write null where there is no list",
                                 rule->name);
    }
    if (rule->of == LIST_BY_CONTEXT && (size_t)n > grid->n_contexts) {
        return regret_json_error(at, "\"%s\" has %d numbers, but the grid has %zu contexts",
                                 rule->name, n, grid->n_contexts);
    }
    if (wanted[rule->of] > 0 && (size_t)n != wanted[rule->of]) {
        return regret_json_error(at, "\"%s\" has %d numbers, but there are %zu %s", rule->name, n,
                                 wanted[rule->of], words[rule->of]);
    }
    return REGRET_OK;
}

static int take_list(struct row_lists *lists, const cJSON *array, enum regret_list list,
                     size_t contexts, const struct regret_run_grid *grid, struct regret_place at)
{
    int n = cJSON_GetArraySize(array);
    double before = -1.0;
    TRY(check_length(n, list, contexts, grid, at));
    double most = (double)(list == REGRET_LIST_CONTEXT ? grid->n_contexts : grid->n_agents) - 1.0;
    while (lists->n + (size_t)n > lists->capacity) {
        size_t capacity = lists->capacity == 0 ? 4096 : 2 * lists->capacity;
        TRY(regret_realloc((void **)&lists->number, capacity, sizeof *lists->number,
                           "lists of rows"));
        lists->capacity = capacity;
    }
    for (const cJSON *item = array->child; item != NULL; item = item->next) {
        double *to = &lists->number[lists->n];
        TRY(take_number(to, item, list, most, before, at));
        before = *to;
        lists->n++;
    }
    lists->length[lists->rows][list] = (uint32_t)n;
    return REGRET_OK;
}

/* The losses are those that the regret is the mean of. */
static int check_loss(const struct row_lists *lists, const struct row *row, struct regret_place at)
{
    struct regret_list_view loss = row_lists_view(lists, lists->rows, REGRET_LIST_LOSS);
    double sum = 0.0, regret = row->measure[REGRET_MEASURE_REGRET];
    for (size_t i = 0; i < loss.n; i++) {
        sum += loss.number[i];
    }
    if (loss.n > 0 && fabs(sum / (double)loss.n - regret) > LOSS_TOLERANCE) {
        return regret_json_error(at, "\"loss\" averages %.6g, but \"regret\" is %.6g",
                                 sum / (double)loss.n, regret);
    }
    return REGRET_OK;
}

static int read_each(struct row_lists *lists, const struct row *row, const cJSON *json,
                     const struct regret_run_grid *grid, struct regret_place at)
{
    size_t contexts = 0;
    for (size_t i = 0; i < REGRET_N_LISTS; i++) {
        enum regret_list list = (enum regret_list)i;
        const char *name = row_list_rule(list)->name;
        const cJSON *given = cJSON_GetObjectItemCaseSensitive(json, name);
        lists->length[lists->rows][i] = 0;
        if (given == NULL || cJSON_IsNull(given)) {
            continue;
        }
        if (!row_has_list(row, list)) {
            return regret_json_error(at, "\"%s\" does not belong in a row of %s", name, row->name);
        }
        if (!cJSON_IsArray(given)) {
            return regret_json_error(at, "\"%s\" must be a list or null", name);
        }
        if (grid == NULL) {
            return regret_json_error(at, "\"%s\": the run has no \"grids\" that lists could be of",
                                     name);
        }
        TRY(take_list(lists, given, list, contexts, grid, at));
        contexts = contexts > 0 ? contexts : row_lists_contexts(lists, lists->rows);
    }
    return check_loss(lists, row, at);
}

int row_lists_read(struct row_lists *lists, const struct row *row, const cJSON *json,
                   const struct regret_run_grid *grid, struct regret_place at)
{
    TRY(grow_rows(lists));
    lists->begin[lists->rows] = lists->n;
    TRY(read_each(lists, row, json, grid, at));
    lists->rows++;
    return REGRET_OK;
}

struct regret_list_view row_lists_view(const struct row_lists *lists, size_t row,
                                       enum regret_list list)
{
    size_t at = lists->begin[row];
    for (size_t i = 0; i < (size_t)list; i++) {
        at += lists->length[row][i];
    }
    size_t n = lists->length[row][list]; // where no row has a list there is no array to point into
    return (struct regret_list_view){n > 0 ? lists->number + at : NULL, n};
}

size_t row_lists_contexts(const struct row_lists *lists, size_t row)
{
    size_t n = 0;
    for (size_t i = 0; i < REGRET_N_LISTS && n == 0; i++) {
        n = row_list_rule((enum regret_list)i)->of == LIST_BY_CONTEXT ? lists->length[row][i] : 0;
    }
    return n;
}

int row_lists_differ(size_t contexts, size_t before, struct regret_place at)
{
    return regret_json_error(at,
                             "the lists are about %zu contexts, those of earlier rows of the "
                             "replicate about %zu",
                             contexts, before);
}
