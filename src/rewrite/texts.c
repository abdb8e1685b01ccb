/* Texts from delimited files (RFC 4180 quotes) and from JSONL. */
#include <string.h>

#include <cJSON.h>

#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/json.h"
#include "regret/rewrite_study.h"
#include "regret/text_buffer.h"

enum { MAX_BYTES = 1 << 30 };

static int add_text(struct regret_texts *texts, size_t *capacity, const char *text)
{
    if (texts->n == *capacity) {
        size_t grown = *capacity == 0 ? 256 : *capacity * 2;
        int rc = regret_realloc((void **)&texts->text, grown, sizeof *texts->text, "texts");
        if (rc != REGRET_OK) {
            return rc;
        }
        *capacity = grown;
    }
    int rc = regret_strdup(&texts->text[texts->n], text);
    texts->n += rc == REGRET_OK;
    return rc;
}

/* Reads one field at *at into `field`. *last: it ends its record. Quoted fields may hold line ends,
 * which count in *line. */
static int take_field(struct regret_text *field, int *last, const char **at, char delimiter,
                      struct regret_place *place)
{
    const char *p = *at;
    int quoted = *p == '"';
    size_t began = place->line;
    regret_text_clear(field);
    p += quoted;
    while (*p != '\0' && (quoted || (*p != delimiter && *p != '\n'))) {
        if (quoted && *p == '"') {
            if (p[1] != '"') {
                break;
            }
            p++;
        }
        place->line += *p == '\n';
        regret_text_append_char(field, *p++);
    }
    if (quoted) {
        if (*p != '"') {
            place->line = began;
            return regret_json_error(*place, "a quoted field that never ends; close its quote");
        }
        p++;
    } else if (field->length > 0 && field->data[field->length - 1] == '\r') {
        field->data[--field->length] = '\0';
    }
    p += *p == '\r' && p[1] == '\n';
    if (*p != delimiter && *p != '\n' && *p != '\0') {
        return regret_json_error(*place, "text behind a closing quote; double the quotes inside");
    }
    *last = *p != delimiter;
    place->line += *p == '\n';
    *at = *p == '\0' ? p : p + 1;
    return regret_text_status(field);
}

/* The header line: the number of the column. */
static int find_column(size_t *column, struct regret_text *field, const char **at, char delimiter,
                       struct regret_place *place, const char *name)
{
    int last = 0, found = 0, rc = REGRET_OK;
    for (size_t k = 0; !last && rc == REGRET_OK; k++) {
        rc = take_field(field, &last, at, delimiter, place);
        if (rc == REGRET_OK && !found && strcmp(regret_text_get(field), name) == 0) {
            *column = k;
            found = 1;
        }
    }
    if (rc == REGRET_OK && !found) {
        rc =
            regret_json_error((struct regret_place){place->file, 1},
                              "no column \"%s\" in the header; name the column of the texts", name);
    }
    return rc;
}

static int read_delimited(struct regret_texts *texts, const char *path, char delimiter,
                          const char *name)
{
    char *bytes = NULL;
    size_t length = 0, bad = 0, column = 0, capacity = 0;
    struct regret_text field = REGRET_TEXT_INIT;
    struct regret_place place = {path, 1};
    int rc = regret_file_read(&bytes, &length, path, MAX_BYTES);
    if (rc != REGRET_OK) {
        return rc;
    }
    const char *at = bytes;
    if (!regret_utf8_valid(bytes, length, &bad)) {
        rc = regret_json_error((struct regret_place){path, 0}, "byte %zu is not valid UTF-8",
                               bad + 1);
    }
    rc = rc ? rc : find_column(&column, &field, &at, delimiter, &place, name);
    while (rc == REGRET_OK && *at != '\0') {
        int last = 0, found = 0;
        size_t line = place.line;
        for (size_t k = 0; !last && rc == REGRET_OK; k++) {
            rc = take_field(&field, &last, &at, delimiter, &place);
            if (rc == REGRET_OK && k == column) {
                found = 1;
                rc = add_text(texts, &capacity, regret_text_get(&field));
            }
        }
        if (rc == REGRET_OK && !found) {
            rc = regret_json_error((struct regret_place){path, line},
                                   "a record without column \"%s\"", name);
        }
    }
    regret_text_free(&field);
    regret_free(bytes);
    return rc;
}

static int read_jsonl(struct regret_texts *texts, const char *path, const char *name)
{
    struct regret_jsonl *file = NULL;
    size_t capacity = 0;
    int rc = regret_jsonl_open(&file, path);
    while (rc == REGRET_OK) {
        struct cJSON *value = NULL;
        struct regret_place at;
        const char *text = NULL;
        rc = regret_jsonl_next(file, &value, &at);
        if (rc != REGRET_OK || value == NULL) {
            break;
        }
        rc = regret_json_get_string(&text, value, name, at);
        rc = rc ? rc : add_text(texts, &capacity, text);
        cJSON_Delete(value);
    }
    regret_jsonl_close(file);
    return rc;
}

static int ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), k = strlen(end);
    return n >= k && strcmp(text + n - k, end) == 0;
}

int regret_texts_read(struct regret_texts *out, const char *path, const char *column)
{
    struct regret_texts texts = {NULL, 0};
    int rc = ends_with(path, ".tsv")   ? read_delimited(&texts, path, '\t', column)
             : ends_with(path, ".csv") ? read_delimited(&texts, path, ',', column)
                                       : read_jsonl(&texts, path, column);
    if (rc == REGRET_OK && texts.n == 0) {
        rc = regret_fail(REGRET_E_INPUT, "%s: there are no texts", path);
    }
    if (rc != REGRET_OK) {
        regret_texts_free(&texts);
        return rc;
    }
    *out = texts;
    return REGRET_OK;
}

void regret_texts_free(struct regret_texts *texts)
{
    for (size_t i = 0; i < texts->n; i++) {
        regret_free(texts->text[i]);
    }
    regret_free(texts->text);
    *texts = (struct regret_texts){NULL, 0};
}
