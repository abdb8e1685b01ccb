#include "log/read/slate.h"

#include <math.h>
#include <string.h>

#include <cJSON.h>

#include "import/table/table_cell.h"
#include "regret/hash.h"
#include "regret/json.h"

static const char BLANKS[] = " \t\r\n";

static enum log_loss read_list(struct log_slate *out, const cJSON *list, const char *agent)
{
    char scratch[TABLE_SCRATCH];
    int found = 0;
    for (const cJSON *v = list->child; v != NULL; v = v->next, out->n++) {
        const char *name = table_json_text(scratch, v);
        if (name == NULL) {
            return LOG_LOSS_SLATE;
        }
        found |= strcmp(name, agent) == 0;
        out->key += regret_hash64(name, strlen(name));
    }
    return found ? LOG_LOSS_NONE : LOG_LOSS_SLATE_AGENT;
}

/* Of an agent and its probability. */
static uint64_t key_of(const cJSON *chance)
{
    uint64_t key[2] = {regret_hash64(chance->string, strlen(chance->string)), 0};
    memcpy(&key[1], &chance->valuedouble, sizeof key[1]);
    return regret_hash64(key, sizeof key);
}

static enum log_loss read_chances(struct log_slate *out, const cJSON *object, const char *agent)
{
    double sum = 0.0;
    for (const cJSON *v = object->child; v != NULL; v = v->next) {
        if (!cJSON_IsNumber(v)) {
            return LOG_LOSS_CHANCE_TEXT;
        }
        if (v->valuedouble < 0.0) {
            return LOG_LOSS_CHANCE_ZERO;
        }
        sum += v->valuedouble;
        out->key += v->valuedouble > 0.0 ? key_of(v) : 0;
        out->n += v->valuedouble > 0.0;
        out->chance = strcmp(v->string, agent) == 0 ? v->valuedouble : out->chance;
    }
    return isnan(out->chance)                ? LOG_LOSS_SLATE_AGENT
           : fabs(sum - 1.0) > LOG_SUM_SLACK ? LOG_LOSS_SLATE_SUM
           : out->chance >= LOG_LEAST_CHANCE ? LOG_LOSS_NONE
                                             : LOG_LOSS_CHANCE_ZERO;
}

/* Names between separators, without the blanks around them. */
static enum log_loss read_text(struct log_slate *out, const char *text, const char *agent)
{
    static const char separators[] = "|;,";
    size_t length = strlen(agent), k = 0;
    int found = 0;
    while (k < 2 && strchr(text, separators[k]) == NULL) {
        k++;
    }
    for (const char *p = text;; p++) {
        p += strspn(p, BLANKS);
        const char *end = strchr(p, separators[k]);
        size_t n = end != NULL ? (size_t)(end - p) : strlen(p);
        const char *next = p + n;
        while (n > 0 && strchr(BLANKS, p[n - 1]) != NULL) {
            n--;
        }
        out->n += n > 0;
        found |= n > 0 && n == length && memcmp(p, agent, n) == 0;
        out->key += n > 0 ? regret_hash64(p, n) : 0;
        if (*next == '\0') {
            break;
        }
        p = next;
    }
    return out->n == 0 ? LOG_LOSS_SLATE : found ? LOG_LOSS_NONE : LOG_LOSS_SLATE_AGENT;
}

static enum log_loss read_value(struct log_slate *out, const cJSON *value, const char *agent)
{
    return cJSON_IsArray(value)    ? read_list(out, value, agent)
           : cJSON_IsObject(value) ? read_chances(out, value, agent)
                                   : LOG_LOSS_SLATE;
}

int log_slate_read(struct log_slate *out, enum log_loss *why, const char *text, const cJSON *value,
                   const char *agent)
{
    cJSON *parsed = NULL;
    *out = (struct log_slate){0, NAN, 0};
    if (value != NULL) {
        *why = read_value(out, value, agent);
        return REGRET_OK;
    }
    text += strspn(text, BLANKS);
    if (*text != '[' && *text != '{') {
        *why = read_text(out, text, agent);
        return REGRET_OK;
    }
    int rc = regret_json_parse(&parsed, text, strlen(text), (struct regret_place){"a slate", 0});
    *why = rc == REGRET_E_INPUT ? LOG_LOSS_SLATE : read_value(out, parsed, agent);
    cJSON_Delete(parsed);
    return rc == REGRET_E_INPUT ? REGRET_OK : rc;
}
