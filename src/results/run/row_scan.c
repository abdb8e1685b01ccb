#include "results/run/row_scan.h"

#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "results/row/row_lists.h"

/* The lists of the replicate that is being scanned. */
struct scanned {
    struct row_lists lists;
    size_t contexts; /* they are about; 0 before the first */
};

static int check_lists(struct scanned *s, const struct row *row, const cJSON *json,
                       const struct regret_run_grid *grid, struct regret_place at)
{
    TRY(row_lists_read(&s->lists, row, json, grid, at));
    size_t n = row_lists_contexts(&s->lists, s->lists.rows - 1);
    if (n > 0 && s->contexts > 0 && n != s->contexts) {
        return row_lists_differ(n, s->contexts, at);
    }
    s->contexts = n > 0 ? n : s->contexts;
    return REGRET_OK;
}

/* Is the row that of this line of this replicate, with everything the program writes into one? */
static int check_row(struct scanned *s, const struct run_file *run, size_t replicate, size_t line,
                     const cJSON *json, struct regret_place at)
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
    TRY(check_lists(s, &row, json, run_file_grid(run, (size_t)cell), at));
    return row_is_whole(&row, json) ? REGRET_OK
                                    : regret_json_error(at, "the row has not all of its fields");
}

static int check_line(struct scanned *s, const struct run_file *run, size_t replicate, size_t line,
                      const char *text, size_t length, struct regret_place at)
{
    cJSON *row = NULL;
    if (strspn(text, " \t\r\n") >= length) {
        return regret_json_error(at, "a blank line among the rows");
    }
    TRY(regret_json_parse(&row, text, length, at));
    int rc = cJSON_IsObject(row) ? check_row(s, run, replicate, line, row, at)
                                 : regret_json_error(at, "a row must be a JSON object");
    cJSON_Delete(row);
    return rc;
}

int row_scan_read(struct row_scan *out, const struct run_file *run, size_t begin, size_t end,
                  const char *path, const char *text, size_t length)
{
    struct regret_place at = {path, 0};
    struct scanned s = {0};
    size_t offset = 0, line = 0;
    int rc = REGRET_OK;
    *out = (struct row_scan){0, 0};
    while (begin + out->replicates < end) {
        const char *stop = memchr(text + offset, '\n', length - offset);
        if (stop == NULL) {
            break;
        }
        at.line++;
        size_t n = (size_t)(stop - text) - offset;
        TRY_CLEANUP(check_line(&s, run, begin + out->replicates, line, text + offset, n, at));
        offset += n + 1;
        if (++line == run->lines) {
            line = 0;
            out->replicates++;
            out->length = offset;
            s.lists.n = s.lists.rows = s.contexts = 0;
        }
    }
cleanup:
    row_lists_clear(&s.lists);
    return rc;
}
