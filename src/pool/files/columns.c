#include "pool/files/columns.h"

#include <math.h>
#include <string.h>

#include <cJSON.h>

#include "base/core/texts.h"
#include "base/core/try.h"
#include "base/text/name.h"
#include "regret/alloc.h"
#include "regret/buffer.h"

static const char *const KINDS[] = {
    [REGRET_COLUMN_NUMBER] = "number", [REGRET_COLUMN_WORD] = "word"};

const char *regret_column_kind_name(enum regret_column_kind kind)
{
    return KINDS[kind];
}

/* ---- reading ---- */

int pool_read_column(struct regret_pool *pool, size_t i, const cJSON *e, struct regret_place at)
{
    static const char *const KEYS[] = {"name", "kind"};
    struct regret_column *column = &pool->columns[i];
    const char *name = NULL, *kind = NULL;
    TRY(regret_json_check_keys(e, KEYS, sizeof KEYS / sizeof *KEYS, at));
    TRY(regret_json_get_string(&name, e, "name", at));
    TRY(regret_json_get_string(&kind, e, "kind", at));
    int is_word = strcmp(kind, KINDS[REGRET_COLUMN_WORD]) == 0;
    if (!is_word && strcmp(kind, KINDS[REGRET_COLUMN_NUMBER]) != 0) {
        return regret_json_error(at, "\"kind\" is \"%.40s\"; it must be \"number\" or \"word\"",
                                 kind);
    }
    column->kind = is_word ? REGRET_COLUMN_WORD : REGRET_COLUMN_NUMBER;
    return regret_strdup(&column->name, name);
}

static int read_covariate(struct regret_covariate *out, const struct regret_column *column,
                          const cJSON *value, struct regret_place at)
{
    if (column->kind == REGRET_COLUMN_WORD) {
        return cJSON_IsString(value)
                   ? regret_strdup(&out->word, value->valuestring)
                   : regret_json_error(at,
                                       "\"columns\": \"%s\" is declared as a word; write a string "
                                       "in quotes, \"\" where it is not known",
                                       column->name);
    }
    if (cJSON_IsNull(value)) {
        out->number = NAN;
        return REGRET_OK;
    }
    if (!cJSON_IsNumber(value) && !cJSON_IsBool(value)) {
        return regret_json_error(
            at, "\"columns\": \"%s\" must be a number, true, false or null%s", column->name,
            cJSON_IsString(value) ? "; write it without quotes, or declare it as a word" : "");
    }
    out->number = cJSON_IsBool(value) ? (double)(cJSON_IsTrue(value) != 0) : value->valuedouble;
    return REGRET_OK;
}

static int check_names(const struct regret_pool *pool, const cJSON *map, struct regret_place at)
{
    const char *names[REGRET_POOL_MAX_COLUMNS];
    for (size_t j = 0; j < pool->n_columns; j++) {
        names[j] = pool->columns[j].name;
    }
    for (const cJSON *v = map->child; v != NULL; v = v->next) {
        size_t j = texts_find(names, pool->n_columns, v->string);
        const char *near = j == pool->n_columns ? name_nearest(v->string, names, j) : NULL;
        if (j == pool->n_columns) {
            return regret_json_error(
                at, "\"columns\" holds \"%.64s\", which pool.json does not declare%s%s%s",
                v->string, near != NULL ? "; did you mean \"" : "", near != NULL ? near : "",
                near != NULL ? "\"?" : "; remove it, or declare it there");
        }
    }
    return REGRET_OK;
}

int pool_read_covariates(struct regret_covariate **out, const struct regret_pool *pool,
                         const cJSON *row, struct regret_place at)
{
    const cJSON *map = cJSON_GetObjectItemCaseSensitive(row, "columns");
    if (pool->n_columns == 0 && map == NULL) {
        return REGRET_OK;
    }
    TRY(regret_json_get_object(&map, row, "columns", at));
    TRY(check_names(pool, map, at));
    if (pool->n_columns == 0) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(out, pool->n_columns));
    for (size_t j = 0; j < pool->n_columns; j++) {
        const struct regret_column *column = &pool->columns[j];
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(map, column->name);
        if (value == NULL) {
            return regret_json_error(
                at, "\"columns\" lacks \"%s\", which pool.json declares; add it%s", column->name,
                column->kind == REGRET_COLUMN_WORD ? ", \"\" where it is not known"
                                                   : ", null where it is not known");
        }
        TRY(read_covariate(&(*out)[j], column, value, at));
    }
    return REGRET_OK;
}

/* ---- rules ---- */

static int check_word(const char *name, const char *word)
{
    size_t n = strlen(word), bad = 0;
    if (!regret_utf8_valid(word, n, &bad)) {
        return regret_fail(REGRET_E_INPUT, "column \"%s\" is not valid UTF-8 at byte %zu", name,
                           bad + 1);
    }
    if (n > REGRET_POOL_MAX_ID) {
        return regret_fail(REGRET_E_INPUT,
                           "column \"%s\" is \"%.40s…\", of more than %d bytes; shorten the word, "
                           "or put it into the text",
                           name, word, REGRET_POOL_MAX_ID);
    }
    for (size_t i = 0; i < n; i++) {
        if ((unsigned char)word[i] < 0x20 || word[i] == 0x7f) {
            return regret_fail(REGRET_E_INPUT,
                               "column \"%s\" holds a control character (U+%04X); remove it", name,
                               (unsigned)word[i]);
        }
    }
    return REGRET_OK;
}

int pool_check_covariates(const struct regret_pool *pool, const struct regret_covariate *columns)
{
    if (pool->n_columns > 0 && columns == NULL) {
        return regret_fail(REGRET_E_INPUT, "has none of the pool's %zu columns", pool->n_columns);
    }
    for (size_t j = 0; j < pool->n_columns; j++) {
        const struct regret_column *column = &pool->columns[j];
        if (column->kind == REGRET_COLUMN_NUMBER && isinf(columns[j].number)) {
            return regret_fail(REGRET_E_INPUT, "column \"%s\" is %.15g; it must be finite, or NaN",
                               column->name, columns[j].number);
        }
        if (column->kind == REGRET_COLUMN_WORD) {
            TRY(columns[j].word != NULL
                    ? check_word(column->name, columns[j].word)
                    : regret_fail(REGRET_E_INPUT, "column \"%s\" has no word; \"\" is one",
                                  column->name));
        }
    }
    return REGRET_OK;
}

int pool_same_covariate(enum regret_column_kind kind, const struct regret_covariate *a,
                        const struct regret_covariate *b)
{
    return kind == REGRET_COLUMN_WORD
               ? strcmp(a->word, b->word) == 0
               : a->number == b->number || (isnan(a->number) && isnan(b->number));
}

int pool_same_covariates(const struct regret_pool *pool, const struct regret_covariate *a,
                         const struct regret_covariate *b)
{
    for (size_t j = 0; j < pool->n_columns; j++) {
        if (!pool_same_covariate(pool->columns[j].kind, &a[j], &b[j])) {
            return 0;
        }
    }
    return 1;
}

/* ---- freeing ---- */

void pool_free_columns(struct regret_pool *pool)
{
    for (size_t j = 0; pool->columns != NULL && j < pool->n_columns; j++) {
        regret_free(pool->columns[j].name);
    }
    regret_free(pool->columns);
    pool->columns = NULL;
    pool->n_columns = 0;
}

void pool_free_covariates(struct regret_covariate *columns, size_t n)
{
    for (size_t j = 0; columns != NULL && j < n; j++) {
        regret_free(columns[j].word);
    }
    regret_free(columns);
}
