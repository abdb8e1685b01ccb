/* Models in files. */
#include <cJSON.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/buffer.h"
#include "base/json.h"
#include "base/names.h"
#include "base/status.h"
#include "model/internal.h"
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

/* An object of the text that is written, or read: what is in it stands here once for both. */
struct model_text {
    struct regret_buffer *out; /* NULL: it is read */
    const cJSON *in;
    struct regret_place at;
};

/* Begins a member that is written. */
static void put_key(const struct model_text *t, const char *name)
{
    int is_first = t->out->length > 0 && t->out->data[t->out->length - 1] == '{';
    regret_buffer_append(t->out, is_first ? "" : ",\n");
    regret_buffer_json_string(t->out, name);
    regret_buffer_append_char(t->out, ':');
}

/* Whether a member that may be missing is there. */
static int has(const struct model_text *t, const char *name, int is_told)
{
    return t->out != NULL ? is_told : cJSON_HasObjectItem(t->in, name);
}

static int open_object(struct model_text *object, const struct model_text *t, const char *name)
{
    *object = *t;
    if (t->out == NULL) {
        return regret_json_get_object(&object->in, t->in, name, t->at);
    }
    put_key(t, name);
    regret_buffer_append_char(t->out, '{');
    return REGRET_OK;
}

/* Of what is read nothing. */
static void append(const struct model_text *t, const char *text)
{
    if (t->out != NULL) {
        regret_buffer_append(t->out, text);
    }
}

static int any_number(const struct model_text *t, const char *name, double *value)
{
    if (t->out == NULL) {
        return regret_json_get_number(value, t->in, name, t->at);
    }
    put_key(t, name);
    regret_buffer_json_number(t->out, *value);
    return REGRET_OK;
}

static int number(const struct model_text *t, const char *name, double *value, double low)
{
    TRY(any_number(t, name, value));
    return t->out != NULL || (*value >= low && *value <= MOST)
               ? REGRET_OK
               : unusable("it holds a number that is out of range");
}

static int count(const struct model_text *t, const char *name, size_t *value, size_t most)
{
    double told = (double)*value;
    long long read = 0;
    if (t->out != NULL) {
        return any_number(t, name, &told);
    }
    TRY(regret_json_get_integer(&read, t->in, name, 0, (long long)most, t->at));
    *value = (size_t)read;
    return REGRET_OK;
}

static int string(const struct model_text *t, const char *name, char **value)
{
    const char *read = NULL;
    if (t->out == NULL) {
        TRY(regret_json_get_string(&read, t->in, name, t->at));
        return regret_strdup(value, read);
    }
    put_key(t, name);
    regret_buffer_json_string(t->out, *value);
    return REGRET_OK;
}

/* A list of exactly n items, what they are being the caller's to check. */
static int take_list(const cJSON **first, const struct model_text *t, const char *name, size_t n)
{
    const cJSON *array = NULL;
    TRY(regret_json_get_array(&array, t->in, name, t->at));
    *first = array->child;
    return (size_t)cJSON_GetArraySize(array) == n
               ? REGRET_OK
               : unusable("a list of it is too long or too short");
}

static int numbers(const struct model_text *t, const char *name, double *value, size_t n,
                   double low)
{
    const cJSON *item = NULL;
    if (t->out != NULL) {
        put_key(t, name);
        json_numbers(t->out, value, n);
        return REGRET_OK;
    }
    TRY(take_list(&item, t, name, n));
    for (size_t i = 0; i < n; i++, item = item->next) {
        if (!cJSON_IsNumber(item) || !(item->valuedouble >= low) || item->valuedouble > MOST) {
            return unusable("a list of it holds what is no number, or out of range");
        }
        value[i] = item->valuedouble;
    }
    return REGRET_OK;
}

static int strings(const struct model_text *t, const char *name, char **value, size_t n,
                   size_t longest)
{
    const cJSON *item = NULL;
    if (t->out != NULL) {
        put_key(t, name);
        json_strings(t->out, (const char *const *)value, n);
        return REGRET_OK;
    }
    TRY(take_list(&item, t, name, n));
    for (size_t i = 0; i < n; i++, item = item->next) {
        if (!cJSON_IsString(item) || strlen(item->valuestring) > longest) {
            return unusable("a list of it holds what is no name");
        }
        TRY(regret_strdup(&value[i], item->valuestring));
    }
    return REGRET_OK;
}

static int rule(const struct model_text *t, enum regret_model_rule *value)
{
    const char *name = NULL;
    int r = 0;
    if (t->out != NULL) {
        put_key(t, "rule");
        regret_buffer_json_string(t->out, regret_model_rule_name(*value));
        return REGRET_OK;
    }
    TRY(regret_json_get_string(&name, t->in, "rule", t->at));
    while (r < REGRET_MODEL_RULES &&
           strcmp(name, regret_model_rule_name((enum regret_model_rule)r)) != 0) {
        r++;
    }
    *value = (enum regret_model_rule)r;
    return r < REGRET_MODEL_RULES ? REGRET_OK
                                  : unusable("it goes by a rule that this program does not know");
}

static int layer(const struct model_text *text, const char *name, struct model_layer *l)
{
    struct model_text t;
    TRY(open_object(&t, text, name));
    TRY(rule(&t, &l->rule));
    TRY(number(&t, "rho", &l->rho, 1e-12));
    TRY(number(&t, "gamma", &l->gamma, 0.0));
    TRY(number(&t, "centre", &l->centre, 0.0));
    TRY(has(&t, "kappa", l->kappa > 0.0) ? number(&t, "kappa", &l->kappa, 0.0) : REGRET_OK);
    TRY(numbers(&t, "shrink", l->shrink, l->n, 0.0));
    append(&t, "}");
    return REGRET_OK;
}

/* Of every rule that was judged its regret, half-width, gain and its half-width. */
static int scores(const struct model_text *text, struct regret_model_facts *f)
{
    struct model_text t;
    TRY(open_object(&t, text, "regret"));
    TRY(count(&t, "contexts", &f->judged, REGRET_POOL_MAX_CONTEXTS));
    TRY(number(&t, "random", &f->random, 0.0));
    for (int r = 0; r < REGRET_MODEL_RULES; r++) {
        struct regret_model_score *s = &f->score[r];
        const char *name = regret_model_rule_name((enum regret_model_rule)r);
        double of[] = {s->regret, s->half, s->gain, s->gain_half};
        s->is_there = has(&t, name, s->is_there);
        TRY(s->is_there ? numbers(&t, name, of, 4, -1.0) : REGRET_OK);
        *s = (struct regret_model_score){s->is_there, of[0], of[1], of[2], of[3]};
    }
    append(&t, "}");
    return REGRET_OK;
}

static int words(const struct model_text *t, struct model_column *c)
{
    const cJSON *list = NULL;
    if (t->out == NULL) {
        TRY(regret_json_get_array(&list, t->in, "words", t->at));
        size_t n = (size_t)cJSON_GetArraySize(list);
        TRY(n <= REGRET_MODEL_MAX_TAGS ? REGRET_OK : unusable("a column of it has too many words"));
        TRY(REGRET_NEW(&c->word, n));
        c->n = n;
        TRY(REGRET_NEW(&c->share, n));
    }
    TRY(strings(t, "words", c->word, c->n, REGRET_POOL_MAX_ID));
    return numbers(t, "shares", c->share, c->n, 0.0);
}

static int column(const struct model_text *t, struct model_column *c)
{
    TRY(string(t, "name", &c->name));
    if (has(t, "words", c->word != NULL)) {
        return words(t, c);
    }
    TRY(any_number(t, "mean", &c->mean));
    TRY(any_number(t, "sd", &c->sd));
    TRY(c->sd >= 0.0 ? REGRET_OK : unusable("a deviation of it is negative"));
    TRY(number(t, "blank", &c->blank, 0.0));
    TRY(number(t, "least", &c->least, -MOST));
    TRY(number(t, "most", &c->most, c->least));
    TRY(numbers(t, "cut", c->number.cut, OWN_STEPS, -MOST));
    TRY(numbers(t, "shares", c->number.share, OWN_STEPS, 0.0));
    c->n = OWN_OF_NUMBER + (c->blank > 0.0);
    return number(t, "scale", &c->number.scale, 0.0);
}

static int columns(const struct model_text *t, struct regret_model *m)
{
    const cJSON *list = NULL, *item = NULL;
    size_t n = m->columns.n;
    if (t->out != NULL) {
        put_key(t, "columns");
    } else {
        TRY(regret_json_get_array(&list, t->in, "columns", t->at));
        n = (size_t)cJSON_GetArraySize(list);
        TRY(n <= REGRET_POOL_MAX_COLUMNS ? REGRET_OK : unusable("it has too many columns"));
        TRY(REGRET_NEW(&m->columns.item, n));
        m->columns.n = n;
        item = list->child;
    }
    for (size_t j = 0, first = 0; j < n; j++) {
        const struct model_text of = {t->out, item, t->at};
        struct model_column *c = &m->columns.item[j];
        append(t, j == 0 ? "[\n{" : ",\n{");
        TRY(column(&of, c));
        append(t, j + 1 < n ? "}" : "}]");
        c->first = first;
        m->columns.features = first += c->n;
        item = item != NULL ? item->next : NULL;
    }
    return m->columns.features <= m->n_buckets
               ? REGRET_OK
               : unusable("its columns have more words and steps than it has rows");
}

/* What is behind the format and the program. */
static int all(const struct model_text *t, struct regret_model *m)
{
    struct regret_model_facts *f = &m->facts;
    size_t told = m->told > 0;
    TRY(string(t, "pool", &m->pool));
    TRY(string(t, "pool_digest", &m->pool_digest));
    TRY(string(t, "settings", &m->settings));
    if (has(t, "told", m->told >= 0)) {
        TRY(count(t, "told", &told, 1));
        m->told = (int)told;
    }
    TRY(strings(t, "agents", m->agent, m->n_agents, MOST_NAME));
    TRY(strings(t, "tags", m->tag, m->n_tags, REGRET_POOL_MAX_ID));
    TRY(strings(t, "answered", m->answered, m->n_tags, m->n_agents));
    TRY(number(t, "tag_mean", &m->tag_mean, 0.0));
    TRY(layer(t, "contrasts", &m->contrast));
    TRY(layer(t, "common", &m->common));
    TRY(numbers(t, "own", m->own, m->n_agents, 0.0));
    TRY(numbers(t, "own_margin", m->own_margin, m->n_agents, 0.0));
    TRY(number(t, "common_own", &m->common_own, 0.0));
    TRY(number(t, "value_factor", &m->value_factor, 0.0));
    TRY(number(t, "margin_factor", &m->margin_factor, 0.0));
    TRY(count(t, "contexts", &f->n_contexts, REGRET_POOL_MAX_CONTEXTS));
    TRY(count(t, "pairs", &f->n_pairs, REGRET_GRID_MAX_PAIRS));
    TRY(count(t, "single", &f->single, m->n_agents - 1));
    TRY(number(t, "error", &f->error, 0.0));
    TRY(f->n_contexts > 0 ? REGRET_OK : unusable("it was made of no context"));
    TRY(scores(t, f));
    return has(t, "columns", m->columns.n > 0) ? columns(t, m) : REGRET_OK;
}

static int take_text(struct regret_model *m, const cJSON *json, struct regret_place at)
{
    const struct model_text t = {NULL, json, at};
    TRY(all(&t, m));
    for (size_t i = 0; i < m->n_tags; i++) {
        if (strlen(m->answered[i]) != m->n_agents) {
            return unusable("it does not say of every agent which tags it has answered");
        }
    }
    m->facts.n_agents = m->n_agents;
    m->facts.n_tags = m->n_tags;
    m->facts.contrasts = m->contrast.rule;
    m->facts.common = m->common.rule;
    return REGRET_OK;
}

static int put_text(struct regret_buffer *out, const struct regret_model *model)
{
    const struct model_text t = {.out = out};
    struct regret_model m = *model; /* what is written stays as it is */
    regret_buffer_append(out, "{\"format\":\"" MODEL_FORMAT "\"");
    put_key(&t, "program");
    regret_buffer_json_string(out, regret_version());
    TRY(all(&t, &m));
    regret_buffer_append(out, "}\n");
    while (out->length % 8 != 0) {
        regret_buffer_append_char(out, ' ');
    }
    return REGRET_OK;
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
    FREED char *file = NULL;
    size_t length = 0;
    int rc;
    TRY(regret_file_read(&file, &length, path, MOST_BYTES));
    rc = parse(out, file, length, path);
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
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer file = REGRET_BUFFER_INIT;
    struct model_head head;
    TRY(put_text(&text, m));
    TRY(regret_buffer_status(&text));
    put_head(&head, m, text.length);
    regret_buffer_append_n(&file, (const char *)&head, sizeof head);
    regret_buffer_append_n(&file, regret_buffer_get(&text), text.length);
    regret_buffer_append_n(&file, (const char *)m->row, model_rows(m) * m->width * sizeof *m->row);
    regret_buffer_append_n(&file, (const char *)m->bucket, m->n_buckets * sizeof *m->bucket);
    TRY(regret_buffer_status(&file));
    model_digest(head.digest, file.data, file.length);
    memcpy(file.data, &head, sizeof head);
    return regret_file_write(path, file.data, file.length);
}
