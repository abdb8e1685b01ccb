/* The quick way of reading a row: one pass over the line, nothing allocated. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "rate/scan.h"

enum { MAX_KEYS = 48 };

struct keys {
    struct regret_span seen[MAX_KEYS];
    size_t n;
};

/* Keys given twice are an error of the full parser: see every key of an object. */
static int take_key(struct scan *s, struct keys *keys, struct regret_span *key)
{
    if (!scan_word(s, key) || keys->n == MAX_KEYS) {
        return 0;
    }
    for (size_t i = 0; i < keys->n; i++) {
        if (span_equal(keys->seen[i], *key)) {
            return 0;
        }
    }
    keys->seen[keys->n++] = *key;
    scan_space(s);
    if (s->at == s->end || *s->at != ':') {
        return 0;
    }
    s->at++;
    scan_space(s);
    return s->at < s->end;
}

/* Passes the opening brace. 1: members follow; 2: the object is empty and passed over. */
static int open_object(struct scan *s)
{
    if (s->at == s->end || *s->at != '{') {
        return 0;
    }
    s->at++;
    scan_space(s);
    if (s->at < s->end && *s->at == '}') {
        s->at++;
        return 2;
    }
    return 1;
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

static int take_score(struct scan *s, struct regret_rate_scores *scores, int slot)
{
    if (*s->at == '-' || (*s->at >= '0' && *s->at <= '9')) {
        return scan_number(s, &scores->value[slot]);
    }
    if (*s->at != 'n') {
        scores->bad |= 1U << slot;
    }
    return *s->at == 'N' ? scan_literal(s, "NaN", 3) : scan_scalar(s);
}

static void clear_scores(struct regret_rate_scores *scores)
{
    scores->doubtful = 0;
    scores->bad = 0;
    scores->value[0] = scores->value[1] = scores->value[2] = NAN;
}

/* The object of one reward model; *known counts its keys that mean something. */
static int take_model(struct scan *s, struct regret_rate_scores *scores, int *known)
{
    struct keys keys;
    struct regret_span key;
    keys.n = 0;
    *known = 0;
    clear_scores(scores);
    int more = open_object(s);
    while (more == 1) {
        if (!take_key(s, &keys, &key)) {
            return 0;
        }
        int slot = scores->contrastive ? (span_is(key, "single")   ? 0
                                          : span_is(key, "double") ? 1
                                                                   : -1)
                                       : side_of_key(key);
        /* Both spellings of the last side in one object: which counts is not ours to say. */
        if (slot >= 0 && (*known & 1 << slot) != 0) {
            return 0;
        }
        *known |= slot >= 0 ? 1 << slot : 0;
        if (!(slot >= 0 ? take_score(s, scores, slot) : scan_scalar(s))) {
            return 0;
        }
        more = scan_next_member(s);
    }
    return more == 2;
}

/* The model's object, or null where the row has none of its scores. */
static int take_model_or_null(struct scan *s, struct regret_rate_scores *scores)
{
    int known = 0;
    if (*s->at == 'n') {
        clear_scores(scores);
        return scan_literal(s, "null", 4);
    }
    return take_model(s, scores, &known);
}

/* "scores" or "contrasts": an object of models. */
static int take_models(struct scan *s, struct regret_rate_row *row, int contrastive)
{
    struct keys keys;
    keys.n = 0;
    if (*s->at == 'n') {
        return scan_literal(s, "null", 4);
    }
    int more = open_object(s);
    while (more == 1) {
        if (row->n_scores == REGRET_RATE_MAX_MODELS) {
            return 0;
        }
        struct regret_rate_scores *scores = &row->scores[row->n_scores];
        scores->contrastive = contrastive;
        if (!take_key(s, &keys, &scores->model) || !take_model_or_null(s, scores)) {
            return 0;
        }
        row->n_scores++;
        more = scan_next_member(s);
    }
    return more == 2;
}

static int take_completions(struct scan *s)
{
    struct keys keys;
    struct regret_span key;
    keys.n = 0;
    if (*s->at == 'n') {
        return scan_literal(s, "null", 4);
    }
    int more = open_object(s);
    while (more == 1) {
        if (!take_key(s, &keys, &key) || !scan_scalar(s)) {
            return 0;
        }
        more = scan_next_member(s);
    }
    return more == 2;
}

enum regret_rate_label label_of_word(struct regret_span word)
{
    return word.length == 4 && strncasecmp(word.text, "true", 4) == 0    ? REGRET_LABEL_1
           : word.length == 5 && strncasecmp(word.text, "false", 5) == 0 ? REGRET_LABEL_0
                                                                         : REGRET_LABEL_NOT_BOOLEAN;
}

enum regret_rate_label label_of_number(double value)
{
    return value == 1.0 ? REGRET_LABEL_1 : value == 0.0 ? REGRET_LABEL_0 : REGRET_LABEL_NOT_BOOLEAN;
}

static int take_label(struct scan *s, enum regret_rate_label *label)
{
    struct regret_span word;
    double number = 0.0;
    switch (*s->at) {
    case 't':
        *label = REGRET_LABEL_1;
        return scan_literal(s, "true", 4);
    case 'f':
        *label = REGRET_LABEL_0;
        return scan_literal(s, "false", 5);
    case 'n':
        *label = REGRET_LABEL_MISSING;
        return scan_literal(s, "null", 4);
    case '"':
        if (!scan_word(s, &word)) {
            return 0;
        }
        *label = label_of_word(word);
        return 1;
    default:
        if (!scan_number(s, &number)) {
            return 0;
        }
        *label = label_of_number(number);
        return 1;
    }
}

static int take_name(struct scan *s, struct regret_span *name)
{
    return *s->at == 'n' ? scan_literal(s, "null", 4) : scan_word(s, name);
}

/* Which of the two layouts, learnt on the way. Models found at the top level are the authors';
 * they stand apart until the layout is known. */
struct layout {
    int ours;    /* "w", "scores" or "contrasts" was seen */
    int authors; /* "w_original" was seen */
};

/* An object under a key without a meaning of its own: one of the authors' reward models, if any. */
static int take_top_level_model(struct scan *s, struct regret_rate_row *row, struct regret_span key)
{
    int known = 0;
    if (row->n_scores == REGRET_RATE_MAX_MODELS) {
        return 0;
    }
    struct regret_rate_scores *scores = &row->scores[row->n_scores];
    scores->model = key;
    scores->contrastive = 0;
    if (!take_model(s, scores, &known)) {
        return 0;
    }
    scores->doubtful =
        isnan(scores->value[0]) && isnan(scores->value[1]) && isnan(scores->value[2]);
    row->n_scores += known != 0;
    return 1;
}

static int take_member(struct scan *s, struct row_reader *reader, struct regret_span key,
                       struct layout *layout)
{
    struct regret_rate_row *row = &reader->row;
    if (span_is(key, "w")) {
        layout->ours = 1;
        return take_label(s, &row->w);
    }
    if (span_is(key, "w_original")) {
        layout->authors = 1;
        return take_label(s, &row->w);
    }
    if (span_equal(key, reader->z_field)) {
        return take_label(s, &row->z);
    }
    if (span_is(key, "scores") || span_is(key, "contrasts")) {
        if (row->n_scores > 0 && key.text[0] == 's') {
            return 0; /* models are numbered scores first */
        }
        layout->ours = 1;
        return take_models(s, row, key.text[0] == 'c');
    }
    if (span_is(key, "id")) {
        return take_name(s, &row->id);
    }
    if (span_is(key, "dataset")) {
        return take_name(s, &row->dataset);
    }
    if (span_is(key, "attribute")) {
        return take_name(s, &row->attribute);
    }
    if (span_is(key, "completions")) {
        return take_completions(s);
    }
    return *s->at == '{' ? take_top_level_model(s, row, key) : scan_scalar(s);
}

int row_scan(struct row_reader *reader, const char *line, size_t length)
{
    struct scan s = {line, line + length};
    struct keys keys;
    struct layout layout = {0, 0};
    struct regret_span key;
    struct regret_rate_row *row = &reader->row;
    keys.n = 0;
    row->id = row->dataset = row->attribute = row->prompt = (struct regret_span){NULL, 0};
    row->w = row->z = REGRET_LABEL_MISSING;
    row->n_scores = 0;
    size_t strangers = 0; /* models found at the top level */
    scan_space(&s);
    int more = open_object(&s);
    while (more == 1) {
        size_t before = row->n_scores;
        if (!take_key(&s, &keys, &key) || !take_member(&s, reader, key, &layout)) {
            return 0;
        }
        strangers +=
            row->n_scores > before && !span_is(key, "scores") && !span_is(key, "contrasts");
        more = scan_next_member(&s);
    }
    /* A row of both layouts, or of ours with stray objects, is for the careful reader. */
    if (more != 2 || s.at != s.end || (layout.ours && (layout.authors || strangers > 0))) {
        return 0;
    }
    return 1;
}
