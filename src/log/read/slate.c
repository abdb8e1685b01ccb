#include "log/read/slate.h"

#include <math.h>
#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "import/table/table_cell.h"
#include "log/core/offer.h"
#include "log/read/reading.h"
#include "regret/alloc.h"
#include "regret/hash.h"
#include "regret/json.h"

static const char BLANKS[] = " \t\r\n";

static void offer(struct log_slate *out, const char *name, size_t length)
{
    uint64_t hash = regret_hash64(name, length);
    if (out->n < REGRET_LOG_MAX_AGENTS) {
        out->name[out->n] = hash;
    }
    out->n++;
    out->offer += hash;
}

static enum log_loss read_list(struct log_slate *out, const cJSON *list, const char *agent)
{
    char scratch[JSON_SCRATCH];
    int found = 0;
    for (const cJSON *v = list->child; v != NULL; v = v->next) {
        const char *name = json_text(scratch, v);
        if (name == NULL) {
            return LOG_LOSS_SLATE;
        }
        found |= strcmp(name, agent) == 0;
        offer(out, name, strlen(name));
    }
    out->key = out->offer;
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
        if (v->valuedouble > 0.0) {
            out->key += key_of(v);
            offer(out, v->string, strlen(v->string));
        }
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
        if (n > 0) {
            found |= n == length && memcmp(p, agent, n) == 0;
            offer(out, p, n);
        }
        if (*next == '\0') {
            break;
        }
        p = next;
    }
    out->key = out->offer;
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
    out->n = 0;
    out->chance = NAN;
    out->key = out->offer = 0;
    if (value == NULL || cJSON_IsNull(value)) {
        text += strspn(text, BLANKS);
        if (*text == '\0' || table_source_is_missing(text)) {
            *why = LOG_LOSS_NONE;
            return REGRET_OK;
        }
        if (*text != '[' && *text != '{') {
            *why = read_text(out, text, agent);
            return REGRET_OK;
        }
        int rc =
            regret_json_parse(&parsed, text, strlen(text), (struct regret_place){"a slate", 0});
        *why = LOG_LOSS_SLATE;
        if (rc != REGRET_OK) {
            return rc == REGRET_E_INPUT ? REGRET_OK : rc;
        }
    }
    *why = read_value(out, value != NULL ? value : parsed, agent);
    cJSON_Delete(parsed);
    return REGRET_OK;
}

int log_offer_enter(uint32_t *out, struct log_reading *r, const struct log_slate *slate)
{
    size_t before = r->offers.n;
    TRY(log_keys_put(out, &r->offers, slate->offer));
    r->everybody = slate->n == 0 ? *out + 1 : r->everybody;
    for (size_t k = 0; r->offers.n > before && k < slate->n; k++) {
        TRY(regret_grow((void **)&r->member, &r->member_capacity, r->n_members, sizeof *r->member,
                        "slates"));
        r->member[r->n_members++] = (struct log_member){slate->name[k], *out};
    }
    return REGRET_OK;
}

static int offers_all(const struct regret_log *log, enum regret_log_source source)
{
    for (size_t i = 0; i < log->rows[source].n; i++) {
        for (size_t a = 0; a < log->n_agents; a++) {
            if (!was_on_offer(log, source, i, a)) {
                return 0;
            }
        }
    }
    return 1;
}

int log_offers_settle(struct log_reading *r)
{
    struct regret_log *log = r->log;
    FREED_BY(log_keys_free) struct log_keys agents = {0};
    uint32_t a = 0;
    if (r->offers.n == 0) {
        return REGRET_OK;
    }
    log->n_offers = r->offers.n;
    TRY(REGRET_NEW(&log->on_offer, log->n_offers * offer_words(log)));
    for (size_t i = 0; i < log->n_agents; i++) {
        TRY(log_keys_put(&a, &agents, regret_hash64(log->agent[i], strlen(log->agent[i]))));
    }
    for (size_t k = 0; k < r->n_members; k++) {
        const struct log_member *m = &r->member[k];
        TRY(log_keys_put(&a, &agents, m->name));
        if (a < log->n_agents) { /* else no row has it */
            log->on_offer[m->offer * offer_words(log) + a / 64] |= (uint64_t)1 << a % 64;
        }
    }
    for (size_t i = 0; i < log->n_agents && r->everybody > 0; i++) {
        log->on_offer[(r->everybody - 1) * offer_words(log) + i / 64] |= (uint64_t)1 << i % 64;
    }
    for (int s = 0; s < REGRET_LOG_SOURCES; s++) {
        const struct log_pass *pass = &r->pass[s];
        if (log->rows[s].offer != NULL && offers_all(log, (enum regret_log_source)s)) {
            regret_free(log->rows[s].offer);
            log->rows[s].offer = NULL;
        } else if (pass->without_slate > 0) {
            return regret_fail(
                REGRET_E_INPUT,
                "%s:%llu: no slate, as in %zu of %zu rows, and on others not everybody was on "
                "offer: write who was, or leave such rows out",
                r->config.input[s].path, (unsigned long long)pass->slate_line, pass->without_slate,
                log->rows[s].n);
        }
    }
    return REGRET_OK;
}
