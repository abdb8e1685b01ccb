#include "experiment/row_order.h"

#include <string.h>

#include <cJSON.h>

#include "regret/alloc.h"
#include "regret/config.h"

static int read_cells(struct row_order *o, struct regret_place at)
{
    const cJSON *cells = NULL, *config = NULL;
    long long seeds = 0;
    int rc = regret_json_get_array(&cells, o->run, "cells", at);
    if (rc != REGRET_OK ||
        (rc = regret_json_get_integer(&seeds, o->run, "seeds", 1, REGRET_MAX_SEEDS, at)) !=
            REGRET_OK ||
        (rc = regret_json_get_object(&config, o->run, "config", at)) != REGRET_OK ||
        (rc = regret_json_get_integer(&o->first_seed, config, "first_seed", 0, 1LL << 53, at)) !=
            REGRET_OK) {
        return rc;
    }
    o->seeds = (size_t)seeds;
    o->cells = (size_t)cJSON_GetArraySize(cells);
    if (o->cells < 1 || o->cells > REGRET_MAX_CELLS) {
        return regret_json_error(at, "\"cells\" must hold 1 to %d cells, not %zu", REGRET_MAX_CELLS,
                                 o->cells);
    }
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
    rc = REGRET_NEW(&o->key, o->cells);
    size_t c = 0;
    for (const cJSON *v = cells->child; rc == REGRET_OK && v != NULL; v = v->next) {
        rc = regret_json_get_object(&o->key[c++], v, "key", at);
    }
    return rc;
}

static int read_subjects(struct row_order *o, struct regret_place at)
{
    const cJSON *families = NULL;
    long long lines = 0;
    int rc = regret_json_get_array(&families, o->run, "families", at);
    if (rc != REGRET_OK ||
        (rc = regret_json_get_integer(&lines, o->run, "rows", 1, 1LL << 20, at)) != REGRET_OK) {
        return rc;
    }
    size_t n = (size_t)cJSON_GetArraySize(families), fits = ROW_FITS;
    o->lines = (size_t)lines;
    if (o->lines == n + ROW_BASELINES + ROW_FITS - 1) {
        fits = ROW_FITS - 1; /* the pool has no "success" */
    } else if (o->lines != n + ROW_BASELINES + ROW_FITS) {
        return regret_json_error(at, "\"rows\" is %zu, which %zu families do not make", o->lines,
                                 n);
    }
    rc = REGRET_NEW(&o->subject, o->lines);
    struct row_subject *s = o->subject;
    for (const cJSON *v = families->child; rc == REGRET_OK && v != NULL; v = v->next) {
        if (!cJSON_IsString(v)) {
            return regret_json_error(at, "\"families\" must hold names");
        }
        *s++ = (struct row_subject){REGRET_ROW_FAMILY, v->valuestring};
    }
    for (size_t i = 0; rc == REGRET_OK && i < ROW_BASELINES; i++) {
        *s++ = (struct row_subject){REGRET_ROW_BASELINE, row_baselines[i]};
    }
    for (size_t i = 0; rc == REGRET_OK && i < fits; i++) {
        *s++ = (struct row_subject){REGRET_ROW_FIT, row_fits[i]};
    }
    return rc;
}

int row_order_read(struct row_order *out, const char *description, struct regret_place at)
{
    struct row_order made = {0};
    int rc = regret_json_parse(&made.run, description, strlen(description), at);
    if (rc == REGRET_OK && (rc = read_cells(&made, at)) == REGRET_OK) {
        rc = read_subjects(&made, at);
    }
    if (rc != REGRET_OK) {
        row_order_free(&made);
        return rc;
    }
    *out = made;
    return REGRET_OK;
}

void row_order_free(struct row_order *o)
{
    cJSON_Delete(o->run);
    regret_free(o->key);
    regret_free(o->subject);
    *o = (struct row_order){0};
}

/* Is the row that of this line of this replicate, with everything the program writes into one? */
static int check_row(const struct row_order *o, size_t replicate, size_t line, const cJSON *row,
                     struct regret_place at)
{
    const struct row_subject *wanted = &o->subject[line];
    long long cell = 0, seed = 0, top = 1LL << 53;
    long long cell_wanted = (long long)(replicate % o->cells);
    long long seed_wanted = o->first_seed + (long long)(replicate / o->cells);
    enum regret_row_kind kind = REGRET_ROW_FAMILY;
    const char *name = NULL;
    const cJSON *key = NULL;
    double value[REGRET_N_MEASURES];
    int rc = row_check_fields(row, at);
    if (rc != REGRET_OK ||
        (rc = regret_json_get_integer(&cell, row, "cell", 0, top, at)) != REGRET_OK ||
        (rc = regret_json_get_integer(&seed, row, "seed", 0, top, at)) != REGRET_OK ||
        (rc = row_read_subject(&kind, &name, row, at)) != REGRET_OK ||
        (rc = regret_json_get_object(&key, row, "key", at)) != REGRET_OK) {
        return rc;
    }
    if (cell != cell_wanted || seed != seed_wanted || kind != wanted->kind ||
        strcmp(name, wanted->name) != 0) {
        return regret_json_error(
            at, "cell %lld, seed %lld, %s stands where cell %lld, seed %lld, %s belongs", cell,
            seed, name, cell_wanted, seed_wanted, wanted->name);
    }
    if (!cJSON_Compare(key, o->key[cell], 1)) {
        return regret_json_error(at, "\"key\" is not that of cell %lld", cell);
    }
    rc = row_read_measures(value, kind, row, at);
    if (rc == REGRET_OK && cJSON_GetArraySize(row) != row_field_count(kind)) {
        rc = regret_json_error(at, "the row has not all of its fields");
    }
    return rc;
}

static int check_line(const struct row_order *o, size_t replicate, size_t line, const char *text,
                      size_t length, struct regret_place at)
{
    cJSON *row = NULL;
    if (strspn(text, " \t\r\n") >= length) {
        return regret_json_error(at, "a blank line among the rows");
    }
    int rc = regret_json_parse(&row, text, length, at);
    if (rc == REGRET_OK) {
        rc = cJSON_IsObject(row) ? check_row(o, replicate, line, row, at)
                                 : regret_json_error(at, "a row must be a JSON object");
    }
    cJSON_Delete(row);
    return rc;
}

int row_order_scan(struct row_scan *out, const struct row_order *o, size_t begin, size_t end,
                   const char *path, const char *text, size_t length)
{
    struct row_scan scan = {0, 0};
    struct regret_place at = {path, 0};
    size_t offset = 0, line = 0;
    int rc = REGRET_OK;
    while (begin + scan.replicates < end) {
        const char *stop = memchr(text + offset, '\n', length - offset);
        if (stop == NULL) {
            break;
        }
        at.line++;
        size_t n = (size_t)(stop - text) - offset;
        rc = check_line(o, begin + scan.replicates, line, text + offset, n, at);
        if (rc != REGRET_OK) {
            break;
        }
        offset += n + 1;
        if (++line == o->lines) {
            line = 0;
            scan.replicates++;
            scan.length = offset;
        }
    }
    *out = scan;
    return rc;
}
