#include <cJSON.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/json.h"
#include "base/status.h"
#include "model/internal.h"
#include "regret/buffer.h"
#include "regret/status.h"

FREED_POINTER(cJSON, cJSON_Delete)
FREED_POINTER(struct regret_model, regret_model_free)

static const char FORMAT[] = "regret-model-4";
enum { MOST_COLUMNS = 1 << 16, HASH_DIGITS = 16 };

/* ---------------------------------------------------------------- writing */

static void put_key(struct regret_buffer *out, const char *key)
{
    regret_buffer_printf(out, ",\n\"%s\": ", key);
}

static void put_numbers(struct regret_buffer *out, const char *key, const double *x, size_t n)
{
    put_key(out, key);
    json_numbers(out, x, n);
}

static void put_texts(struct regret_buffer *out, const char *key, char *const *x, size_t n)
{
    put_key(out, key);
    json_strings(out, (const char *const *)x, n);
}

static void put_number(struct regret_buffer *out, const char *key, double x)
{
    put_key(out, key);
    regret_buffer_json_number(out, x);
}

static void put_text(struct regret_buffer *out, const char *key, const char *x)
{
    put_key(out, key);
    regret_buffer_json_string(out, x);
}

static void put_words(struct regret_buffer *out, const struct words_map *map)
{
    put_key(out, "words");
    regret_buffer_append_char(out, '[');
    for (size_t k = 0; k < map->n_words; k++) {
        regret_buffer_printf(out, "%s[\"%016llx\",%u]", k > 0 ? "," : "",
                             (unsigned long long)map->hash[k], map->place[k]);
    }
    regret_buffer_append_char(out, ']');
    put_number(out, "word_columns", (double)map->hashed);
    const double length[2] = {map->length, map->length_sd};
    put_numbers(out, "length", length, map->has_length ? 2 : 0);
}

static void put_columns(struct regret_buffer *out, const struct words_map *map)
{
    put_key(out, "columns");
    regret_buffer_append_char(out, '[');
    for (size_t j = 0; j < map->n_own; j++) {
        const struct own_column *c = &map->own[j];
        regret_buffer_append(out, j > 0 ? ",\n{\"name\": " : "{\"name\": ");
        regret_buffer_json_string(out, c->name);
        if (c->word != NULL) {
            put_texts(out, "is", c->word, c->n);
            put_numbers(out, "share", c->share, c->n);
        } else {
            const double of[5] = {c->mean, c->sd, isfinite(c->least) ? c->least : 0.0,
                                  isfinite(c->most) ? c->most : 0.0, c->has_blanks};
            put_numbers(out, "number", of, 5);
        }
        regret_buffer_append_char(out, '}');
    }
    regret_buffer_append_char(out, ']');
}

int regret_model_write(const struct regret_model *m, const char *path)
{
    FREED_BY(regret_buffer_free) struct regret_buffer out = REGRET_BUFFER_INIT;
    regret_buffer_printf(&out, "{\"format\": \"%s\"", FORMAT);
    put_text(&out, "pool", m->pool);
    put_text(&out, "digest", m->digest);
    put_text(&out, "rule", rule_name(m->rule));
    put_number(&out, "told", m->told);
    put_texts(&out, "agents", m->agent, m->n_agents);
    put_number(&out, "single", (double)m->single);
    put_texts(&out, "tags", m->tag, m->n_tags);
    put_key(&out, "stratum_of_tag");
    for (size_t g = 0; g < m->n_tags; g++) {
        regret_buffer_printf(&out, "%s%u", g == 0 ? "[" : ",", m->stratum[g]);
    }
    regret_buffer_append(&out, m->n_tags == 0 ? "[]" : "]");
    put_key(&out, "answered");
    for (size_t g = 0; g < m->n_tags; g++) {
        regret_buffer_append(&out, g == 0 ? "[\"" : ",\"");
        for (size_t a = 0; a < m->n_agents; a++) {
            regret_buffer_append_char(&out, m->answered[g * m->n_agents + a] ? '1' : '0');
        }
        regret_buffer_append_char(&out, '"');
    }
    regret_buffer_append(&out, m->n_tags == 0 ? "[]" : "]");
    put_key(&out, "may_be_chosen");
    regret_buffer_append_char(&out, '"');
    for (size_t a = 0; a < m->n_agents; a++) {
        regret_buffer_append_char(&out, m->may[a] ? '1' : '0');
    }
    regret_buffer_append_char(&out, '"');
    put_numbers(&out, "level", m->level, m->n_strata + 1);
    put_numbers(&out, "surface", m->surface, (m->n_strata + 1) * m->n_agents);
    const double error[2] = {m->low, m->high};
    put_numbers(&out, "error", error, 2);
    put_words(&out, &m->map);
    put_columns(&out, &m->map);
    put_numbers(&out, "weight", m->weight, m->map.d * (m->n_agents + 1));
    regret_buffer_append(&out, "}\n");
    TRY(regret_buffer_status(&out));
    return regret_file_write(path, regret_buffer_get(&out), out.length);
}

/* ---------------------------------------------------------------- reading */

/* Where a file is wrong. */
struct reading {
    const cJSON *root;
    struct regret_place at;
};

static int wrong(const struct reading *r, const char *key)
{
    return regret_json_error(r->at,
                             "\"%s\" is not what a model of new requests has there; make it anew "
                             "with regret recommend DATA --save-model PATH",
                             key);
}

/* An array of exactly n finite numbers; of any number where *n is SIZE_MAX. */
static int get_numbers(double **out, size_t *n, const struct reading *r, const char *key)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(r->root, key);
    size_t i = 0, length = (size_t)cJSON_GetArraySize(list);
    if (!cJSON_IsArray(list) || (*n != SIZE_MAX && *n != length)) {
        return wrong(r, key);
    }
    TRY(REGRET_NEW(out, length));
    for (const cJSON *v = list->child; v != NULL; v = v->next) {
        if (!cJSON_IsNumber(v) || !isfinite(v->valuedouble)) {
            return wrong(r, key);
        }
        (*out)[i++] = v->valuedouble;
    }
    *n = length;
    return REGRET_OK;
}

/* So many that are at hand. */
static int get_fixed(double *out, size_t n, const struct reading *r, const char *key)
{
    FREED double *x = NULL;
    TRY(get_numbers(&x, &n, r, key));
    for (size_t i = 0; x != NULL && i < n; i++) {
        out[i] = x[i];
    }
    return REGRET_OK;
}

static int get_texts(char ***out, size_t *n, const struct reading *r, const char *key)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(r->root, key);
    *n = 0;
    if (!cJSON_IsArray(list)) {
        return wrong(r, key);
    }
    TRY(REGRET_NEW(out, (size_t)cJSON_GetArraySize(list)));
    for (const cJSON *v = list->child; v != NULL; v = v->next) {
        if (!cJSON_IsString(v)) {
            return wrong(r, key);
        }
        TRY(regret_strdup(&(*out)[*n], v->valuestring));
        (*n)++;
    }
    return REGRET_OK;
}

static int get_text(char **out, const struct reading *r, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(r->root, key));
    return text != NULL ? regret_strdup(out, text) : wrong(r, key);
}

/* A whole number below `end`. */
static int get_whole(size_t *out, const struct reading *r, const char *key, size_t end)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(r->root, key);
    if (!cJSON_IsNumber(v) || !(v->valuedouble >= 0.0 && v->valuedouble < (double)end) ||
        floor(v->valuedouble) < v->valuedouble) {
        return wrong(r, key);
    }
    *out = (size_t)v->valuedouble;
    return REGRET_OK;
}

/* "0110" of n agents. */
static int get_flags(unsigned char *out, size_t n, const char *text)
{
    for (size_t a = 0; text != NULL && a < n; a++) {
        if (text[a] != '0' && text[a] != '1') {
            return 0;
        }
        out[a] = text[a] == '1';
    }
    return text != NULL && text[n] == '\0';
}

static int read_tags(struct regret_model *m, const struct reading *r)
{
    const cJSON *answered = cJSON_GetObjectItemCaseSensitive(r->root, "answered");
    FREED double *stratum = NULL;
    size_t n, g = 0;
    TRY(get_texts(&m->tag, &m->n_tags, r, "tags"));
    n = m->n_tags;
    TRY(get_numbers(&stratum, &n, r, "stratum_of_tag"));
    TRY(REGRET_NEW(&m->stratum, n));
    TRY(REGRET_NEW(&m->answered, n * m->n_agents));
    for (size_t i = 0; stratum != NULL && i < n; i++) {
        if (!(stratum[i] >= 0.0 && stratum[i] < (double)m->n_strata)) {
            return wrong(r, "stratum_of_tag");
        }
        m->stratum[i] = (uint32_t)stratum[i];
    }
    for (const cJSON *v = answered != NULL ? answered->child : NULL; v != NULL; v = v->next, g++) {
        if (g >= n ||
            !get_flags(m->answered + g * m->n_agents, m->n_agents, cJSON_GetStringValue(v))) {
            return wrong(r, "answered");
        }
    }
    return g == n ? REGRET_OK : wrong(r, "answered");
}

static int read_word(struct words_map *map, const cJSON *word)
{
    const char *hash = cJSON_GetStringValue(cJSON_GetArrayItem(word, 0));
    const cJSON *place = cJSON_GetArrayItem(word, 1);
    char *end = NULL;
    size_t k = map->n_words;
    if (hash == NULL || strlen(hash) != HASH_DIGITS || !cJSON_IsNumber(place) ||
        !(place->valuedouble >= 0.0 && place->valuedouble < (double)map->hashed)) {
        return 0;
    }
    map->hash[k] = strtoull(hash, &end, 16);
    map->place[k] = (uint32_t)place->valuedouble;
    map->n_words++;
    return *end == '\0' && (k == 0 || map->hash[k - 1] < map->hash[k]);
}

static int read_words(struct words_map *map, const struct reading *r)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(r->root, "words");
    FREED double *length = NULL;
    size_t n = (size_t)cJSON_GetArraySize(list), n_length = SIZE_MAX;
    TRY(cJSON_IsArray(list) ? REGRET_OK : wrong(r, "words"));
    TRY(get_whole(&map->hashed, r, "word_columns", MOST_COLUMNS));
    TRY(REGRET_NEW(&map->hash, n));
    TRY(REGRET_NEW(&map->place, n));
    for (const cJSON *v = list->child; v != NULL; v = v->next) {
        TRY(read_word(map, v) ? REGRET_OK : wrong(r, "words"));
    }
    TRY(get_numbers(&length, &n_length, r, "length"));
    TRY(n_length == 0 || n_length == 2 ? REGRET_OK : wrong(r, "length"));
    map->has_length = n_length == 2;
    map->length = map->has_length ? length[0] : 0.0;
    map->length_sd = map->has_length ? length[1] : 0.0;
    map->d = map->hashed + (size_t)map->has_length;
    return REGRET_OK;
}

static int read_column(struct words_map *map, const struct reading *r)
{
    struct own_column *c = &map->own[map->n_own++];
    double number[5] = {0.0};
    size_t n;
    c->first = map->d;
    TRY(get_text(&c->name, r, "name"));
    if (cJSON_HasObjectItem(r->root, "number")) {
        TRY(get_fixed(number, 5, r, "number"));
        c->mean = number[0];
        c->sd = number[1];
        c->least = number[2];
        c->most = number[3];
        c->has_blanks = number[4] > 0.0;
        c->n = 1;
    } else {
        TRY(get_texts(&c->word, &c->n, r, "is"));
        n = c->n;
        TRY(get_numbers(&c->share, &n, r, "share"));
    }
    map->d += c->n;
    return map->d <= MOST_COLUMNS ? REGRET_OK : wrong(r, "columns");
}

static int read_columns(struct words_map *map, const struct reading *r)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(r->root, "columns");
    size_t n = (size_t)cJSON_GetArraySize(list);
    TRY(cJSON_IsArray(list) && n <= REGRET_POOL_MAX_COLUMNS ? REGRET_OK : wrong(r, "columns"));
    TRY(REGRET_NEW(&map->own, n));
    for (const cJSON *v = list->child; v != NULL; v = v->next) {
        TRY(read_column(map, &(struct reading){v, r->at}));
    }
    return REGRET_OK;
}

static int read_rule(struct regret_model *m, const struct reading *r)
{
    const char *rule = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(r->root, "rule"));
    size_t told = 0;
    m->rule = RULE_ONE;
    while (m->rule < N_RULES && (rule == NULL || strcmp(rule_name(m->rule), rule) != 0)) {
        m->rule++;
    }
    TRY(m->rule < N_RULES ? REGRET_OK : wrong(r, "rule"));
    TRY(get_whole(&told, r, "told", 2));
    m->told = (int)told;
    return get_whole(&m->single, r, "single", m->n_agents);
}

static int read_all(struct regret_model *m, const struct reading *r)
{
    double error[2] = {0.0};
    size_t n = SIZE_MAX;
    TRY(get_texts(&m->agent, &m->n_agents, r, "agents"));
    TRY(m->n_agents > 0 ? REGRET_OK : wrong(r, "agents"));
    TRY(read_rule(m, r));
    TRY(get_numbers(&m->level, &n, r, "level"));
    TRY(n > 1 ? REGRET_OK : wrong(r, "level"));
    m->n_strata = n - 1;
    n *= m->n_agents;
    TRY(get_numbers(&m->surface, &n, r, "surface"));
    TRY(read_tags(m, r));
    TRY(REGRET_NEW(&m->may, m->n_agents));
    TRY(get_flags(m->may, m->n_agents,
                  cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(r->root, "may_be_chosen")))
            ? REGRET_OK
            : wrong(r, "may_be_chosen"));
    TRY(get_fixed(error, 2, r, "error"));
    m->low = error[0];
    m->high = error[1];
    TRY(read_words(&m->map, r));
    TRY(read_columns(&m->map, r));
    n = m->map.d * (m->n_agents + 1);
    TRY(get_numbers(&m->weight, &n, r, "weight"));
    TRY(get_text(&m->pool, r, "pool"));
    return get_text(&m->digest, r, "digest");
}

int regret_model_read(struct regret_model **out, const char *path)
{
    FREED_BY(cJSON_Delete_at) cJSON *root = NULL;
    FREED_BY(regret_model_free_at) struct regret_model *m = NULL;
    TRY(regret_json_read_file(&root, path));
    const struct reading r = {root, {path, 0}};
    const char *format = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "format"));
    if (format == NULL || strcmp(format, FORMAT) != 0) {
        return wrong(&r, "format");
    }
    TRY(REGRET_NEW(&m, 1));
    TRY(read_all(m, &r));
    *out = m;
    m = NULL;
    return REGRET_OK;
}
