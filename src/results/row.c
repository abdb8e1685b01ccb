#include "results/row.h"

#include <cJSON.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/status.h"
#include "regret/buffer.h"
#include "regret/results.h"
#include "regret/status.h"
#include "value/costs.h"

/* What the numbers of a list are of. */
enum row_list_of { LIST_BY_CONTEXT /* held-out ones */, LIST_BY_AGENT, LIST_FIXED };

/* What a list is, and whether the row is one that has it. */
struct row_list_rule {
    const char *name;
    enum row_list_of of;
    int whole;        /* numbers of agents or contexts */
    int may_lack;     /* null may stand for a number */
    double low, high; /* of a number, unless it is whole */
    int is_rare;      /* 1: absent, not null, from rows that have nothing to say there */
    size_t length;    /* of LIST_FIXED */
};

const struct row_baseline row_baselines[ROW_BASELINES] = {
    {"oracle", REGRET_RULE_ORACLE, NULL},           {"random", REGRET_RULE_RANDOM, NULL},
    {"best-exp", REGRET_RULE_SINGLE, "EXP"},        {"best-obs", REGRET_RULE_SINGLE, "OBS"},
    {"best-by-tag-exp", REGRET_RULE_BY_TAG, "EXP"}, {"best-by-tag-obs", REGRET_RULE_BY_TAG, "OBS"},
    {"best-bt", REGRET_RULE_SINGLE, "BT"},          {"best-by-tag-bt", REGRET_RULE_BY_TAG, "BT"},
};

const char *const row_fits[ROW_FITS] = {"proxy", "components", "success", "patch-statistics"};

static const char *const kind_names[ROW_KINDS] = {"family", "baseline", "fit"};

enum {
    IN_FAMILY = 1 << REGRET_ROW_FAMILY,
    IN_BASELINE = 1 << REGRET_ROW_BASELINE,
    IN_FIT = 1 << REGRET_ROW_FIT,
    IN_ALL = IN_FAMILY | IN_BASELINE | IN_FIT,
    IN_ORACLE = 1 << ROW_KINDS, /* of the baselines that one alone */
    HEAD = 5,                   /* the fields that every row has */
    FIRST_WORD = HEAD + REGRET_N_MEASURES,
    FIELDS = FIRST_WORD + ROW_WORDS
};

enum { WHOLE = 1, MAY_LACK = 1, RARE = 1 };
/* Of the numbers in lists: rewards are in [0,1], and DR multiplies them by the number of agents. */
#define LARGEST 1e9

/* Every field of a row in the order in which it is written: a measure more is one line here and one
 * in enum regret_measure. */
static const struct field {
    const char *name;
    unsigned kinds;   /* rows that have it */
    int demanded;     /* a number that is null at least */
    double low, high; /* of a number, with a little room for rounding */
} fields[FIELDS] = {
    {"cell", IN_ALL, 1, 0, 0},
    {"seed", IN_ALL, 1, 0, 0},
    {"key", IN_ALL, 1, 0, 0},
    {"kind", IN_ALL, 1, 0, 0},
    {"family", IN_ALL, 1, 0, 0},
    [HEAD + REGRET_MEASURE_REGRET] = {"regret", IN_FAMILY | IN_BASELINE, 1, 0.0, INFINITY},
    [HEAD + REGRET_MEASURE_RMSE] = {"rmse", IN_FAMILY, 0, 0.0, INFINITY},
    [HEAD + REGRET_MEASURE_TOP1] = {"top1", IN_FAMILY, 0, 0.0, 1.0},
    [HEAD + REGRET_MEASURE_TOP3] = {"top3", IN_FAMILY, 0, 0.0, 1.0},
    [HEAD + REGRET_MEASURE_SPEARMAN] = {"spearman", IN_FAMILY, 0, -1.0, 1.0},
    [HEAD + REGRET_MEASURE_KENDALL] = {"kendall", IN_FAMILY, 0, -1.0, 1.0},
    [HEAD + REGRET_MEASURE_HIT1] = {"hit1", IN_FAMILY, 0, 0.0, 1.0},
    [HEAD + REGRET_MEASURE_HIT3] = {"hit3", IN_FAMILY, 0, 0.0, 1.0},
    [HEAD + REGRET_MEASURE_DM_RMSE] = {"dm_rmse", IN_FAMILY, 0, 0.0, INFINITY},
    [HEAD + REGRET_MEASURE_DR_RMSE] = {"dr_rmse", IN_FAMILY, 0, 0.0, INFINITY},
    [HEAD + REGRET_MEASURE_SNDR_RMSE] = {"sndr_rmse", IN_FAMILY, 0, 0.0, INFINITY},
    [HEAD + REGRET_MEASURE_LAMBDA] = {"lambda", IN_FAMILY, 0, 0.0, 1.0},
    [HEAD + REGRET_MEASURE_ALPHA] = {"alpha", IN_FAMILY, 0, -INFINITY, INFINITY},
    [HEAD + REGRET_MEASURE_RHO] = {"rho", IN_FAMILY, 0, 0.0, INFINITY},
    [HEAD + REGRET_MEASURE_TAU] = {"tau", IN_FAMILY, 0, 0.0, INFINITY},
    [HEAD + REGRET_MEASURE_R2] = {"r2", IN_FIT, 1, -INFINITY, 1.0},
    [HEAD + REGRET_MEASURE_R2_CLIPPED] = {"r2_clipped", IN_FIT, 0, -INFINITY, 1.0},
    [HEAD + REGRET_MEASURE_POLICY_IPS] = {"policy_ips", IN_FAMILY | IN_BASELINE, 0, -INFINITY,
                                          INFINITY},
    [HEAD +
        REGRET_MEASURE_POLICY_DR] = {"policy_dr", IN_FAMILY | IN_BASELINE, 0, -INFINITY, INFINITY},
    [HEAD + REGRET_MEASURE_POLICY_DR_HALF] = {"policy_dr_half", IN_FAMILY | IN_BASELINE, 0, 0.0,
                                              INFINITY},
    [FIRST_WORD + ROW_BASIS] = {"basis", IN_FAMILY, 0, 0, 0},
    [FIRST_WORD + ROW_CV] = {"cv", IN_FAMILY, 0, 0, 0},
    [FIRST_WORD + ROW_FAILURE] = {"failure", IN_FAMILY, 0, 0, 0},
    [FIRST_WORD + ROW_PICKED] = {"picked", IN_FAMILY, 0, 0, 0},
};
static const double rounding = 1e-9;

/* The lists, which stand behind the fields. */
static const struct {
    struct row_list_rule rule;
    unsigned kinds;
} row_lists[REGRET_N_LISTS] = {
    [REGRET_LIST_CONTEXT] = {{"context", LIST_BY_CONTEXT, WHOLE, 0, 0.0, LARGEST, 0, 0}, IN_ORACLE},
    [REGRET_LIST_BEST] = {{"best", LIST_BY_CONTEXT, 0, 0, -LARGEST, LARGEST, 0, 0}, IN_ORACLE},
    [REGRET_LIST_CHOICE] = {{"choice", LIST_BY_CONTEXT, WHOLE, 0, 0.0, LARGEST, 0, 0},
                            IN_FAMILY | IN_BASELINE},
    [REGRET_LIST_LOSS] = {{"loss", LIST_BY_CONTEXT, 0, 0, 0.0, LARGEST, 0, 0},
                          IN_FAMILY | IN_BASELINE},
    [REGRET_LIST_CHOICE_ALL] = {{"choice_all", LIST_BY_CONTEXT, WHOLE, 0, 0.0, LARGEST, RARE, 0},
                                IN_FAMILY | IN_BASELINE},
    [REGRET_LIST_VALUE] = {{"value", LIST_BY_AGENT, 0, MAY_LACK, -LARGEST, LARGEST, 0, 0},
                           IN_ORACLE},
    [REGRET_LIST_VALUE_GRID] = {{"value_grid", LIST_BY_AGENT, 0, MAY_LACK, -LARGEST, LARGEST, 0, 0},
                                IN_ORACLE},
    [REGRET_LIST_DM] = {{"dm", LIST_BY_AGENT, 0, MAY_LACK, -LARGEST, LARGEST, 0, 0}, IN_FAMILY},
    [REGRET_LIST_DR] = {{"dr", LIST_BY_AGENT, 0, MAY_LACK, -LARGEST, LARGEST, 0, 0}, IN_FAMILY},
    [REGRET_LIST_SNDR] = {{"sndr", LIST_BY_AGENT, 0, MAY_LACK, -LARGEST, LARGEST, 0, 0}, IN_FAMILY},
    [REGRET_LIST_DM_HALF] = {{"dm_half", LIST_BY_AGENT, 0, MAY_LACK, 0.0, LARGEST, 0, 0},
                             IN_FAMILY},
    [REGRET_LIST_DR_HALF] = {{"dr_half", LIST_BY_AGENT, 0, MAY_LACK, 0.0, LARGEST, 0, 0},
                             IN_FAMILY},
    [REGRET_LIST_SNDR_HALF] = {{"sndr_half", LIST_BY_AGENT, 0, MAY_LACK, 0.0, LARGEST, 0, 0},
                               IN_FAMILY},
    [REGRET_LIST_AGENT_VALUE] = {{"agent_value", LIST_BY_AGENT, 0, MAY_LACK, -LARGEST, LARGEST,
                                  RARE, 0},
                                 IN_ORACLE},
    [REGRET_LIST_PRICE_VALUE] = {{"price_value", LIST_FIXED, 0, MAY_LACK, -LARGEST, LARGEST, RARE,
                                  REGRET_N_PRICES},
                                 IN_FAMILY | IN_BASELINE},
    [REGRET_LIST_PRICE_COST] = {{"price_cost", LIST_FIXED, 0, MAY_LACK, 0.0, INFINITY, RARE,
                                 REGRET_N_PRICES},
                                IN_FAMILY | IN_BASELINE},
    [REGRET_LIST_BUDGET] = {{"budget", LIST_FIXED, 0, MAY_LACK, -LARGEST, INFINITY, RARE,
                             REGRET_N_BUDGET},
                            IN_FAMILY | IN_BASELINE},
    [REGRET_LIST_LEAK] = {{"leak", LIST_FIXED, 0, MAY_LACK, 0.0, LARGEST, RARE, REGRET_N_LEAK},
                          IN_FAMILY},
};

/* The hyper-parameters among them, as tables show them: by their mean, or by the shares of their
 * values. */
static const struct {
    const char *symbol;
    int by_mean;
} tuned[REGRET_N_MEASURES] = {
    [REGRET_MEASURE_LAMBDA] = {"λ", 1},
    [REGRET_MEASURE_ALPHA] = {"α", 1},
    [REGRET_MEASURE_RHO] = {"ρ", 0},
    [REGRET_MEASURE_TAU] = {"τ", 0},
};

static int has(enum regret_row_kind kind, size_t field)
{
    return (int)(fields[field].kinds >> kind & 1);
}

/* Is the field in a row only where it says something? */
static int is_rare(size_t field)
{
    return field == FIRST_WORD + ROW_FAILURE || field == FIRST_WORD + ROW_PICKED ||
           (field >= HEAD && row_measure_is_rare((enum regret_measure)(field - HEAD)));
}

int row_measure_is_rare(enum regret_measure measure)
{
    return measure == REGRET_MEASURE_POLICY_IPS || measure == REGRET_MEASURE_POLICY_DR ||
           measure == REGRET_MEASURE_POLICY_DR_HALF;
}

/* Does the row say nothing in the field? */
static int is_silent(const struct row *row, size_t field)
{
    return field < FIRST_WORD ? isnan(row->measure[field - HEAD])
                              : row->word[field - FIRST_WORD] == NULL;
}

/* Kinds of which the row is. */
static unsigned kinds_of(const struct row *row)
{
    int oracle = row->kind == REGRET_ROW_BASELINE && strcmp(row->name, row_baselines[0].name) == 0;
    return 1U << row->kind | (oracle ? IN_ORACLE : 0U);
}

static const struct row_list_rule *row_list_rule(enum regret_list list)
{
    return &row_lists[list].rule;
}

static int row_has_list(const struct row *row, enum regret_list list)
{
    return (row_lists[list].kinds & kinds_of(row)) != 0;
}

const char *row_kind_name(enum regret_row_kind kind)
{
    return kind_names[kind];
}

const char *row_measure_name(enum regret_measure measure)
{
    return fields[HEAD + measure].name;
}

const char *row_tuned_symbol(enum regret_measure measure, int *by_mean)
{
    *by_mean = tuned[measure].by_mean;
    return tuned[measure].symbol;
}

const char *row_word_name(enum row_word word)
{
    return fields[FIRST_WORD + word].name;
}

struct row row_of(long long cell, long long seed, enum regret_row_kind kind, const char *name)
{
    struct row row = {.cell = cell, .seed = seed, .kind = kind, .name = name};
    for (size_t i = 0; i < REGRET_N_MEASURES; i++) {
        row.measure[i] = NAN;
    }
    return row;
}

/* ,"choice":[3,0,17] */
static void write_list(struct regret_buffer *t, const struct row_list_rule *rule,
                       const struct row_list *list)
{
    char number[32];
    regret_buffer_printf(t, ",\"%s\":%s", rule->name, list->number != NULL ? "[" : "null");
    for (size_t i = 0; list->number != NULL && i < list->n; i++) {
        /* six digits: more than the noise of any of them leaves */
        snprintf(number, sizeof number, rule->whole ? "%.0f" : "%.6g", list->number[i]);
        regret_buffer_append(t, i > 0 ? "," : "");
        regret_buffer_append(t, isfinite(list->number[i]) ? number : "null");
    }
    regret_buffer_append(t, list->number != NULL ? "]" : "");
}

void row_write(struct regret_buffer *t, const struct row *row, const char *key)
{
    regret_buffer_printf(
        t, "{\"cell\":%lld,\"seed\":%lld,\"key\":%s,\"kind\":\"%s\",\"family\":\"%s\"", row->cell,
        row->seed, key, kind_names[row->kind], row->name);
    for (size_t i = HEAD; i < FIELDS; i++) {
        if (!has(row->kind, i) || (is_rare(i) && is_silent(row, i))) {
            continue;
        }
        regret_buffer_printf(t, ",\"%s\":", fields[i].name);
        if (i < FIRST_WORD) {
            regret_buffer_json_number(t, row->measure[i - HEAD]);
        } else if (row->word[i - FIRST_WORD] != NULL) {
            regret_buffer_json_string(t, row->word[i - FIRST_WORD]);
        } else {
            regret_buffer_append(t, "null");
        }
    }
    for (size_t i = 0; i < REGRET_N_LISTS; i++) {
        int there = !row_lists[i].rule.is_rare || row->list[i].number != NULL;
        if (there && row_has_list(row, (enum regret_list)i)) {
            write_list(t, &row_lists[i].rule, &row->list[i]);
        }
    }
    regret_buffer_append(t, "}\n");
}

static int read_kind(enum regret_row_kind *kind, const cJSON *json, struct regret_place at)
{
    const char *word = NULL;
    TRY(regret_json_get_string(&word, json, "kind", at));
    for (size_t k = 0; k < ROW_KINDS; k++) {
        if (strcmp(word, kind_names[k]) == 0) {
            *kind = (enum regret_row_kind)k;
            return REGRET_OK;
        }
    }
    return regret_json_error(at, "\"kind\" must be \"family\", \"baseline\" or \"fit\", not \"%s\"",
                             word);
}

/* Names the fields of a family first: what most rows are about. */
static int check_fields(const cJSON *json, struct regret_place at)
{
    const char *known[FIELDS + REGRET_N_LISTS];
    size_t n = 0;
    for (int of_family = 1; of_family >= 0; of_family--) {
        for (size_t i = 0; i < FIELDS; i++) {
            if (has(REGRET_ROW_FAMILY, i) == of_family) {
                known[n++] = fields[i].name;
            }
        }
    }
    for (size_t i = 0; i < REGRET_N_LISTS; i++) {
        known[n++] = row_lists[i].rule.name;
    }
    return regret_json_check_keys(json, known, n, at);
}

int row_read_head(struct row *row, const cJSON *json, long long last_cell, struct regret_place at)
{
    struct row made = row_of(0, 0, REGRET_ROW_FAMILY, NULL);
    TRY(check_fields(json, at));
    TRY(regret_json_get_integer(&made.cell, json, "cell", 0, last_cell, at));
    TRY(regret_json_get_integer(&made.seed, json, "seed", 0, 1LL << 53, at));
    TRY(read_kind(&made.kind, json, at));
    TRY(regret_json_get_string(&made.name, json, "family", at));
    *row = made;
    return REGRET_OK;
}

static int read_measure(double *out, enum regret_row_kind kind, size_t field, const cJSON *json,
                        struct regret_place at)
{
    const struct field *f = &fields[field];
    const cJSON *given = cJSON_GetObjectItemCaseSensitive(json, f->name);
    if (given != NULL && !has(kind, field) && !cJSON_IsNull(given)) {
        return regret_json_error(at, "\"%s\" does not belong in a row of kind \"%s\"", f->name,
                                 kind_names[kind]);
    }
    if (given == NULL && has(kind, field) && f->demanded) {
        return regret_json_error(at, "\"%s\" is absent; write null where it is not known", f->name);
    }
    TRY(regret_json_optional_number(out, json, f->name, at));
    if (*out < f->low - rounding || *out > f->high + rounding) {
        return regret_json_error(at, "\"%s\" is %.17g, outside [%g, %g]", f->name, *out, f->low,
                                 f->high);
    }
    return REGRET_OK;
}

int row_read_measures(struct row *row, const cJSON *json, struct regret_place at)
{
    for (size_t i = 0; i < REGRET_N_MEASURES; i++) {
        TRY(read_measure(&row->measure[i], row->kind, HEAD + i, json, at));
    }
    return REGRET_OK;
}

int row_read_words(struct row *row, const cJSON *json, struct regret_place at)
{
    for (size_t i = 0; i < ROW_WORDS; i++) {
        TRY(regret_json_optional_string(&row->word[i], json, fields[FIRST_WORD + i].name, at));
    }
    return REGRET_OK;
}

int row_is_whole(const struct row *row, const cJSON *json)
{
    int n = 0;
    for (size_t i = 0; i < FIELDS; i++) {
        n += has(row->kind, i) &&
             (!is_rare(i) || cJSON_GetObjectItemCaseSensitive(json, fields[i].name) != NULL);
    }
    for (size_t i = 0; i < REGRET_N_LISTS; i++) {
        const struct row_list_rule *rule = row_list_rule((enum regret_list)i);
        n += row_has_list(row, (enum regret_list)i) &&
             (!rule->is_rare || cJSON_GetObjectItemCaseSensitive(json, rule->name) != NULL);
    }
    return cJSON_GetArraySize(json) == n;
}

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
