#include "results/row_scan.h"

#include <string.h>

#include <cJSON.h>

#include "base/try.h"
#include "results/row.h"

/* Is the row that of this line of this replicate, with everything the program writes into one? */
static int check_row(const struct run_file *run, size_t replicate, size_t line, const cJSON *json,
                     struct regret_place at)
{
    const struct regret_subject *wanted = &run->subject[line];
    long long cell = (long long)(replicate % run->n_cells);
    long long seed = run->first_seed + (long long)(replicate / run->n_cells);
    const cJSON *key = NULL;
    struct row row;
    TRY(row_read_head(&row, json, 1LL << 53, at));
    TRY(regret_json_get_object(&key, json, "key", at));
    if (row.cell != cell || row.seed != seed || row.kind != wanted->kind ||
        strcmp(row.name, wanted->name) != 0) {
        return regret_json_error(
            at, "cell %lld, seed %lld, %s stands where cell %lld, seed %lld, %s belongs", row.cell,
            row.seed, row.name, cell, seed, wanted->name);
    }
    if (!cJSON_Compare(key, run->key[cell], 1)) {
        return regret_json_error(at, "\"key\" is not that of cell %lld", cell);
    }
    TRY(row_read_measures(&row, json, at));
    return row_is_whole(&row, json) ? REGRET_OK
                                    : regret_json_error(at, "the row has not all of its fields");
}

static int check_line(const struct run_file *run, size_t replicate, size_t line, const char *text,
                      size_t length, struct regret_place at)
{
    cJSON *row = NULL;
    if (strspn(text, " \t\r\n") >= length) {
        return regret_json_error(at, "a blank line among the rows");
    }
    TRY(regret_json_parse(&row, text, length, at));
    int rc = cJSON_IsObject(row) ? check_row(run, replicate, line, row, at)
                                 : regret_json_error(at, "a row must be a JSON object");
    cJSON_Delete(row);
    return rc;
}

int row_scan_read(struct row_scan *out, const struct run_file *run, size_t begin, size_t end,
                  const char *path, const char *text, size_t length)
{
    struct regret_place at = {path, 0};
    size_t offset = 0, line = 0;
    *out = (struct row_scan){0, 0};
    while (begin + out->replicates < end) {
        const char *stop = memchr(text + offset, '\n', length - offset);
        if (stop == NULL) {
            break;
        }
        at.line++;
        size_t n = (size_t)(stop - text) - offset;
        TRY(check_line(run, begin + out->replicates, line, text + offset, n, at));
        offset += n + 1;
        if (++line == run->lines) {
            line = 0;
            out->replicates++;
            out->length = offset;
        }
    }
    return REGRET_OK;
}
