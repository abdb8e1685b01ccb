/* Rows of rewrites: each is read, or refused with the words, as by a naive reader that makes a tree of
 * it; keeping the texts changes no row, label, score or issue; estimates are finite or missing. The file
 * is read, or its lines are compared: which one the hash of the input says. One in 16, and each seed, goes
 * through both and is read with its texts, too. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cJSON.h>

#include "base/json.h"
#include "rate/row.h"
#include "regret/rate.h"
#include "regret/status.h"
#include "support.h"

/* ---- A row read the plain way, through a tree of the whole of it: messages and all. ---- */

struct naive_row {
    const char *z_field;
    struct regret_rate_row row;
    cJSON *tree;                           /* what the row borrows from; owned */
    char id[32], rewriter[32], repeat[32]; /* such that are given as numbers */
};

static struct regret_span span_of(const char *text)
{
    return (struct regret_span){text, text != NULL ? strlen(text) : 0};
}

/* Absent, null, or what repair() makes of NaN. */
static int naive_is_nothing(const cJSON *v)
{
    return v == NULL || cJSON_IsNull(v) || (cJSON_IsArray(v) && v->child == NULL);
}

static enum regret_rate_label naive_label_of_word(const char *word)
{
    return strcasecmp(word, "true") == 0    ? REGRET_LABEL_1
           : strcasecmp(word, "false") == 0 ? REGRET_LABEL_0
                                            : REGRET_LABEL_NOT_BOOLEAN;
}

static enum regret_rate_label naive_label_of_number(double value)
{
    return value == 1.0 ? REGRET_LABEL_1 : value == 0.0 ? REGRET_LABEL_0 : REGRET_LABEL_NOT_BOOLEAN;
}

static int naive_side_of_key(const char *key)
{
    return strcmp(key, "original") == 0  ? REGRET_SIDE_ORIGINAL
           : strcmp(key, "rewrite") == 0 ? REGRET_SIDE_REWRITE
           : strcmp(key, "rewrite_of_rewrite") == 0 || strcmp(key, "rewritten rewrite") == 0
               ? REGRET_SIDE_REWRITE_OF_REWRITE
               : -1;
}

static enum regret_rate_label label_of(const cJSON *v)
{
    return naive_is_nothing(v) ? REGRET_LABEL_MISSING
           : cJSON_IsTrue(v)   ? REGRET_LABEL_1
           : cJSON_IsFalse(v)  ? REGRET_LABEL_0
           : cJSON_IsNumber(v) ? naive_label_of_number(v->valuedouble)
           : cJSON_IsString(v) ? naive_label_of_word(v->valuestring)
                               : REGRET_LABEL_NOT_BOOLEAN;
}

/* A string, or nothing. */
static int parse_name(struct regret_span *out, const cJSON *object, const char *field,
                      struct regret_place at)
{
    const char *text = NULL;
    int rc = naive_is_nothing(cJSON_GetObjectItemCaseSensitive(object, field))
                 ? REGRET_OK
                 : regret_json_get_string(&text, object, field, at);
    *out = span_of(text);
    return rc;
}

static int parse_id(struct regret_span *out, char number[32], const cJSON *object,
                    const char *field, struct regret_place at)
{
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(object, field);
    if (naive_is_nothing(id)) {
        return REGRET_OK;
    }
    if (cJSON_IsString(id)) {
        *out = span_of(id->valuestring);
        return REGRET_OK;
    }
    if (!cJSON_IsNumber(id) || id->valuedouble != floor(id->valuedouble)) {
        return regret_json_error(at,
                                 "\"%s\" must be a string or a whole number; leave it out where "
                                 "there is none",
                                 field);
    }
    snprintf(number, 32, "%.17g", id->valuedouble);
    *out = span_of(number);
    return REGRET_OK;
}

/* Fills `scores` from one model's object (or nothing); *known has bit s when slot s was named. */
static int parse_model(struct regret_rate_scores *scores, unsigned *known, const cJSON *model,
                       struct regret_place at)
{
    *known = 0;
    scores->doubtful = 0;
    scores->bad = 0;
    scores->unknown = (struct regret_span){NULL, 0};
    scores->value[0] = scores->value[1] = scores->value[2] = NAN;
    for (const cJSON *v = model->child; v != NULL; v = v->next) {
        int slot = scores->contrastive ? (strcmp(v->string, "single") == 0   ? 0
                                          : strcmp(v->string, "double") == 0 ? 1
                                                                             : -1)
                                       : naive_side_of_key(v->string);
        if (slot < 0) {
            scores->unknown = scores->unknown.text != NULL ? scores->unknown : span_of(v->string);
            continue;
        }
        if ((*known & 1U << slot) != 0) {
            return regret_json_error(at,
                                     "\"%s\" has both \"rewrite_of_rewrite\" and \"rewritten "
                                     "rewrite\"; keep one",
                                     scores->model.text);
        }
        *known |= 1U << slot;
        if (cJSON_IsNumber(v)) {
            scores->value[slot] = v->valuedouble;
        } else if (!cJSON_IsNull(v)) {
            scores->bad |= 1U << slot;
        }
    }
    return REGRET_OK;
}

/* `authors`: among other objects, of which only those that look like it are reward models. */
static int add_model(struct regret_rate_row *row, const cJSON *model, int contrastive, int authors,
                     struct regret_place at)
{
    if (row->n_scores == REGRET_RATE_MAX_MODELS) {
        return regret_json_error(at,
                                 "more than %d reward models in one row; split the file by model",
                                 REGRET_RATE_MAX_MODELS);
    }
    struct regret_rate_scores *scores = &row->scores[row->n_scores];
    unsigned known = 0;
    scores->model = span_of(model->string);
    scores->contrastive = contrastive;
    int rc = parse_model(scores, &known, model, at);
    scores->doubtful =
        authors && isnan(scores->value[0]) && isnan(scores->value[1]) && isnan(scores->value[2]);
    row->n_scores += rc == REGRET_OK && (!authors || known != 0);
    return rc;
}

static int parse_models(struct regret_rate_row *row, const cJSON *object, const char *field,
                        struct regret_place at)
{
    if (naive_is_nothing(cJSON_GetObjectItemCaseSensitive(object, field))) {
        return REGRET_OK;
    }
    const cJSON *models = NULL;
    int rc = regret_json_get_object(&models, object, field, at);
    const cJSON *v = rc == REGRET_OK ? models->child : NULL;
    for (; v != NULL && rc == REGRET_OK; v = v->next) {
        if (!cJSON_IsObject(v) && !naive_is_nothing(v)) {
            return regret_json_error(
                at,
                "\"%s\" of \"%s\" must be an object such as {\"original\": 0.5, "
                "…}",
                v->string, field);
        }
        rc = add_model(row, v, strcmp(field, "contrasts") == 0, 0, at);
    }
    return rc;
}

static int parse_authors_models(struct naive_row *reader, const cJSON *object,
                                struct regret_place at)
{
    int rc = REGRET_OK;
    for (const cJSON *v = object->child; v != NULL && rc == REGRET_OK; v = v->next) {
        if (cJSON_IsObject(v) && strcmp(v->string, "completions") != 0 &&
            strcmp(v->string, reader->z_field) != 0) {
            rc = add_model(&reader->row, v, 0, 1, at);
        }
    }
    return rc;
}

static int parse_completions(struct regret_rate_row *row, const cJSON *object,
                             struct regret_place at)
{
    const cJSON *texts = cJSON_GetObjectItemCaseSensitive(object, "completions");
    if (naive_is_nothing(texts)) {
        return REGRET_OK;
    }
    if (!cJSON_IsObject(texts)) {
        return regret_json_error(at, "\"completions\" must be an object of texts");
    }
    for (const cJSON *v = texts->child; v != NULL; v = v->next) {
        int side = naive_side_of_key(v->string);
        if (side >= 0 && cJSON_IsString(v)) {
            row->completion[side] = span_of(v->valuestring);
        }
    }
    return REGRET_OK;
}

/* Scores and texts of one model that stand in the row itself; whether they count, which they do where it has no other. */
static int parse_bare(struct regret_rate_row *row, const cJSON *object, struct regret_place at)
{
    struct regret_rate_scores scores = {.value = {NAN, NAN, NAN}};
    int is_perturbed = 0, n = 0;
    for (const cJSON *v = object->child; v != NULL; v = v->next) {
        struct bare_name name = bare_name_of(span_of(v->string));
        if (strcmp(v->string, "completions") == 0) { /* the later of two texts counts */
            (void)parse_completions(row, object, at);
        } else if (name.side >= 0 && name.is_text && cJSON_IsString(v)) {
            row->completion[name.side] = span_of(v->valuestring);
        } else if (name.side >= 0 && !name.is_text && cJSON_IsNumber(v)) {
            scores.value[name.side] = v->valuedouble;
            is_perturbed |= name.is_perturbed;
            n++;
        }
    }
    if (row->n_scores > 0 || n == 0) {
        return 0;
    }
    row->scores[0] = scores;
    row->n_scores = 1;
    row->w = is_perturbed && row->w == REGRET_LABEL_MISSING ? REGRET_LABEL_0 : row->w;
    return 1;
}

static int parse_object(struct naive_row *reader, const cJSON *object, struct regret_place at)
{
    struct regret_rate_row *row = &reader->row;
    const cJSON *w = cJSON_GetObjectItemCaseSensitive(object, "w");
    const cJSON *w_original = cJSON_GetObjectItemCaseSensitive(object, "w_original");
    int ours = w != NULL || cJSON_GetObjectItemCaseSensitive(object, "scores") != NULL ||
               cJSON_GetObjectItemCaseSensitive(object, "contrasts") != NULL;
    if (ours && w_original != NULL) {
        return regret_json_error(at, "\"w_original\" beside \"w\" or \"scores\" mixes two layouts; "
                                     "keep one");
    }
    row->w = label_of(ours ? w : w_original);
    row->z = label_of(cJSON_GetObjectItemCaseSensitive(object, reader->z_field));
    int rc = parse_id(&row->id, reader->id, object, "id", at);
    rc = rc ? rc : parse_name(&row->dataset, object, "dataset", at);
    rc = rc ? rc : parse_name(&row->attribute, object, "attribute", at);
    rc = rc ? rc : parse_id(&row->rewriter, reader->rewriter, object, "rewriter", at);
    rc = rc ? rc : parse_id(&row->repeat, reader->repeat, object, "repeat", at);
    rc = rc ? rc : parse_completions(row, object, at);
    rc = rc ? rc : parse_models(row, object, "scores", at);
    rc = rc ? rc : parse_models(row, object, "contrasts", at);
    if (rc == REGRET_OK && !ours) {
        rc = parse_authors_models(reader, object, at);
    }
    ours |= rc == REGRET_OK && parse_bare(row, object, at);
    for (const cJSON *v = object->child; v != NULL; v = v->next) {
        int is_prompt = strcmp(v->string, "prompt") == 0 || strcmp(v->string, "query") == 0;
        int is_it = ours ? is_prompt : strcmp(v->string, "reward_question") == 0;
        row->prompt = is_it && cJSON_IsString(v) ? span_of(v->valuestring) : row->prompt;
    }
    return rc;
}

/* In place: NaN and Infinity become an empty array, which says nothing but is not null either, and
 * escapes for no character U+FFFD. The text is known to be JSON as importers read it. */
static void repair(char *text)
{
    static const char *const words[] = {"NaN", "-Infinity", "Infinity"};
    int in_string = 0;
    for (char *p = text; *p != '\0'; p++) {
        unsigned unit = 0, low = 0;
        if (in_string && p[0] == '\\' && p[1] == 'u') {
            sscanf(p + 2, "%4x", &unit);
            int is_pair = unit >= 0xD800 && unit < 0xDC00 && p[6] == '\\' && p[7] == 'u' &&
                          sscanf(p + 8, "%4x", &low) == 1 && low >= 0xDC00 && low < 0xE000;
            if (unit == 0 || (unit >= 0xD800 && unit < 0xE000 && !is_pair)) {
                memcpy(p + 2, "fffd", 4);
            }
            p += is_pair ? 11 : 5;
        } else if (in_string && p[0] == '\\') {
            p++;
        } else if (*p == '"') {
            in_string = !in_string;
        }
        for (int i = 0; i < 3 && !in_string; i++) {
            size_t n = strlen(words[i]);
            if (strncmp(p, words[i], n) == 0) {
                memset(p, ' ', n);
                memcpy(p, "[]", 2);
            }
        }
    }
}

static void naive_row_free(struct naive_row *reader);

static int naive_row_read(struct naive_row *reader, const char *line, size_t length,
                          struct regret_place at)
{
    char *copy = NULL;
    naive_row_free(reader);
    memset(&reader->row, 0, sizeof reader->row);
    reader->row.w = reader->row.z = REGRET_LABEL_MISSING;
    int rc = regret_json_parse_mode(&reader->tree, line, length, at, REGRET_JSON_IMPORT);
    rc = rc ? rc : regret_strndup(&copy, line, length);
    if (rc != REGRET_OK) {
        return rc;
    }
    repair(copy);
    cJSON_Delete(reader->tree);
    reader->tree = cJSON_Parse(copy);
    regret_free(copy);
    return cJSON_IsObject(reader->tree) ? parse_object(reader, reader->tree, at)
                                        : regret_json_error(at, "a row must be a JSON object");
}

static void naive_row_free(struct naive_row *reader)
{
    cJSON_Delete(reader->tree);
    reader->tree = NULL;
}

/* ---- What must hold. ---- */

static char message[1024];

static struct regret_rate_rows *read_rows(const char *path, int keep_texts)
{
    const struct regret_rate_read_options options = {.keep_texts = keep_texts};
    struct regret_rate_rows *rows = NULL;
    int taken = fuzz_taken(regret_rate_read(&rows, &path, 1, &options));
    REQUIRE(taken == (rows != NULL));
    if (taken) {
        REQUIRE(rows->n_rows > 0 && rows->n_models <= REGRET_RATE_MAX_MODELS);
        REQUIRE(regret_rate_rows_finish(rows) == 0);
    }
    return rows;
}

static void same_issues(const struct regret_rate_rows *a, const struct regret_rate_rows *b)
{
    for (size_t i = 0; i < REGRET_RATE_N_ISSUES; i++) {
        size_t n = a->issues[i].count;
        REQUIRE(n == b->issues[i].count);
        for (size_t k = 0; k < n && k < REGRET_RATE_ISSUE_EXAMPLES; k++) {
            REQUIRE(a->issues[i].examples[k].line == b->issues[i].examples[k].line);
            REQUIRE(a->issues[i].examples[k].model == b->issues[i].examples[k].model);
        }
    }
}

static void same_models(const struct regret_rate_rows *a, const struct regret_rate_rows *b)
{
    for (size_t m = 0; m < a->n_models; m++) {
        const struct regret_rate_model *x = &a->models[m], *y = &b->models[m];
        REQUIRE(strcmp(x->name, y->name) == 0 && x->contrastive == y->contrastive);
        for (size_t s = 0; s < REGRET_N_SIDES; s++) {
            for (size_t i = 0; i < a->n_rows; i++) {
                REQUIRE(fuzz_same_number(x->score[s][i], y->score[s][i]));
                REQUIRE(!isinf(x->score[s][i]));
            }
        }
    }
}

static void same_rows(const struct regret_rate_rows *a, const struct regret_rate_rows *b)
{
    REQUIRE(a->n_rows == b->n_rows && a->n_groups == b->n_groups && a->n_models == b->n_models);
    for (size_t g = 0; g < a->n_groups; g++) {
        REQUIRE(strcmp(a->groups[g].dataset, b->groups[g].dataset) == 0);
        REQUIRE(strcmp(a->groups[g].attribute, b->groups[g].attribute) == 0);
    }
    for (size_t i = 0; i < a->n_rows; i++) {
        REQUIRE(a->w[i] == b->w[i] && a->z[i] == b->z[i]);
        REQUIRE(a->line[i] == b->line[i] && a->group[i] == b->group[i]);
    }
    same_issues(a, b);
    same_models(a, b);
}

static int same_span(struct regret_span a, struct regret_span b)
{
    return (a.text == NULL) == (b.text == NULL) &&
           (a.text == NULL || (a.length == b.length && memcmp(a.text, b.text, a.length) == 0));
}

/* An id that is a number is its text, of which the naive reader has but the value. */
static int same_name(struct regret_span a, struct regret_span b)
{
    char one[80] = "", other[80] = "", *end = one;
    if (same_span(a, b) || a.text == NULL || b.text == NULL || a.length > 79 || b.length > 79) {
        return same_span(a, b);
    }
    memcpy(one, a.text, a.length);
    memcpy(other, b.text, b.length);
    return strtod(one, &end) == strtod(other, NULL) && end == one + a.length;
}

static void same_scores(const struct regret_rate_scores *a, const struct regret_rate_scores *b)
{
    REQUIRE(same_span(a->model, b->model) && a->contrastive == b->contrastive);
    REQUIRE(a->bad == b->bad && a->doubtful == b->doubtful);
    REQUIRE(same_span(a->unknown, b->unknown));
    for (size_t s = 0; s < REGRET_N_SIDES; s++) {
        REQUIRE(fuzz_same_number(a->value[s], b->value[s]));
    }
}

static void same_row(const struct regret_rate_row *a, const struct regret_rate_row *b)
{
    REQUIRE(same_name(a->id, b->id) && same_span(a->dataset, b->dataset));
    REQUIRE(same_name(a->rewriter, b->rewriter) && same_name(a->repeat, b->repeat));
    REQUIRE(same_span(a->attribute, b->attribute) && same_span(a->prompt, b->prompt));
    for (size_t s = 0; s < REGRET_N_SIDES; s++) {
        REQUIRE(same_span(a->completion[s], b->completion[s]));
    }
    REQUIRE(a->w == b->w && a->z == b->z && a->n_scores == b->n_scores);
    for (size_t k = 0; k < a->n_scores; k++) {
        same_scores(&a->scores[k], &b->scores[k]);
    }
}

static void check_line(const char *line, size_t length)
{
    const struct regret_place at = {"rows", 1};
    struct row_reader reader = {.z_field = {"z", 1}, .with_texts = 1};
    struct naive_row naive = {.z_field = "z"};
    int rc = row_read(&reader, line, length, at);
    strcpy(message, rc != 0 ? regret_error_message() : "");
    REQUIRE(rc == naive_row_read(&naive, line, length, at));
    REQUIRE(rc == 0 || strcmp(message, regret_error_message()) == 0);
    if (rc == 0) {
        same_row(&reader.row, &naive.row);
    }
    naive_row_free(&naive);
    row_reader_free(&reader);
}

static void check_effect(const struct regret_rate_effect *e)
{
    if (e->missing == NULL) {
        REQUIRE(isfinite(e->estimate) && e->n > 0);
        REQUIRE(isnan(e->se) || e->se >= 0.0);
    } else {
        REQUIRE(isnan(e->estimate) && e->missing[0] != '\0');
    }
}

static void check_estimates(const struct regret_rate_rows *rows)
{
    const struct regret_rate_options options = {.se = REGRET_SE_PAIRED, .threads = 1};
    struct regret_rate_estimate *e = NULL;
    size_t n = 0;
    REQUIRE(regret_rate_estimate(&e, &n, rows, &options) == 0);
    for (size_t i = 0; i < n; i++) {
        REQUIRE(e[i].group < rows->n_groups && e[i].model < rows->n_models);
        REQUIRE(e[i].n1 + e[i].n0 == e[i].n_used && e[i].n_used <= e[i].n_rows);
        for (size_t k = 0; k < REGRET_N_EFFECTS; k++) {
            check_effect(&e[i].effects[k]);
        }
    }
    regret_free(e);
}

static void check_lines(const char *data, size_t size)
{
    for (size_t begin = 0; begin < size;) {
        const char *stop = memchr(data + begin, '\n', size - begin);
        size_t n = stop != NULL ? (size_t)(stop - data) - begin : size - begin;
        check_line(data + begin, n);
        begin += n + 1;
    }
}

static void check_file(const char *data, size_t size, int with_texts)
{
    const char *path = fuzz_put("rows", data, size);
    struct regret_rate_rows *rows = read_rows(path, 0);
    if (with_texts) {
        struct regret_rate_rows *texts = read_rows(path, 1);
        REQUIRE((rows == NULL) == (texts == NULL));
        if (rows != NULL) {
            same_rows(rows, texts);
        }
        regret_rate_rows_free(texts);
    }
    if (rows != NULL) {
        check_estimates(rows);
    }
    fuzz_accepted = rows != NULL;
    regret_rate_rows_free(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum fuzz_ways ways = fuzz_ways_of(data, size);
    if (ways & FUZZ_STRICT) {
        check_file((const char *)data, size, ways == FUZZ_BOTH);
    }
    if (ways & FUZZ_LENIENT) {
        check_lines((const char *)data, size);
    }
    return 0;
}
