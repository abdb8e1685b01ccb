#include "base/csv/csv_table.h"

#include <string.h>
#include <strings.h>

#include "base/core/try.h"
#include "regret/buffer.h"

static int open_table(struct regret_csv **out, const char *path, char separator, int trim)
{
    struct regret_csv_options options = REGRET_CSV_OPTIONS_INIT;
    options.separator = separator;
    options.stray_quotes = separator == '\t';
    options.trim = trim;
    return regret_csv_open(out, path, &options);
}

int csv_table_open(struct regret_csv **out, const char *path, char separator)
{
    return open_table(out, path, separator, 0);
}

int csv_table_open_trimmed(struct regret_csv **out, const char *path, char separator)
{
    return open_table(out, path, separator, 1);
}

char csv_separator_of(const char *path)
{
    size_t n = strlen(path);
    const char *end = n >= 4 ? path + n - 4 : path;
    return strcasecmp(end, ".csv") == 0 ? ',' : strcasecmp(end, ".tsv") == 0 ? '\t' : '\0';
}

/* Every field of the record at hand is text: no zero byte, valid UTF-8. */
static int check_record(struct regret_csv *csv, size_t n_fields, struct regret_place at)
{
    for (size_t k = 0; k < n_fields; k++) {
        size_t length = 0, bad = 0;
        const char *field = regret_csv_field(&length, csv, k);
        if (memchr(field, '\0', length) != NULL) {
            return regret_json_error(at, "a zero byte in field %zu; remove it", k + 1);
        }
        if (!regret_utf8_valid(field, length, &bad)) {
            return regret_json_error(
                at, "byte %zu of field %zu is not valid UTF-8; convert the file", bad + 1, k + 1);
        }
    }
    return REGRET_OK;
}

int csv_table_next(struct regret_csv *csv, size_t *n_fields, struct regret_place *at)
{
    TRY(regret_csv_next(csv, n_fields));
    at->line = regret_csv_line(csv);
    return check_record(csv, *n_fields, *at);
}
