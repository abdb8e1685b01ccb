#include "rate/row.h"

#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <strings.h>

#include "base/json.h"
#include "base/status.h"
#include "base/text.h"
#include "rate/read_csv.h"
#include "regret/rate.h"

/* Whether a fault found now is the one to tell. */
static int is_first_fault(struct row_reader *r, enum row_fault fault)
{
    if (fault >= r->fault) {
        return 0;
    }
    r->fault = fault;
    return 1;
}

enum regret_rate_label label_of_word(struct regret_span word)
{
    return word.length == 4 && strncasecmp(word.text, "true", 4) == 0    ? REGRET_LABEL_1
           : word.length == 5 && strncasecmp(word.text, "false", 5) == 0 ? REGRET_LABEL_0
                                                                         : REGRET_LABEL_NOT_BOOLEAN;
}

enum regret_rate_label label_of_number(double number, const double *above)
{
    return above != NULL   ? (number > *above ? REGRET_LABEL_1 : REGRET_LABEL_0)
           : number == 1.0 ? REGRET_LABEL_1
           : number == 0.0 ? REGRET_LABEL_0
                           : REGRET_LABEL_NOT_BOOLEAN;
}

static void take_label(struct row_reader *r, enum regret_rate_label *label, const double *above)
{
    struct value v = take_text_value(&r->json);
    *label = is_nothing(&v)       ? REGRET_LABEL_MISSING
             : v.kind == A_TRUE   ? REGRET_LABEL_1
             : v.kind == A_FALSE  ? REGRET_LABEL_0
             : v.kind == A_NUMBER ? label_of_number(v.number, above)
             : v.kind == A_STRING ? label_of_word(v.text)
                                  : REGRET_LABEL_NOT_BOOLEAN;
}

/* A string or a whole number as it stands there. */
static void take_name_or_number(struct row_reader *r, struct regret_span *name,
                                struct regret_span field, enum row_fault fault)
{
    struct value v = take_text_value(&r->json);
    if (v.kind == A_STRING || (v.kind == A_NUMBER && v.number == floor(v.number))) {
        *name = v.text;
    } else if (!is_nothing(&v) && is_first_fault(r, fault)) {
        regret_json_error(r->place,
                          "\"%.*s\" must be a string or a whole number; leave it out where "
                          "there is none",
                          (int)field.length, field.text);
    }
}

static void take_name(struct row_reader *r, struct regret_span *name, const char *field,
                      enum row_fault fault)
{
    struct value v = take_text_value(&r->json);
    if (v.kind == A_STRING) {
        *name = v.text;
    } else if (!is_nothing(&v) && is_first_fault(r, fault)) {
        regret_json_error(r->place, "\"%s\" must be a string, but is %s%s", field,
                          value_kind_name(v.kind), v.kind == A_NUMBER ? "; put it in quotes" : "");
    }
}

/* A text, which is unescaped only where it is wanted. */
static void take_text(struct row_reader *r, struct regret_span *text, int wanted)
{
    struct value v = wanted ? take_text_value(&r->json) : take_value(&r->json);
    if (wanted && v.kind == A_STRING) {
        *text = v.text;
    }
}

int is_by_prompt(const struct row_reader *r)
{
    return r->cluster.text != NULL && span_is(r->cluster, "prompt");
}

/* What names the cluster, which may mean something else, too: the value at hand is read again. */
static void take_cluster(struct row_reader *r, const char *at)
{
    const char *behind = r->json.t.at;
    struct regret_span *cluster = &r->row.cluster;
    r->json.t.at = at;
    struct value v = take_text_value(&r->json);
    if (v.kind == A_STRING || v.kind == A_NUMBER) {
        *cluster = v.text;
    } else if (v.kind == A_TRUE || v.kind == A_FALSE) {
        *cluster = (struct regret_span){at, (size_t)(r->json.t.at - at)};
    } else if (!is_nothing(&v) && is_first_fault(r, FAULT_CLUSTER)) {
        regret_json_error(r->place,
                          "\"%.*s\", which names the cluster, must be a string or a "
                          "number, but is %s",
                          (int)r->cluster.length, r->cluster.text, value_kind_name(v.kind));
    }
    r->json.t.at = r->json.wrong ? r->json.t.end : behind;
}

int side_of_key(struct regret_span key)
{
    switch (key.length) {
    case 8:
        return memcmp(key.text, "original", 8) == 0 ? REGRET_SIDE_ORIGINAL : -1;
    case 7:
        return memcmp(key.text, "rewrite", 7) == 0 ? REGRET_SIDE_REWRITE : -1;
    case 17:
        return memcmp(key.text, "rewritten rewrite", 17) == 0 ? REGRET_SIDE_REWRITE_OF_REWRITE : -1;
    case 18:
        return memcmp(key.text, "rewrite_of_rewrite", 18) == 0 ? REGRET_SIDE_REWRITE_OF_REWRITE
                                                               : -1;
    default:
        return -1;
    }
}

struct bare_name bare_name_of(struct regret_span key)
{
    static const struct {
        const char *name;
        int side, is_perturbed;
    } BEGINS[] = {{"rewrite_of_rewrite", 2, 0}, {"rewritten_rewrite", 2, 0}, {"original", 0, 0},
                  {"rewritten", 1, 0},          {"rewrite", 1, 0},           {"base", 0, 1},
                  {"perturbed", 1, 1}};
    static const struct {
        const char *name;
        int is_text;
    } ENDS[] = {{"", 0}, {"_score", 0}, {"_reward", 0}, {"_response", 1}, {"_completion", 1}};
    for (size_t i = 0; i < sizeof BEGINS / sizeof *BEGINS; i++) {
        size_t n = strlen(BEGINS[i].name);
        struct regret_span end = {key.text + n, key.length - n};
        for (size_t k = 0; key.length >= n && memcmp(key.text, BEGINS[i].name, n) == 0 &&
                           k < sizeof ENDS / sizeof *ENDS;
             k++) {
            if (span_is(end, ENDS[k].name) && (k > 0 || !BEGINS[i].is_perturbed)) {
                return (struct bare_name){BEGINS[i].side, ENDS[k].is_text, BEGINS[i].is_perturbed};
            }
        }
    }
    return (struct bare_name){-1, 0, 0};
}

/* Scores and texts of one model that stand in the row itself. */
static void take_bare(struct row_reader *r, struct bare_name name)
{
    struct value v = r->with_texts ? take_text_value(&r->json) : take_value(&r->json);
    if (name.is_text && v.kind == A_STRING && r->with_texts) {
        r->row.completion[name.side] = v.text;
    } else if (!name.is_text && v.kind == A_NUMBER) {
        r->bare[name.side] = v.number;
        r->is_perturbed |= name.is_perturbed;
    }
}

/* They count where the row has no other model. */
static void add_bare(struct row_reader *r)
{
    struct regret_rate_row *row = &r->row;
    int has_scores = !isnan(r->bare[0]) || !isnan(r->bare[1]) || !isnan(r->bare[2]);
    if (row->n_scores > 0 || !has_scores) {
        return;
    }
    row->scores[0] = (struct regret_rate_scores){.model = r->model,
                                                 .value = {r->bare[0], r->bare[1], r->bare[2]}};
    row->n_scores = r->is_bare = 1;
    row->w = r->is_perturbed && row->w == REGRET_LABEL_MISSING ? REGRET_LABEL_0 : row->w;
}

static void take_completions(struct row_reader *r)
{
    struct members m;
    struct regret_span key;
    if (!at_object(&r->json)) {
        struct value v = take_value(&r->json);
        if (!is_nothing(&v) && is_first_fault(r, FAULT_COMPLETIONS)) {
            regret_json_error(r->place, "\"completions\" must be an object of texts");
        }
        return;
    }
    enter_object(&r->json, &m);
    while (next_member(&r->json, &m, &key)) {
        struct regret_span ignored;
        int side = side_of_key(key);
        take_text(r, side >= 0 ? &r->row.completion[side] : &ignored, r->with_texts);
    }
}

static void take_score(struct row_reader *r, struct regret_rate_scores *scores, int slot)
{
    struct value v = take_value(&r->json);
    if (v.kind == A_NUMBER) {
        scores->value[slot] = v.number;
    } else if (v.kind != A_NULL) {
        scores->bad |= 1U << slot;
    }
}

int slot_of_key(struct regret_span key, int contrastive)
{
    return !contrastive             ? side_of_key(key)
           : span_is(key, "single") ? 0
           : span_is(key, "double") ? 1
                                    : -1;
}

/* Fills in one model's object; *known has bit s when slot s is named. */
static void take_model(struct row_reader *r, struct regret_rate_scores *scores, unsigned *known,
                       enum row_fault fault)
{
    struct members m;
    struct regret_span key;
    enter_object(&r->json, &m);
    while (next_member(&r->json, &m, &key)) {
        int slot = slot_of_key(key, scores->contrastive);
        if (slot < 0) {
            scores->unknown = scores->unknown.text != NULL ? scores->unknown : key;
            take_value(&r->json);
            continue;
        }
        if ((*known & 1U << slot) != 0 && is_first_fault(r, fault)) {
            regret_json_error(r->place,
                              "\"%.*s\" has both \"rewrite_of_rewrite\" and \"rewritten "
                              "rewrite\"; keep one",
                              (int)scores->model.length, scores->model.text);
        }
        *known |= 1U << slot;
        take_score(r, scores, slot);
    }
}

/* The scores of a model to fill in: the row's next, or, where it has no room, *spare. */
static struct regret_rate_scores *next_scores(struct row_reader *r,
                                              struct regret_rate_scores *spare,
                                              struct regret_span model, int contrastive,
                                              enum row_fault fault)
{
    struct regret_rate_row *row = &r->row;
    int is_full = row->n_scores == REGRET_RATE_MAX_MODELS;
    struct regret_rate_scores *scores = is_full ? spare : &row->scores[row->n_scores];
    if (is_full && is_first_fault(r, fault)) {
        regret_json_error(r->place,
                          "more than %d reward models in one row; split the file by model",
                          REGRET_RATE_MAX_MODELS);
    }
    *scores = (struct regret_rate_scores){
        .model = model, .contrastive = contrastive, .value = {NAN, NAN, NAN}};
    return scores;
}

static void take_named_model(struct row_reader *r, struct regret_span model, int contrastive,
                             enum row_fault fault, const char *field)
{
    struct regret_rate_scores spare;
    unsigned known = 0;
    if (at_object(&r->json)) {
        take_model(r, next_scores(r, &spare, model, contrastive, fault), &known, fault);
    } else {
        struct value v = take_value(&r->json);
        if (!is_nothing(&v) && is_first_fault(r, fault)) {
            regret_json_error(r->place,
                              "\"%.*s\" of \"%s\" must be an object such as {\"original\": 0.5, …}",
                              (int)model.length, model.text, field);
        }
        next_scores(r, &spare, model, contrastive, fault);
    }
    r->row.n_scores += r->row.n_scores < REGRET_RATE_MAX_MODELS;
}

/* Models are numbered scores first: moves those from number `first` on to the front. */
static void put_first(struct regret_rate_row *row, size_t first)
{
    struct regret_rate_scores others[REGRET_RATE_MAX_MODELS];
    size_t n = row->n_scores - first;
    memcpy(others, row->scores, first * sizeof *others);
    memmove(row->scores, row->scores + first, n * sizeof *others);
    memcpy(row->scores + n, others, first * sizeof *others);
}

/* "scores" or "contrasts": an object of models. */
static void take_models(struct row_reader *r, int contrastive)
{
    const char *field = contrastive ? "contrasts" : "scores";
    enum row_fault fault = contrastive ? FAULT_CONTRASTS : FAULT_SCORES;
    struct members m;
    struct regret_span model;
    size_t first = r->row.n_scores;
    if (!at_object(&r->json)) {
        struct value v = take_value(&r->json);
        if (!is_nothing(&v) && is_first_fault(r, fault)) {
            regret_json_error(r->place, "\"%s\" must be an object, but is %s", field,
                              value_kind_name(v.kind));
        }
        return;
    }
    enter_object(&r->json, &m);
    while (next_member(&r->json, &m, &model)) {
        take_named_model(r, model, contrastive, fault, field);
    }
    if (first > 0 && !contrastive) {
        put_first(&r->row, first);
    }
}

/* An object under a key without a meaning of its own: in the authors' layout a reward model, if it
 * has a key of scores. */
static void take_authors_model(struct row_reader *r, struct regret_span key)
{
    struct regret_rate_scores spare;
    struct regret_rate_scores *scores = next_scores(r, &spare, key, 0, FAULT_MODELS);
    unsigned known = 0;
    take_model(r, scores, &known, FAULT_MODELS);
    scores->doubtful =
        isnan(scores->value[0]) && isnan(scores->value[1]) && isnan(scores->value[2]);
    r->row.n_scores += known != 0 && scores != &spare;
}

/* A key of our layout: what was taken for the authors' models is none. */
static void find_ours(struct row_reader *r)
{
    if (!r->is_ours) {
        r->is_ours = 1;
        r->row.n_scores = 0;
        r->fault = r->fault == FAULT_MODELS ? NO_FAULT : r->fault;
    }
}

/* A member that both layouts have, or neither knows. */
static void take_other_member(struct row_reader *r, struct regret_span key, int may_be_model)
{
    struct regret_rate_row *row = &r->row;
    int other_dataset = r->dataset_field.text != NULL;
    if (other_dataset && span_equal(key, r->dataset_field)) {
        take_name_or_number(r, &row->dataset, key, FAULT_DATASET);
    } else if (span_is(key, "id")) {
        take_name_or_number(r, &row->id, key, FAULT_ID);
    } else if (span_is(key, "dataset") && !other_dataset) {
        take_name(r, &row->dataset, "dataset", FAULT_DATASET);
    } else if (span_is(key, "attribute")) {
        take_name(r, &row->attribute, "attribute", FAULT_ATTRIBUTE);
    } else if (span_is(key, "rewriter")) {
        take_name_or_number(r, &row->rewriter, key, FAULT_REWRITER);
    } else if (span_is(key, "repeat")) {
        take_name_or_number(r, &row->repeat, key, FAULT_REPEAT);
    } else if (span_is(key, "completions")) {
        take_completions(r);
    } else if (at_object(&r->json) && may_be_model && !r->is_ours) {
        take_authors_model(r, key);
    } else if (!at_object(&r->json) && bare_name_of(key).side >= 0) {
        take_bare(r, bare_name_of(key));
    } else if (span_is(key, "prompt") || span_is(key, "query") || span_is(key, "reward_question")) {
        take_text(r, &r->question[key.text[0] == 'r'], r->with_texts || is_by_prompt(r));
    } else {
        take_value(&r->json);
    }
}

static void take_member(struct row_reader *r, struct regret_span key)
{
    struct regret_rate_row *row = &r->row;
    int is_w = span_is(key, "w"), is_authors = span_is(key, "w_original");
    int is_z = !is_w && !is_authors && span_equal(key, r->z_field);
    enum regret_rate_label ignored;
    enum regret_rate_label *label = is_z ? &row->z : r->w_field.text == NULL ? &row->w : &ignored;
    if (r->w_field.text != NULL && !is_w && !is_authors && span_equal(key, r->w_field)) {
        take_label(r, &row->w, r->w_above);
        return;
    }
    r->is_authors |= is_authors;
    if (is_w) {
        find_ours(r);
    }
    if (is_w || ((is_authors || is_z) && !at_object(&r->json))) {
        take_label(r, label, is_z ? r->z_above : r->w_above);
        return;
    }
    if (is_authors || is_z) { /* an object, which may mean something else, too */
        *label = REGRET_LABEL_NOT_BOOLEAN;
    }
    if (span_is(key, "scores") || span_is(key, "contrasts")) {
        find_ours(r);
        take_models(r, key.text[0] == 'c');
    } else {
        take_other_member(r, key, !is_z);
    }
}

static void take_row(struct row_reader *r)
{
    struct json_tokens *t = &r->json.t;
    struct members m;
    struct regret_span key;
    t->at = json_skip_blank(json_skip_mark(t->at, t->end), t->end);
    if (!at_object(&r->json)) {
        refuse(&r->json);
        return;
    }
    enter_object(&r->json, &m);
    while (next_member(&r->json, &m, &key)) {
        const char *at = t->at;
        take_member(r, key);
        if (r->cluster.text != NULL && span_equal(key, r->cluster) && !is_by_prompt(r) &&
            !r->json.wrong) {
            take_cluster(r, at);
        }
    }
    if (json_skip_blank(t->at, t->end) != t->end) {
        refuse(&r->json);
    }
}

static void begin_row(struct row_reader *r, const char *text, size_t length, struct regret_place at)
{
    static const struct regret_span nothing = {NULL, 0};
    struct regret_rate_row *row = &r->row;
    begin_values(&r->json, text, length);
    r->place = at;
    r->fault = NO_FAULT;
    r->is_ours = r->is_authors = 0;
    r->question[0] = r->question[1] = nothing;
    row->id = row->dataset = row->attribute = row->prompt = row->cluster = nothing;
    row->rewriter = row->repeat = nothing;
    row->completion[0] = row->completion[1] = row->completion[2] = nothing;
    row->w = row->z = REGRET_LABEL_MISSING;
    row->n_scores = 0;
    r->bare[0] = r->bare[1] = r->bare[2] = NAN;
    r->is_perturbed = r->is_bare = 0;
}

/* Why a text is not a row, by the reader of documents. */
static int explain(const struct row_reader *r, const char *text, size_t length)
{
    struct cJSON *value = NULL;
    size_t column = r->whole != NULL ? json_column(r->whole, text) : 1;
    TRY(json_parse_from(&value, text, length, r->place, column, REGRET_JSON_IMPORT));
    int is_object = cJSON_IsObject(value);
    cJSON_Delete(value);
    return is_object ? regret_fail(REGRET_E_INTERNAL, "%s:%zu: a row of JSON that cannot be read",
                                   r->place.file, r->place.line)
                     : regret_json_error(r->place, "a row must be a JSON object");
}

/* The authors call it "reward_question". */
static struct regret_span question_of(const struct row_reader *r)
{
    return r->question[!r->is_ours && !r->is_bare];
}

int row_read(struct row_reader *r, const char *text, size_t length, struct regret_place at)
{
    begin_row(r, text, length, at);
    take_row(r);
    if (r->json.wrong) {
        return r->json.failure != REGRET_OK ? r->json.failure : explain(r, text, length);
    }
    add_bare(r);
    if (r->is_ours && r->is_authors && is_first_fault(r, FAULT_LAYOUT)) {
        regret_json_error(at, "\"w_original\" beside \"w\" or \"scores\" mixes two layouts; "
                              "keep one");
    }
    if (is_by_prompt(r)) {
        r->row.cluster = question_of(r);
    }
    if (r->with_texts) {
        r->row.prompt = question_of(r);
    }
    return r->fault == NO_FAULT ? REGRET_OK : REGRET_E_INPUT;
}

void row_reader_free(struct row_reader *r)
{
    free_values(&r->json);
}
