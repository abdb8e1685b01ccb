#include "import/flat/flat.h"

#include <string.h>

#include <cJSON.h>

#include "base/archive/source.h"
#include "base/core/try.h"
#include "base/json/json_records.h"

static int read_lines(struct source *source, const struct flat_reader *reader)
{
    struct regret_jsonl *lines = NULL;
    struct regret_place at = {NULL, 0};
    cJSON *line = NULL;
    int rc;
    TRY_CLEANUP(source_jsonl(source, &lines));
    TRY_CLEANUP(jsonl_next_object(lines, &line, &at));
    while (line != NULL) {
        TRY_CLEANUP(reader->line(reader->context, line, at));
        TRY_CLEANUP(jsonl_next_object(lines, &line, &at));
    }
cleanup:
    cJSON_Delete(line);
    return rc;
}

static int is_jsonl(const char *name)
{
    const char *end = strrchr(name, '.');
    return end != NULL && (strcmp(end, ".jsonl") == 0 || strcmp(end, ".json") == 0);
}

int flat_read(const char *path, const struct flat_reader *reader)
{
    struct source *source = NULL;
    const char *name = NULL;
    int rc;
    TRY_CLEANUP(source_open(&source, path));
    TRY_CLEANUP(source_next(source, NULL, 0, &name));
    while (name != NULL) {
        int wanted = is_jsonl(name) || strcmp(source_file(source), path) == 0;
        TRY_CLEANUP(wanted ? reader->wants(&wanted, reader->context, source, name) : REGRET_OK);
        TRY_CLEANUP(wanted ? read_lines(source, reader) : REGRET_OK);
        TRY_CLEANUP(source_next(source, NULL, 0, &name));
    }
cleanup:
    source_close(source);
    return rc;
}

const char *flat_place(const char *name, const char *part)
{
    size_t n = strlen(part);
    const char *at = name;
    while ((at = strstr(at, part)) != NULL) {
        if ((at == name || at[-1] == '/') && (at[n] == '/' || at[n] == '\0')) {
            return at;
        }
        at += n;
    }
    return NULL;
}

int flat_id(const char **out, char scratch[TABLE_SCRATCH], const cJSON *line,
            const char *const fields[2], struct regret_place at)
{
    *out = NULL;
    for (size_t i = 0; i < 2 && *out == NULL; i++) {
        *out = table_json_text(scratch, cJSON_GetObjectItemCaseSensitive(line, fields[i]));
    }
    return *out != NULL && (*out)[0] != '\0'
               ? REGRET_OK
               : regret_json_error(at, "has neither \"%s\" nor \"%s\", a text or a number",
                                   fields[0], fields[1]);
}
