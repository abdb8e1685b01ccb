/* What a custom_id is made of. */
#include <string.h>

#include "base/core/try.h"
#include "import/batch/batch.h"
#include "regret/buffer.h"

static const char *const PARTS[BATCH_PARTS] = {[BATCH_ID] = "{id}",
                                               [BATCH_MODEL] = "{model}",
                                               [BATCH_TASK] = "{task}",
                                               [BATCH_REPEAT] = "{repeat}"};

/* The part that a template goes on with; BATCH_PARTS: text. */
static enum batch_part part_at(const char *template)
{
    enum batch_part k = BATCH_ID;
    while (k < BATCH_PARTS && strncmp(template, PARTS[k], strlen(PARTS[k])) != 0) {
        k++;
    }
    return k;
}

int batch_template_check(const char *template)
{
    size_t seen[BATCH_PARTS] = {0};
    int after_part = 0, is_good = 1;
    for (const char *p = template; *p != '\0' && is_good;) {
        enum batch_part k = part_at(p);
        is_good = k < BATCH_PARTS ? !after_part && seen[k]++ == 0 : *p != '{';
        after_part = k < BATCH_PARTS;
        p += k < BATCH_PARTS ? strlen(PARTS[k]) : 1;
    }
    return is_good && seen[BATCH_ID] == 1
               ? REGRET_OK
               : regret_fail(
                     REGRET_E_INPUT,
                     "--ids \"%.80s\": it must have {id}, may have {model}, {task} and {repeat}, "
                     "each once, with a text between two of them, such as \"{id}@{model}\"",
                     template);
}

/* Where the text between two parts stands in the rest of an id, that after the last one at its end; NULL: nowhere. */
static const char *find_end(const char *rest, const char *text, size_t n, int is_last)
{
    size_t length = strlen(rest);
    if (is_last) {
        return length >= n && memcmp(rest + length - n, text, n) == 0 ? rest + length - n : NULL;
    }
    for (const char *end = rest; strlen(end) >= n; end++) {
        if (memcmp(end, text, n) == 0) {
            return end;
        }
    }
    return NULL;
}

/* Takes a part and the text behind it, *n bytes; *rest is NULL where they do not fit. */
static void take_part(struct regret_buffer *part, const char **rest, const char *text, size_t *n)
{
    const char *end = NULL;
    *n = strcspn(text, "{");
    end = find_end(*rest, text, *n, text[*n] == '\0');
    if (end == NULL || end == *rest) {
        *rest = NULL;
        return;
    }
    regret_buffer_append_n(part, *rest, (size_t)(end - *rest));
    *rest = end + *n;
}

int batch_id_read(struct batch_id *out, const char *custom_id, const char *template,
                  struct regret_place at)
{
    const char *rest = custom_id;
    size_t n = 0;
    for (size_t k = 0; k < BATCH_PARTS; k++) {
        regret_buffer_clear(&out->part[k]);
    }
    for (const char *p = template; *p != '\0' && rest != NULL;) {
        enum batch_part k = part_at(p);
        if (k == BATCH_PARTS) {
            rest = *rest == *p++ ? rest + 1 : NULL;
        } else {
            p += strlen(PARTS[k]);
            take_part(&out->part[k], &rest, p, &n);
            TRY(regret_buffer_status(&out->part[k]));
            p += n;
        }
    }
    return rest != NULL && *rest == '\0'
               ? REGRET_OK
               : regret_json_error(at, "custom_id \"%.80s\" is not made as --ids \"%.80s\" says",
                                   custom_id, template);
}

const char *batch_id_part(const struct batch_id *id, enum batch_part part)
{
    return id->part[part].length > 0 ? regret_buffer_get(&id->part[part]) : NULL;
}

void batch_id_free(struct batch_id *id)
{
    for (size_t k = 0; k < BATCH_PARTS; k++) {
        regret_buffer_free(&id->part[k]);
    }
}
