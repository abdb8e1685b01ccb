#include "import/build/references.h"

#include <cJSON.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/metrics.h"

#define APART "\xFF"

void references_append(struct regret_buffer *references, const char *text)
{
    regret_buffer_append(references, references->length > 0 ? APART : "");
    regret_buffer_append(references, text);
}

void references_append_json(struct regret_buffer *references, const cJSON *value)
{
    const cJSON *text = cJSON_IsArray(value) ? value->child : value;
    for (; text != NULL; text = cJSON_IsArray(value) ? text->next : NULL) {
        if (cJSON_IsString(text)) {
            references_append(references, text->valuestring);
        }
    }
}

const char *references_get(const struct regret_buffer *references)
{
    return references->length > 0 ? regret_buffer_get(references) : NULL;
}

size_t references_first(const char *references)
{
    return strcspn(references, APART);
}

int references_score(double *out, const char *metric, const char *output, const char *references)
{
    FREED char *copy = NULL;
    FREED const char **each = NULL;
    size_t n = 1;
    for (const char *at = references; (at = strchr(at, APART[0])) != NULL; at++) {
        n++;
    }
    TRY(regret_strdup(&copy, references));
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
    TRY(REGRET_NEW(&each, n));
    each[0] = copy;
    for (size_t i = 1; i < n; i++) {
        char *end = strchr(each[i - 1], APART[0]);
        *end = '\0';
        each[i] = end + 1;
    }
    return regret_metric_score_any(out, metric, output, each, n);
}
