/* Texts from delimited files and from JSONL. */
#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "base/csv/csv_table.h"
#include "regret/alloc.h"
#include "regret/csv.h"
#include "regret/file.h"
#include "regret/json.h"
#include "regret/rate_study.h"

FREED_POINTER(struct cJSON, cJSON_Delete)
FREED_POINTER(struct regret_jsonl, regret_jsonl_close)
FREED_POINTER(struct regret_csv, regret_csv_close)

static int add_text(struct regret_rate_texts *texts, size_t *capacity, const char *text)
{
    TRY(regret_grow((void **)&texts->text, capacity, texts->n, sizeof *texts->text, "texts"));
    TRY(regret_strdup(&texts->text[texts->n], text));
    texts->n++;
    return REGRET_OK;
}

/* The header line: the number of the column. */
static int find_column(size_t *column, struct regret_csv *csv, struct regret_place *at,
                       const char *name)
{
    size_t n_fields = 0;
    TRY(csv_table_next(csv, &n_fields, at));
    for (size_t k = 0; k < n_fields; k++) {
        if (strcmp(regret_csv_field(NULL, csv, k), name) == 0) {
            *column = k;
            return REGRET_OK;
        }
    }
    if (n_fields == 0) {
        at->line = 0;
        return regret_json_error(*at, "the file is empty");
    }
    return regret_json_error(*at, "no column \"%s\" in the header; name the column of the texts",
                             name);
}

static int read_delimited(struct regret_rate_texts *texts, const char *path, char delimiter,
                          const char *name)
{
    FREED_BY(regret_csv_close_at) struct regret_csv *csv = NULL;
    struct regret_place at = {path, 1};
    size_t column = 0, capacity = 0, n_fields = 0;
    TRY(csv_table_open(&csv, path, delimiter));
    TRY(find_column(&column, csv, &at, name));
    TRY(csv_table_next(csv, &n_fields, &at));
    while (n_fields > 0) {
        TRY(column < n_fields
                ? add_text(texts, &capacity, regret_csv_field(NULL, csv, column))
                : regret_json_error(at, "a record without column \"%s\"; give it %zu fields", name,
                                    column + 1));
        TRY(csv_table_next(csv, &n_fields, &at));
    }
    return REGRET_OK;
}

static int read_jsonl(struct regret_rate_texts *texts, const char *path, const char *name)
{
    FREED_BY(regret_jsonl_close_at) struct regret_jsonl *file = NULL;
    FREED_BY(cJSON_Delete_at) struct cJSON *value = NULL;
    struct regret_place at;
    const char *text = NULL;
    size_t capacity = 0;
    TRY(regret_jsonl_open(&file, path));
    TRY(regret_jsonl_next(file, &value, &at));
    while (value != NULL) {
        TRY(regret_json_get_string(&text, value, name, at));
        TRY(add_text(texts, &capacity, text));
        cJSON_Delete(value);
        value = NULL;
        TRY(regret_jsonl_next(file, &value, &at));
    }
    return REGRET_OK;
}

int regret_rate_texts_read(struct regret_rate_texts *out, const char *path, const char *column)
{
    FREED_BY(regret_rate_texts_free) struct regret_rate_texts texts = {NULL, 0};
    char separator = csv_separator_of(path);
    TRY(regret_is_folder(path) ? regret_fail(REGRET_E_INPUT, "%s is a folder; name a file", path)
        : separator != '\0'    ? read_delimited(&texts, path, separator, column)
                               : read_jsonl(&texts, path, column));
    if (texts.n == 0) {
        return regret_fail(REGRET_E_INPUT, "%s: there are no texts", path);
    }
    *out = texts;
    texts = (struct regret_rate_texts){NULL, 0};
    return REGRET_OK;
}

void regret_rate_texts_free(struct regret_rate_texts *texts)
{
    for (size_t i = 0; i < texts->n; i++) {
        regret_free(texts->text[i]);
    }
    regret_free(texts->text);
    *texts = (struct regret_rate_texts){NULL, 0};
}
