#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/json.h"
#include "base/json_tokens.h"
#include "base/status.h"
#include "base/text.h"
#include "rate/internal.h"
#include "regret/rate.h"

/* A row of RATE from a record, in the layouts that there are (regret/rate.h). The record is plain JSON (table/fields.h), so that nothing
 * here is malformed; NaN and infinities are null. */

/* ---- values ---- */

/* NONE: null, and an empty field of a table; NOTHING: an empty list. */
enum kind { NONE, NOTHING, A_TRUE, A_FALSE, A_NUMBER, A_STRING, AN_ARRAY, AN_OBJECT };

static const char *const KIND_NAMES[] = {
    [A_TRUE] = "a boolean",  [A_FALSE] = "a boolean", [A_NUMBER] = "a number",
    [A_STRING] = "a string", [AN_ARRAY] = "an array", [AN_OBJECT] = "an object"};

static enum kind kind_of(const struct row_reader *r, struct regret_span v)
{
    switch (*v.text) {
    case '"':
        return r->is_table && v.length == 2 ? NONE : A_STRING;
    case '{':
        return AN_OBJECT;
    case '[':
        return *json_skip_blank(v.text + 1, v.text + v.length) == ']' ? NOTHING : AN_ARRAY;
    case 'n':
        return NONE;
    case 't':
        return A_TRUE;
    case 'f':
        return A_FALSE;
    default:
        return A_NUMBER;
    }
}

/* What a string says, of anything else what stands there; it lives until the next row. */
static struct regret_span text_of(struct row_reader *r, struct regret_span v)
{
    if (*v.text != '"') {
        return v;
    }
    struct regret_span s = {v.text + 1, v.length - 2};
    if (memchr(s.text, '\\', s.length) == NULL) {
        return s;
    }
    char *value = r->room.data + r->room.length;
    s = (struct regret_span){value, json_unescape(value, s)};
    r->room.length += s.length;
    return s;
}

/* A finite number; in a table, a text that is one as JSON has it, or with a plus sign or a point first or last. */
static int number_of(double *out, struct row_reader *r, struct regret_span v)
{
    enum kind kind = kind_of(r, v);
    if (kind != A_NUMBER && !(kind == A_STRING && r->is_table)) {
        return 0;
    }
    v = text_of(r, v);
    struct json_tokens t = {v.text, v.text + v.length, REGRET_JSON_STRICT};
    if (!json_take_number(&t, out) || t.at != t.end) {
        char *end = NULL;
        *out = strspn(v.text, "+-.0123456789eE") >= v.length ? strtod(v.text, &end) : (double)NAN;
        return end == v.text + v.length && isfinite(*out);
    }
    return isfinite(*out);
}

/* The next member of an object, `at` behind its bracket at first. */
static int next_member(struct row_reader *r, const char **at, struct regret_span *key,
                       struct regret_span *value)
{
    const char *end = r->end, *p = json_skip_blank(*at, end);
    p = *p == ',' ? json_skip_blank(p + 1, end) : p;
    if (*p == '}') {
        return 0;
    }
    const char *behind = json_skip_value(p, end);
    *key = text_of(r, (struct regret_span){p, (size_t)(behind - p)});
    p = json_skip_blank(json_skip_blank(behind, end) + 1, end);
    *at = json_skip_value(p, end);
    *value = (struct regret_span){p, (size_t)(*at - p)};
    return 1;
}

#define FOR_MEMBERS(r, object, key, value)                                                         \
    for (const char *at_ = (object).text + 1; next_member(r, &at_, &(key), &(value));)

/* ---- labels and names ---- */

static enum regret_rate_label label_of_number(double number, const double *above)
{
    return above != NULL   ? (number > *above ? REGRET_LABEL_1 : REGRET_LABEL_0)
           : number == 1.0 ? REGRET_LABEL_1
           : number == 0.0 ? REGRET_LABEL_0
                           : REGRET_LABEL_NOT_BOOLEAN;
}

static enum regret_rate_label label_of(struct row_reader *r, struct regret_span v,
                                       const double *above)
{
    enum kind kind = kind_of(r, v);
    double number = 0.0;
    if (number_of(&number, r, v)) {
        return label_of_number(number, above);
    }
    v = text_of(r, v);
    return kind <= NOTHING                                         ? REGRET_LABEL_MISSING
           : v.length == 4 && strncasecmp(v.text, "true", 4) == 0  ? REGRET_LABEL_1
           : v.length == 5 && strncasecmp(v.text, "false", 5) == 0 ? REGRET_LABEL_0
                                                                   : REGRET_LABEL_NOT_BOOLEAN;
}

/* A string or, where it may be one, a whole number as it stands there. */
static int take_name(struct row_reader *r, struct regret_span *name, struct regret_span key,
                     struct regret_span v, int may_be_number)
{
    enum kind kind = kind_of(r, v);
    double number = 0.0;
    int is_whole = number_of(&number, r, v) && number == floor(number);
    if (kind == A_STRING || (kind == A_NUMBER && may_be_number && is_whole)) {
        *name = text_of(r, v);
        return REGRET_OK;
    }
    return kind <= NOTHING ? REGRET_OK
           : may_be_number ? regret_json_error(r->place,
                                               "\"%.*s\" must be a string or a whole number; leave "
                                               "it out where there is none",
                                               (int)key.length, key.text)
                           : regret_json_error(r->place, "\"%.*s\" must be a string, but is %s%s",
                                               (int)key.length, key.text, KIND_NAMES[kind],
                                               kind == A_NUMBER ? "; put it in quotes" : "");
}

static int take_cluster(struct row_reader *r, struct regret_span v)
{
    enum kind kind = kind_of(r, v);
    if (kind >= AN_ARRAY) {
        return regret_json_error(r->place,
                                 "\"%.*s\", which names the cluster, must be a string or a "
                                 "number, but is %s",
                                 (int)r->cluster.length, r->cluster.text, KIND_NAMES[kind]);
    }
    r->row.cluster = kind > NOTHING ? text_of(r, v) : r->row.cluster;
    return REGRET_OK;
}

static int is_by_prompt(const struct row_reader *r)
{
    return r->cluster.text != NULL && span_is(r->cluster, "prompt");
}

static void take_text(struct row_reader *r, struct regret_span *text, struct regret_span v)
{
    if (r->with_texts && kind_of(r, v) == A_STRING) {
        *text = text_of(r, v);
    }
}

/* ---- sides and models ---- */

static int begins_with(struct regret_span text, const char *begin)
{
    size_t n = strlen(begin);
    return text.length > n && memcmp(text.text, begin, n) == 0;
}

static struct regret_span behind(struct regret_span text, size_t n)
{
    return (struct regret_span){text.text + n, text.length - n};
}

int side_of_key(struct regret_span key)
{
    return span_is(key, "original")  ? REGRET_SIDE_ORIGINAL
           : span_is(key, "rewrite") ? REGRET_SIDE_REWRITE
           : span_is(key, "rewritten rewrite") || span_is(key, "rewrite_of_rewrite")
               ? REGRET_SIDE_REWRITE_OF_REWRITE
               : -1;
}

/* The same, or of "single" (0) and "double" (1) of a contrastive model. */
static int slot_of_key(struct regret_span key, int contrastive)
{
    return !contrastive             ? side_of_key(key)
           : span_is(key, "single") ? 0
           : span_is(key, "double") ? 1
                                    : -1;
}

/* A name such as "original", "base_score", "rewrite_reward" or "perturbed_response": of which side it is, or -1; a score or a text,
 * and of a base and its perturbation or not. */
struct bare_name {
    int side, is_text, is_perturbed;
};

static struct bare_name bare_name_of(struct regret_span key)
{
    static const struct {
        const char *name;
        int side, is_perturbed;
    } BEGINS[] = {{"rewrite_of_rewrite", 2, 0}, {"rewritten_rewrite", 2, 0}, {"original", 0, 0},
                  {"rewritten", 1, 0},          {"rewrite", 1, 0},           {"base", 0, 1},
                  {"perturbed", 1, 1}};
    static const char *const ENDS[] = {"", "_score", "_reward", "_response", "_completion"};
    for (size_t i = 0; i < sizeof BEGINS / sizeof *BEGINS; i++) {
        size_t n = strlen(BEGINS[i].name), k = (size_t)BEGINS[i].is_perturbed;
        int is_there = key.length >= n && memcmp(key.text, BEGINS[i].name, n) == 0;
        for (; is_there && k < sizeof ENDS / sizeof *ENDS; k++) {
            if (span_is(behind(key, n), ENDS[k])) {
                return (struct bare_name){BEGINS[i].side, k > 2, BEGINS[i].is_perturbed};
            }
        }
    }
    return (struct bare_name){-1, 0, 0};
}

/* The scores of a model, which are added where it has none. */
static int find_scores(struct regret_rate_scores **out, struct row_reader *r,
                       struct regret_span model, int contrastive)
{
    struct regret_rate_row *row = &r->row;
    size_t m = 0;
    while (m < row->n_scores && !(row->scores[m].contrastive == contrastive &&
                                  span_equal(row->scores[m].model, model))) {
        m++;
    }
    if (m == REGRET_RATE_MAX_MODELS) {
        return regret_json_error(r->place,
                                 "more than %d reward models in one row; split the file by model",
                                 REGRET_RATE_MAX_MODELS);
    }
    *out = &row->scores[m];
    if (m == row->n_scores) {
        r->known[row->n_scores++] = 0;
        **out = (struct regret_rate_scores){
            .model = model, .contrastive = contrastive, .value = {NAN, NAN, NAN}};
    }
    return REGRET_OK;
}

static int take_score(struct row_reader *r, struct regret_rate_scores *scores,
                      struct regret_span key, struct regret_span v)
{
    int slot = slot_of_key(key, scores->contrastive);
    unsigned *known = &r->known[scores - r->row.scores];
    if (slot < 0) {
        scores->unknown = scores->unknown.text != NULL ? scores->unknown : key;
        return REGRET_OK;
    }
    if ((*known & 1U << slot) != 0) {
        return regret_json_error(r->place,
                                 "\"%.*s\" has both \"rewrite_of_rewrite\" and \"rewritten "
                                 "rewrite\"; keep one",
                                 (int)scores->model.length, scores->model.text);
    }
    *known |= 1U << slot;
    if (!number_of(&scores->value[slot], r, v)) {
        scores->value[slot] = NAN;
        scores->bad |= kind_of(r, v) != NONE ? 1U << slot : 0;
    }
    return REGRET_OK;
}

static int take_model(struct row_reader *r, struct regret_rate_scores *scores,
                      struct regret_span object)
{
    struct regret_span key, v;
    FOR_MEMBERS(r, object, key, v)
    {
        TRY(take_score(r, scores, key, v));
    }
    return REGRET_OK;
}

/* "scores" or "contrasts": an object of models. */
static int take_models(struct row_reader *r, struct regret_span field, struct regret_span v)
{
    struct regret_rate_scores *scores = NULL;
    struct regret_span model, of;
    enum kind kind = kind_of(r, v);
    int contrastive = *field.text == 'c';
    if (kind != AN_OBJECT) {
        return kind <= NOTHING
                   ? REGRET_OK
                   : regret_json_error(r->place, "\"%.*s\" must be an object, but is %s",
                                       (int)field.length, field.text, KIND_NAMES[kind]);
    }
    FOR_MEMBERS(r, v, model, of)
    {
        TRY(find_scores(&scores, r, model, contrastive));
        kind = kind_of(r, of);
        TRY(kind == AN_OBJECT ? take_model(r, scores, of)
            : kind <= NOTHING
                ? REGRET_OK
                : regret_json_error(
                      r->place,
                      "\"%.*s\" of \"%.*s\" must be an object such as {\"original\": 0.5, …}",
                      (int)model.length, model.text, (int)field.length, field.text));
    }
    return REGRET_OK;
}

/* An object under a key without a meaning of its own: in the authors' layout a reward model, if it has a key of scores. */
static int take_authors_model(struct row_reader *r, struct regret_span key, struct regret_span v)
{
    struct regret_rate_scores *scores = NULL;
    struct regret_span side, score;
    int is_model = 0;
    FOR_MEMBERS(r, v, side, score)
    {
        is_model |= side_of_key(side) >= 0;
    }
    if (!is_model) {
        return REGRET_OK;
    }
    TRY(find_scores(&scores, r, key, 0));
    TRY(take_model(r, scores, v));
    scores->doubtful =
        isnan(scores->value[0]) && isnan(scores->value[1]) && isnan(scores->value[2]);
    return REGRET_OK;
}

/* "scores.MODEL.SIDE", "contrasts.MODEL.single", or "MODEL.SIDE"; a model's name may hold points. */
static int take_flat_score(struct row_reader *r, struct regret_span key, struct regret_span v)
{
    struct regret_rate_scores *scores = NULL;
    int contrastive = begins_with(key, "contrasts."), is_ours = begins_with(key, "scores.");
    struct regret_span path =
        contrastive || is_ours ? behind(key, strlen(contrastive ? "contrasts." : "scores.")) : key;
    size_t point = path.length;
    while (point > 0 && path.text[point - 1] != '.') {
        point--;
    }
    int is_known = point > 1 && slot_of_key(behind(path, point), contrastive) >= 0;
    if (point < 2 || (!is_known && !contrastive && !is_ours) || kind_of(r, v) == NONE) {
        return REGRET_OK;
    }
    TRY(find_scores(&scores, r, (struct regret_span){path.text, point - 1}, contrastive));
    return take_score(r, scores, behind(path, point), v);
}

/* Scores and texts of one model that stand in the row itself. */
static void take_bare(struct row_reader *r, struct bare_name name, struct regret_span v)
{
    if (name.is_text) {
        take_text(r, &r->row.completion[name.side], v);
    } else if (number_of(&r->bare.value[name.side], r, v)) {
        r->is_perturbed |= name.is_perturbed;
    } else {
        r->bare.value[name.side] = NAN;
        r->bare.bad |= kind_of(r, v) != NONE ? 1U << name.side : 0;
    }
}

/* They count where the row has no other model: 1 where they do. */
static int add_bare(struct row_reader *r)
{
    struct regret_rate_row *row = &r->row;
    const double *x = r->bare.value;
    if (row->n_scores > 0 || (isnan(x[0]) && isnan(x[1]) && isnan(x[2]))) {
        return 0;
    }
    row->scores[0] = r->bare;
    row->scores[0].model = r->model;
    row->n_scores = 1;
    row->w = r->is_perturbed && row->w == REGRET_LABEL_MISSING ? REGRET_LABEL_0 : row->w;
    return 1;
}

/* ---- members ---- */

static int take_completions(struct row_reader *r, struct regret_span v)
{
    struct regret_span key, text;
    enum kind kind = kind_of(r, v);
    if (kind != AN_OBJECT) {
        return kind <= NOTHING
                   ? REGRET_OK
                   : regret_json_error(r->place, "\"completions\" must be an object of texts");
    }
    FOR_MEMBERS(r, v, key, text)
    {
        int side = side_of_key(key);
        if (side >= 0) {
            take_text(r, &r->row.completion[side], text);
        }
    }
    return REGRET_OK;
}

/* Keys of both layouts that are names: which of them may be numbers. */
static struct regret_span *name_of_key(struct row_reader *r, struct regret_span key,
                                       int *may_be_number)
{
    struct regret_rate_row *row = &r->row;
    int is_dataset =
        r->dataset_field.text != NULL ? span_equal(key, r->dataset_field) : span_is(key, "dataset");
    *may_be_number = !span_is(key, "attribute") && (!is_dataset || r->dataset_field.text != NULL);
    return is_dataset                  ? &row->dataset
           : span_is(key, "id")        ? &row->id
           : span_is(key, "attribute") ? &row->attribute
           : span_is(key, "rewriter")  ? &row->rewriter
           : span_is(key, "repeat")    ? &row->repeat
                                       : NULL;
}

/* A member that both layouts have, or neither knows. */
static int take_other(struct row_reader *r, struct regret_span key, struct regret_span v,
                      int may_be_model)
{
    int is_object = *v.text == '{', may_be_number = 0, side;
    struct regret_span *name = name_of_key(r, key, &may_be_number);
    if (name != NULL) {
        return take_name(r, name, key, v, may_be_number || r->is_table);
    }
    if (span_is(key, "completions")) {
        return take_completions(r, v);
    }
    if (span_is(key, "prompt") || span_is(key, "query") || span_is(key, "reward_question")) {
        struct regret_span *question = &r->question[*key.text == 'r'];
        *question = kind_of(r, v) == A_STRING ? text_of(r, v) : *question;
        return REGRET_OK;
    }
    if (is_object) {
        return may_be_model && !r->is_ours ? take_authors_model(r, key, v) : REGRET_OK;
    }
    struct bare_name bare = bare_name_of(key);
    if (bare.side >= 0) {
        take_bare(r, bare, v);
        return REGRET_OK;
    }
    if (begins_with(key, "completions.") &&
        (side = side_of_key(behind(key, strlen("completions.")))) >= 0) {
        take_text(r, &r->row.completion[side], v);
        return REGRET_OK;
    }
    return r->is_ours ? REGRET_OK : take_flat_score(r, key, v);
}

static int take_member(struct row_reader *r, struct regret_span key, struct regret_span v)
{
    struct regret_rate_row *row = &r->row;
    int is_w = span_is(key, "w"), is_authors = span_is(key, "w_original");
    int is_own = r->w_field.text != NULL, is_object = *v.text == '{';
    int is_z = !is_w && !is_authors && span_equal(key, r->z_field);
    if (is_own ? span_equal(key, r->w_field) : is_w || is_authors) {
        row->w = is_object ? REGRET_LABEL_NOT_BOOLEAN : label_of(r, v, r->w_above);
        return is_object && is_authors ? take_other(r, key, v, 1) : REGRET_OK;
    }
    if (is_z) { /* an object may mean something else, too */
        row->z = is_object ? REGRET_LABEL_NOT_BOOLEAN : label_of(r, v, r->z_above);
    }
    if (is_w || is_authors || (is_z && !is_object)) {
        return REGRET_OK;
    }
    return span_is(key, "scores") || span_is(key, "contrasts") ? take_models(r, key, v)
                                                               : take_other(r, key, v, !is_z);
}

/* The members of the record, and which layout it is: our keys are no models of the authors'. */
static int list_members(struct row_reader *r, struct regret_span record)
{
    struct regret_span key, v;
    int is_authors = 0;
    r->is_ours = 0;
    r->n_members = 0;
    FOR_MEMBERS(r, record, key, v)
    {
        TRY(regret_grow((void **)&r->member, &r->capacity, r->n_members, sizeof *r->member,
                        "members of a row"));
        r->member[r->n_members++] = (struct row_member){key, v};
        is_authors |= span_is(key, "w_original");
        r->is_ours |= span_is(key, "w") || span_is(key, "scores") || span_is(key, "contrasts");
    }
    int is_mixed = r->is_ours && is_authors;
    r->is_ours = r->is_ours && !r->is_table;
    return is_mixed ? regret_json_error(r->place, "\"w_original\" beside \"w\" or \"scores\" mixes "
                                                  "two layouts; keep one")
                    : REGRET_OK;
}

static void begin_row(struct row_reader *r, struct regret_place at)
{
    r->place = at;
    r->row = (struct regret_rate_row){.w = REGRET_LABEL_MISSING, .z = REGRET_LABEL_MISSING};
    r->question[0] = r->question[1] = (struct regret_span){NULL, 0};
    r->bare = (struct regret_rate_scores){.value = {NAN, NAN, NAN}};
    r->is_perturbed = 0;
    regret_buffer_clear(&r->room);
}

/* Members in their order, but contrastive models behind the others. */
static int take_members(struct row_reader *r, int contrastive)
{
    for (size_t i = 0; i < r->n_members; i++) {
        struct regret_span key = r->member[i].key, v = r->member[i].value;
        if ((span_is(key, "contrasts") || begins_with(key, "contrasts.")) == contrastive) {
            TRY(take_member(r, key, v));
            TRY(r->cluster.text != NULL && span_equal(key, r->cluster) && !is_by_prompt(r)
                    ? take_cluster(r, v)
                    : REGRET_OK);
        }
    }
    return REGRET_OK;
}

int row_read(struct row_reader *r, struct regret_span record, struct regret_place at)
{
    begin_row(r, at);
    if (*record.text != '{') {
        return regret_json_error(at, "a row must be a JSON object");
    }
    r->end = record.text + record.length;
    TRY(regret_buffer_reserve(&r->room, 4 * record.length)); /* a text is read four times at most */
    TRY(list_members(r, record));
    TRY(take_members(r, 0));
    TRY(take_members(r, 1));
    int is_bare = add_bare(r);
    struct regret_span question = r->question[!r->is_ours && !r->is_table && !is_bare];
    question = question.text == NULL && r->is_table ? r->question[1] : question;
    r->row.cluster = is_by_prompt(r) ? question : r->row.cluster;
    r->row.prompt = r->with_texts ? question : r->row.prompt;
    return REGRET_OK;
}
