#include "model/file.h"

#include <cJSON.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/buffer.h"
#include "base/json.h"
#include "base/names.h"
#include "base/status.h"
#include "model/model.h"
#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/status.h"

#define MODEL_FORMAT "regret-model-1"
#define MODEL_MAGIC "regretM"
#define MODEL_ORDER UINT64_C(0x0102030405060708)

FREED_POINTER(cJSON, cJSON_Delete)
FREED_POINTER(struct regret_model, regret_model_free)

enum { MOST_BYTES = 1 << 30, MOST_NAME = 4 * REGRET_POOL_MAX_ID };
/* No number of a fitted model is near it, and sums of squares of such are finite. */
#define MOST 1e12

static int unusable(const char *why)
{
    return regret_fail(REGRET_E_INPUT, "%s", why);
}

/* ---- the head ---- */

static int check_head(const struct model_head *h)
{
    int hashes = h->hash_buckets >= 2 && h->hash_buckets <= (uint64_t)1 << 30 &&
                 (h->hash_buckets & (h->hash_buckets - 1)) == 0 && h->term_frequency == 0;
    int sizes = h->agents >= 1 && h->agents <= REGRET_POOL_MAX_AGENTS &&
                h->tags <= REGRET_MODEL_MAX_TAGS &&
                h->buckets <= h->hash_buckets + REGRET_MODEL_MAX_TAGS &&
                h->directions_contrast <= REGRET_MODEL_DIRECTIONS &&
                h->directions_common <= REGRET_MODEL_DIRECTIONS && h->text >= 8 &&
                h->text % 8 == 0 && h->text <= MODEL_MOST_TEXT;
    return hashes && sizes ? REGRET_OK : unusable("its sizes are out of range");
}

static int check_kind(const struct model_head *h, size_t length)
{
    if (length < sizeof *h || memcmp(h->magic, MODEL_MAGIC, sizeof h->magic) != 0) {
        return unusable("it is no model that regret recommend --save-model has written");
    }
    if (h->order != MODEL_ORDER) {
        return unusable("it was written on a machine of another byte order; make it anew here");
    }
    if (h->version != MODEL_VERSION && h->version != MODEL_VERSION_COLUMNS) {
        return regret_fail(REGRET_E_INPUT,
                           "it is of version %llu, and this program reads %d and %d; make it anew "
                           "from its run (--refit)",
                           (unsigned long long)h->version, MODEL_VERSION, MODEL_VERSION_COLUMNS);
    }
    return REGRET_OK;
}

/* No product here overflows: rows and width are below 2^31 and 2^13. */
static int check_length(const struct model_head *h, size_t length)
{
    uint64_t width = h->agents + 3 + h->directions_contrast + h->directions_common;
    uint64_t rows = 2 + h->tags + h->buckets;
    uint64_t wanted = sizeof *h + h->text + 8 * rows * width + 4 * h->buckets;
    return wanted == length ? REGRET_OK : unusable("it is cut off, or too long");
}

static int check_digest(char *file, size_t length, const struct model_head *h)
{
    uint64_t digest[2];
    model_digest(digest, file, length);
    return memcmp(digest, h->digest, sizeof digest) == 0
               ? REGRET_OK
               : unusable("its checksum is wrong: the file is damaged; make it anew");
}

/* ---- the text ---- */

static int take_number(double *out, const cJSON *json, const char *name, double low,
                       struct regret_place at)
{
    TRY(regret_json_get_number(out, json, name, at));
    return *out >= low && *out <= MOST ? REGRET_OK
                                       : unusable("it holds a number that is out of range");
}

static int take_count(size_t *out, const cJSON *json, const char *name, double most,
                      struct regret_place at)
{
    long long value = 0;
    TRY(regret_json_get_integer(&value, json, name, 0, (long long)most, at));
    *out = (size_t)value;
    return REGRET_OK;
}

/* A list of exactly n items, what they are being the caller's to check. */
static int take_list(const cJSON **first, const cJSON *json, const char *name, size_t n,
                     struct regret_place at)
{
    const cJSON *array = NULL;
    TRY(regret_json_get_array(&array, json, name, at));
    *first = array->child;
    return (size_t)cJSON_GetArraySize(array) == n
               ? REGRET_OK
               : unusable("a list of it is too long or too short");
}

static int take_numbers(double *out, size_t n, const cJSON *json, const char *name, double low,
                        struct regret_place at)
{
    const cJSON *item = NULL;
    TRY(take_list(&item, json, name, n, at));
    for (size_t i = 0; i < n; i++, item = item->next) {
        if (!cJSON_IsNumber(item) || !(item->valuedouble >= low) || item->valuedouble > MOST) {
            return unusable("a list of it holds what is no number, or out of range");
        }
        out[i] = item->valuedouble;
    }
    return REGRET_OK;
}

static int take_string(char **out, const cJSON *json, const char *name, struct regret_place at)
{
    const char *value = NULL;
    TRY(regret_json_get_string(&value, json, name, at));
    return regret_strdup(out, value);
}

static int take_strings(char **out, size_t n, const cJSON *json, const char *name, size_t longest,
                        struct regret_place at)
{
    const cJSON *item = NULL;
    TRY(take_list(&item, json, name, n, at));
    for (size_t i = 0; i < n; i++, item = item->next) {
        if (!cJSON_IsString(item) || strlen(item->valuestring) > longest) {
            return unusable("a list of it holds what is no name");
        }
        TRY(regret_strdup(&out[i], item->valuestring));
    }
    return REGRET_OK;
}

static int take_answered(struct regret_model *m, const cJSON *json, struct regret_place at)
{
    TRY(take_strings(m->answered, m->n_tags, json, "answered", m->n_agents, at));
    for (size_t t = 0; t < m->n_tags; t++) {
        if (strlen(m->answered[t]) != m->n_agents) {
            return unusable("it does not say of every agent which tags it has answered");
        }
    }
    return REGRET_OK;
}

static int take_layer(struct model_layer *out, const cJSON *json, const char *name,
                      struct regret_place at)
{
    const cJSON *layer = NULL;
    const char *rule = NULL;
    int r = 0;
    TRY(regret_json_get_object(&layer, json, name, at));
    TRY(regret_json_get_string(&rule, layer, "rule", at));
    while (r < REGRET_MODEL_RULES &&
           strcmp(rule, regret_model_rule_name((enum regret_model_rule)r)) != 0) {
        r++;
    }
    if (r == REGRET_MODEL_RULES) {
        return unusable("it goes by a rule that this program does not know");
    }
    out->rule = (enum regret_model_rule)r;
    TRY(take_number(&out->rho, layer, "rho", 1e-12, at));
    TRY(take_number(&out->gamma, layer, "gamma", 0.0, at));
    TRY(take_number(&out->centre, layer, "centre", 0.0, at));
    TRY(cJSON_HasObjectItem(layer, "kappa") ? take_number(&out->kappa, layer, "kappa", 0.0, at)
                                            : REGRET_OK);
    return take_numbers(out->shrink, out->n, layer, "shrink", 0.0, at);
}

static int take_scores(struct regret_model_facts *f, const cJSON *json, struct regret_place at)
{
    const cJSON *scores = NULL;
    TRY(regret_json_get_object(&scores, json, "regret", at));
    TRY(take_count(&f->judged, scores, "contexts", REGRET_POOL_MAX_CONTEXTS, at));
    TRY(take_number(&f->random, scores, "random", 0.0, at));
    for (int r = 0; r < REGRET_MODEL_RULES; r++) {
        struct regret_model_score *s = &f->score[r];
        const char *name = regret_model_rule_name((enum regret_model_rule)r);
        double numbers[4] = {0};
        s->is_there = cJSON_HasObjectItem(scores, name);
        if (s->is_there) {
            TRY(take_numbers(numbers, 4, scores, name, -1.0, at));
        }
        s->regret = numbers[0];
        s->half = numbers[1];
        s->gain = numbers[2];
        s->gain_half = numbers[3];
    }
    return REGRET_OK;
}

static int take_facts(struct regret_model *m, const cJSON *json, struct regret_place at)
{
    struct regret_model_facts *f = &m->facts;
    TRY(take_count(&f->n_contexts, json, "contexts", REGRET_POOL_MAX_CONTEXTS, at));
    TRY(take_count(&f->n_pairs, json, "pairs", REGRET_GRID_MAX_PAIRS, at));
    TRY(take_count(&f->single, json, "single", (double)m->n_agents - 1.0, at));
    TRY(take_number(&f->error, json, "error", 0.0, at));
    f->n_agents = m->n_agents;
    f->n_tags = m->n_tags;
    f->contrasts = m->contrast.rule;
    f->common = m->common.rule;
    return f->n_contexts > 0 ? take_scores(f, json, at) : unusable("it was made of no context");
}

static int take_words(struct model_column *c, const cJSON *json, struct regret_place at)
{
    const cJSON *words = NULL;
    TRY(regret_json_get_array(&words, json, "words", at));
    size_t n = (size_t)cJSON_GetArraySize(words);
    TRY(n <= REGRET_MODEL_MAX_TAGS ? REGRET_OK : unusable("a column of it has too many words"));
    TRY(REGRET_NEW(&c->word, n));
    c->n = n;
    TRY(REGRET_NEW(&c->share, n));
    TRY(take_strings(c->word, n, json, "words", REGRET_POOL_MAX_ID, at));
    return take_numbers(c->share, n, json, "shares", 0.0, at);
}

static int take_column(struct model_column *c, const cJSON *json, struct regret_place at)
{
    TRY(take_string(&c->name, json, "name", at));
    if (cJSON_HasObjectItem(json, "words")) {
        return take_words(c, json, at);
    }
    TRY(regret_json_get_number(&c->mean, json, "mean", at));
    TRY(regret_json_get_number(&c->sd, json, "sd", at));
    TRY(c->sd >= 0.0 ? REGRET_OK : unusable("a deviation of it is negative"));
    TRY(take_number(&c->blank, json, "blank", 0.0, at));
    TRY(take_number(&c->least, json, "least", -MOST, at));
    TRY(take_number(&c->most, json, "most", c->least, at));
    TRY(take_numbers(c->number.cut, OWN_STEPS, json, "cut", -MOST, at));
    TRY(take_numbers(c->number.share, OWN_STEPS, json, "shares", 0.0, at));
    c->n = OWN_OF_NUMBER + (c->blank > 0.0);
    return take_number(&c->number.scale, json, "scale", 0.0, at);
}

static int take_columns(struct regret_model *m, const cJSON *json, struct regret_place at)
{
    const cJSON *columns = NULL, *column = NULL;
    if (!cJSON_HasObjectItem(json, "columns")) {
        return REGRET_OK;
    }
    TRY(regret_json_get_array(&columns, json, "columns", at));
    size_t n = (size_t)cJSON_GetArraySize(columns);
    TRY(n <= REGRET_POOL_MAX_COLUMNS ? REGRET_OK : unusable("it has too many columns"));
    TRY(REGRET_NEW(&m->columns.item, n));
    cJSON_ArrayForEach(column, columns)
    {
        struct model_column *c = &m->columns.item[m->columns.n++];
        TRY(take_column(c, column, at));
        c->first = m->columns.features;
        m->columns.features += c->n;
    }
    return m->columns.features <= m->n_buckets
               ? REGRET_OK
               : unusable("its columns have more words and steps than it has rows");
}

static int take_told(struct regret_model *m, const cJSON *json, struct regret_place at)
{
    size_t told = 0;
    TRY(take_count(&told, json, "told", 1.0, at));
    m->told = (int)told;
    return REGRET_OK;
}

static int take_text(struct regret_model *m, const cJSON *json, struct regret_place at)
{
    TRY(take_string(&m->pool, json, "pool", at));
    TRY(take_string(&m->pool_digest, json, "pool_digest", at));
    TRY(take_string(&m->settings, json, "settings", at));
    TRY(cJSON_HasObjectItem(json, "told") ? take_told(m, json, at) : REGRET_OK);
    TRY(take_strings(m->agent, m->n_agents, json, "agents", MOST_NAME, at));
    TRY(take_strings(m->tag, m->n_tags, json, "tags", REGRET_POOL_MAX_ID, at));
    TRY(take_answered(m, json, at));
    TRY(take_columns(m, json, at));
    TRY(take_number(&m->tag_mean, json, "tag_mean", 0.0, at));
    TRY(take_layer(&m->contrast, json, "contrasts", at));
    TRY(take_layer(&m->common, json, "common", at));
    TRY(take_numbers(m->own, m->n_agents, json, "own", 0.0, at));
    TRY(take_numbers(m->own_margin, m->n_agents, json, "own_margin", 0.0, at));
    TRY(take_number(&m->common_own, json, "common_own", 0.0, at));
    TRY(take_number(&m->value_factor, json, "value_factor", 0.0, at));
    TRY(take_number(&m->margin_factor, json, "margin_factor", 0.0, at));
    return take_facts(m, json, at);
}

/* ---- the numbers ---- */

static int take_rows(struct regret_model *m, const char *from)
{
    size_t n = model_rows(m) * m->width;
    memcpy(m->row, from, n * sizeof *m->row);
    memcpy(m->bucket, from + n * sizeof *m->row, m->n_buckets * sizeof *m->bucket);
    for (size_t i = 0; i < n; i++) {
        if (!(fabs(m->row[i]) <= MOST)) {
            return unusable("it holds a number that is not finite, or out of range");
        }
    }
    for (size_t b = 0; b < m->n_buckets; b++) {
        size_t words = model_word_buckets(m), own = m->features.buckets + b - words;
        if (b < words
                ? m->bucket[b] >= m->features.buckets || (b > 0 && m->bucket[b - 1] >= m->bucket[b])
                : m->bucket[b] != own) {
            return unusable("its buckets are not in order");
        }
    }
    return REGRET_OK;
}

static int parse(struct regret_model **out, char *file, size_t length, const char *path)
{
    const struct regret_place at = {path, 0};
    FREED_BY(regret_model_free_at) struct regret_model *m = NULL;
    struct model_head h = {{0}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, {0}};
    FREED_BY(cJSON_Delete_at) cJSON *json = NULL;
    memcpy(&h, file, length < sizeof h ? length : sizeof h);
    TRY(check_kind(&h, length));
    TRY(check_head(&h));
    TRY(check_length(&h, length));
    TRY(check_digest(file, length, &h));
    TRY(regret_json_parse(&json, file + sizeof h, h.text, at));
    TRY(model_create(&m, h.agents, h.tags, h.buckets, h.directions_contrast, h.directions_common));
    m->features.buckets = h.hash_buckets;
    m->features.seed = h.hash_seed;
    m->max_bytes = h.max_bytes;
    TRY(take_text(m, json, at));
    TRY(take_rows(m, file + sizeof h + h.text));
    *out = m;
    m = NULL;
    return REGRET_OK;
}

int regret_model_read(struct regret_model **out, const char *path)
{
    char *file = NULL;
    size_t length = 0;
    int rc;
    TRY(regret_file_read(&file, &length, path, MOST_BYTES));
    rc = parse(out, file, length, path);
    regret_free(file);
    return rc != REGRET_OK ? regret_fail_prefix(rc, "%s", path) : rc;
}

void model_digest(uint64_t out[2], char *file, size_t length)
{
    struct model_head head;
    memcpy(&head, file, sizeof head);
    struct model_head blank = head;
    memset(blank.digest, 0, sizeof blank.digest);
    memcpy(file, &blank, sizeof blank);
    regret_hash128(out, file, length);
    memcpy(file, &head, sizeof head);
}

static void put_string(struct regret_buffer *t, const char *name, const char *value)
{
    regret_buffer_printf(t, ",\n\"%s\":", name);
    regret_buffer_json_string(t, value);
}

static void put_number(struct regret_buffer *t, const char *name, double value)
{
    regret_buffer_printf(t, ",\n\"%s\":", name);
    regret_buffer_json_number(t, value);
}

static void put_strings(struct regret_buffer *t, const char *name, char *const *value, size_t n)
{
    regret_buffer_printf(t, ",\n\"%s\":", name);
    json_strings(t, (const char *const *)value, n);
}

static void put_numbers(struct regret_buffer *t, const char *name, const double *value, size_t n)
{
    regret_buffer_printf(t, ",\n\"%s\":", name);
    json_numbers(t, value, n);
}

static void put_layer(struct regret_buffer *t, const char *name, const struct model_layer *layer)
{
    regret_buffer_printf(t, ",\n\"%s\":{\"rule\":\"%s\"", name,
                         regret_model_rule_name(layer->rule));
    put_number(t, "rho", layer->rho);
    put_number(t, "gamma", layer->gamma);
    put_number(t, "centre", layer->centre);
    if (layer->kappa > 0.0) {
        put_number(t, "kappa", layer->kappa);
    }
    put_numbers(t, "shrink", layer->shrink, layer->n);
    regret_buffer_append(t, "}");
}

/* Of every rule that was judged its regret, half-width, gain and its half-width. */
static void put_scores(struct regret_buffer *t, const struct regret_model_facts *f)
{
    regret_buffer_append(t, ",\n\"regret\":{\"contexts\":");
    regret_buffer_json_number(t, (double)f->judged);
    put_number(t, "random", f->random);
    for (int r = 0; r < REGRET_MODEL_RULES; r++) {
        const struct regret_model_score *s = &f->score[r];
        const double numbers[] = {s->regret, s->half, s->gain, s->gain_half};
        if (s->is_there) {
            put_numbers(t, regret_model_rule_name((enum regret_model_rule)r), numbers, 4);
        }
    }
    regret_buffer_append(t, "}");
}

static void put_column(struct regret_buffer *t, const struct model_column *c)
{
    regret_buffer_append(t, "\n{\"name\":");
    regret_buffer_json_string(t, c->name);
    if (c->word != NULL) {
        put_strings(t, "words", c->word, c->n);
        put_numbers(t, "shares", c->share, c->n);
    } else {
        put_number(t, "mean", c->mean);
        put_number(t, "sd", c->sd);
        put_number(t, "blank", c->blank);
        put_number(t, "least", c->least);
        put_number(t, "most", c->most);
        put_numbers(t, "cut", c->number.cut, OWN_STEPS);
        put_numbers(t, "shares", c->number.share, OWN_STEPS);
        put_number(t, "scale", c->number.scale);
    }
    regret_buffer_append_char(t, '}');
}

static void put_text(struct regret_buffer *t, const struct regret_model *m)
{
    regret_buffer_append(t, "{\"format\":\"" MODEL_FORMAT "\"");
    put_string(t, "program", regret_version());
    put_string(t, "pool", m->pool);
    put_string(t, "pool_digest", m->pool_digest);
    put_string(t, "settings", m->settings);
    if (m->told >= 0) {
        put_number(t, "told", m->told);
    }
    put_strings(t, "agents", m->agent, m->n_agents);
    put_strings(t, "tags", m->tag, m->n_tags);
    put_strings(t, "answered", m->answered, m->n_tags);
    put_number(t, "tag_mean", m->tag_mean);
    put_layer(t, "contrasts", &m->contrast);
    put_layer(t, "common", &m->common);
    put_numbers(t, "own", m->own, m->n_agents);
    put_numbers(t, "own_margin", m->own_margin, m->n_agents);
    put_number(t, "common_own", m->common_own);
    put_number(t, "value_factor", m->value_factor);
    put_number(t, "margin_factor", m->margin_factor);
    put_number(t, "contexts", (double)m->facts.n_contexts);
    put_number(t, "pairs", (double)m->facts.n_pairs);
    put_number(t, "single", (double)m->facts.single);
    put_number(t, "error", m->facts.error);
    put_scores(t, &m->facts);
    for (size_t j = 0; j < m->columns.n; j++) {
        regret_buffer_append(t, j == 0 ? ",\n\"columns\":[" : ",");
        put_column(t, &m->columns.item[j]);
    }
    regret_buffer_append(t, m->columns.n > 0 ? "]}\n" : "}\n");
    while (t->length % 8 != 0) {
        regret_buffer_append_char(t, ' ');
    }
}

static void put_head(struct model_head *head, const struct regret_model *m, size_t text)
{
    *head = (struct model_head){.magic = MODEL_MAGIC,
                                .order = MODEL_ORDER,
                                .version = m->columns.n > 0 ? MODEL_VERSION_COLUMNS : MODEL_VERSION,
                                .text = text,
                                .agents = m->n_agents,
                                .tags = m->n_tags,
                                .buckets = m->n_buckets,
                                .directions_contrast = m->contrast.n,
                                .directions_common = m->common.n,
                                .hash_buckets = m->features.buckets,
                                .hash_seed = m->features.seed,
                                .term_frequency = 0,
                                .max_bytes = m->max_bytes};
}

int regret_model_write(const struct regret_model *m, const char *path)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer file = REGRET_BUFFER_INIT;
    struct model_head head;
    put_text(&text, m);
    put_head(&head, m, text.length);
    regret_buffer_append_n(&file, (const char *)&head, sizeof head);
    regret_buffer_append_n(&file, regret_buffer_get(&text), text.length);
    regret_buffer_append_n(&file, (const char *)m->row, model_rows(m) * m->width * sizeof *m->row);
    regret_buffer_append_n(&file, (const char *)m->bucket, m->n_buckets * sizeof *m->bucket);
    regret_buffer_free_into(&file, &text);
    TRY(regret_buffer_status(&file));
    model_digest(head.digest, file.data, file.length);
    memcpy(file.data, &head, sizeof head);
    return regret_file_write(path, file.data, file.length);
}
