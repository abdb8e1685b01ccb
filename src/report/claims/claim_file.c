/* Claims as data: the records of data/paper/claims.csv, and the views of data/paper/views.csv. */
#include <string.h>

#include "base/core/try.h"
#include "base/text/name.h"
#include "regret/alloc.h"
#include "regret/families.h"
#include "report/claims/claims.h"
#include "results/row/row.h"

enum { MOST_VIEWS = 32 };

/* A record that is being read. */
struct reading {
    struct sheet *sheet;
    size_t i;
    struct regret_place at;
};

/* Cuts a field into at most `most` words; the rest of `out` stays as it is. */
static int read_words(const char **out, size_t *n, const struct reading *r, const char *head,
                      size_t most)
{
    const char **words = NULL;
    int rc = REGRET_OK;
    TRY(sheet_words(&words, n, r->sheet, r->i, head));
    if (*n > most) {
        rc = regret_json_error(r->at, "%s: %zu words; at most %zu", head, *n, most);
        *n = 0;
    }
    for (size_t k = 0; k < *n; k++) {
        out[k] = words[k];
    }
    regret_free((void *)words);
    return rc;
}

static int read_word(size_t *out, const struct reading *r, const char *head,
                     const char *const *words, size_t n)
{
    return sheet_word(out, r->sheet, r->i, head, words, n);
}

/* ---------------------------------------------------------------- subjects */

/* "fit:proxy" without what says its kind, which all subjects share. */
static int read_subject(struct claim *c, size_t i, struct regret_place at)
{
    static const struct {
        const char *prefix;
        enum regret_row_kind kind;
    } kinds[] = {{"fit:", REGRET_ROW_FIT}, {"baseline:", REGRET_ROW_BASELINE}};
    const char *name = c->subjects[i];
    enum regret_row_kind kind = REGRET_ROW_FAMILY;
    for (size_t k = 0; k < 2; k++) {
        if (strncmp(name, kinds[k].prefix, strlen(kinds[k].prefix)) == 0) {
            c->subjects[i] = name + strlen(kinds[k].prefix);
            kind = kinds[k].kind;
        }
    }
    if (i > 0 && kind != c->kind) {
        return regret_json_error(at, "\"%s\" is of another kind than the subjects before it", name);
    }
    c->kind = kind;
    if (kind == REGRET_ROW_FAMILY && regret_family_find(name) == NULL) {
        return regret_json_error(at,
                                 "no family is called \"%s\"; a row of another kind is "
                                 "fit:NAME or baseline:NAME",
                                 name);
    }
    return REGRET_OK;
}

static int read_subjects(struct claim *c, const struct reading *r)
{
    static const struct {
        const char *word;
        enum claim_choice choice;
    } pseudo[] = {{"*", CHOICE_NONE}, {"by-cell", CHOICE_BY_CELL}, {"by-top1", CHOICE_BY_TOP1}};
    size_t others = 0;
    TRY(read_words(c->subjects, &c->spoken_of, r, "subjects", CLAIM_SUBJECTS));
    for (size_t k = 0; c->spoken_of == 1 && k < 3; k++) {
        if (strcmp(c->subjects[0], pseudo[k].word) == 0) {
            c->choice = pseudo[k].choice;
            c->everyone = k == 0;
            c->spoken_of = 0;
        }
    }
    TRY(read_words(c->subjects + c->spoken_of, &others, r, "others",
                   CLAIM_SUBJECTS - c->spoken_of));
    if (c->spoken_of + others < CLAIM_SUBJECTS) {
        c->subjects[c->spoken_of + others] = NULL;
    }
    for (size_t i = 0; i < c->spoken_of + others; i++) {
        TRY(read_subject(c, i, r->at));
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- what is compared */

static int read_measures(struct claim *c, const struct reading *r)
{
    const char *known[N_CLAIM_MEASURES] = {
        [MEASURE_RANK] = "rank",           [MEASURE_TOP3] = "in-top3",
        [MEASURE_EXCESS] = "excess",       [MEASURE_WINS] = "wins",
        [MEASURE_MOST_WINS] = "most-wins", [MEASURE_SMALL_LAMBDA] = "lambda<=0.1"};
    const char *words[CLAIM_MEASURES] = {NULL};
    size_t n = 0;
    for (size_t m = 0; m < REGRET_N_MEASURES; m++) {
        known[m] = row_measure_name((enum regret_measure)m);
    }
    TRY(read_words(words, &n, r, "measure", CLAIM_MEASURES));
    c->measures[0] = c->measures[1] = -1;
    for (size_t k = 0; k < n; k++) {
        for (int m = 0; m < N_CLAIM_MEASURES && c->measures[k] < 0; m++) {
            c->measures[k] = strcmp(words[k], known[m]) == 0 ? m : -1;
        }
        if (c->measures[k] < 0) {
            return regret_fail_prefix(name_unknown("measure", words[k], known, N_CLAIM_MEASURES),
                                      "%s:%zu", r->at.file, r->at.line);
        }
    }
    return n > 0 ? REGRET_OK : regret_json_error(r->at, "a claim names a measure");
}

static int read_comparison(struct claim *c, const struct reading *r)
{
    static const char *const against[N_AGAINST] = {
        "", "each", "other", "dm", "half", "best-other", "best-obs-based", "best-ranked"};
    static const char *const directions[] = {"below", "near", "above"};
    size_t way = 0, direction = 0;
    TRY(read_word(&way, r, "against", against, N_AGAINST));
    TRY(read_word(&direction, r, "direction", directions, 3));
    c->against = (enum claim_against)way;
    c->sign = (int)direction - 1;
    return REGRET_OK;
}

/* ---------------------------------------------------------------- which cells */

static int check_key(const char *key, struct regret_place at)
{
    return sheet_check_key(key, strlen(key), at);
}

/* "slope n_exp": how, and along which keys. */
static int read_over(struct claim *c, const struct reading *r)
{
    static const struct {
        const char *word;
        size_t least, most; /* keys */
    } ways[N_OVER] = {{"", 0, 0},     {"each", 0, 1},  {"slope", 1, 1}, {"change", 1, 2},
                      {"flip", 1, 1}, {"cross", 1, 1}, {"fit", 0, 0},   {"rows", 0, 0}};
    const char *words[1 + CLAIM_KEYS] = {""}, *known[N_OVER];
    size_t n = 0;
    TRY(read_words(words, &n, r, "over", 1 + CLAIM_KEYS));
    for (size_t k = 0; k < N_OVER; k++) {
        known[k] = ways[k].word;
        c->over = strcmp(ways[k].word, words[0]) == 0 ? (enum claim_over)k : c->over;
    }
    if (strcmp(ways[c->over].word, words[0]) != 0) {
        return regret_fail_prefix(name_unknown("over", words[0], known, N_OVER), "%s:%zu",
                                  r->at.file, r->at.line);
    }
    size_t n_keys = n > 0 ? n - 1 : 0;
    if (n_keys < ways[c->over].least || n_keys > ways[c->over].most) {
        return regret_json_error(r->at, "over: \"%s\" goes along %zu to %zu keys, not %zu",
                                 words[0], ways[c->over].least, ways[c->over].most, n_keys);
    }
    for (size_t k = 0; k < n_keys; k++) {
        TRY(check_key(words[1 + k], r->at));
        c->keys[k] = words[1 + k];
    }
    return REGRET_OK;
}

/* "n_exp=first", "beta>first", "reward.lambda_fix>=middle", "reward.map=smooth". */
static int read_cells(struct claim *c, const struct reading *r)
{
    const char *words[CLAIM_CELLS] = {NULL};
    TRY(read_words(words, &c->n_cells, r, "cells", CLAIM_CELLS));
    for (size_t i = 0; i < c->n_cells; i++) {
        struct claim_cells *at = &c->cells[i];
        size_t length = strcspn(words[i], "=>");
        const char *rest = words[i] + length;
        TRY(sheet_check_key(words[i], length, r->at));
        at->at = strcmp(rest, "=first") == 0     ? AT_FIRST
                 : strcmp(rest, "=last") == 0    ? AT_LAST
                 : strcmp(rest, ">first") == 0   ? AT_LATER
                 : strcmp(rest, ">=middle") == 0 ? AT_UPPER
                                                 : AT_VALUE;
        if (at->at == AT_VALUE && (rest[0] != '=' || rest[1] == '\0')) {
            return regret_json_error(r->at,
                                     "cells: \"%s\" is none of KEY=first, KEY=last, KEY>first, "
                                     "KEY>=middle and KEY=VALUE",
                                     words[i]);
        }
        at->key = words[i];
        at->value = rest + 1;
        ((char *)rest)[0] = '\0'; /* the sheet's own text: the key ends here */
    }
    return REGRET_OK;
}

/* "families", or a key that must be swept. */
static int read_needs(struct claim *c, const struct reading *r)
{
    const char *words[1 + CLAIM_NEEDS] = {NULL};
    size_t n = 0, kept = 0;
    TRY(read_words(words, &n, r, "needs", CLAIM_NEEDS));
    for (size_t k = 0; k < n; k++) {
        if (strcmp(words[k], "families") == 0) {
            c->needs_families = 1;
        } else {
            TRY(check_key(words[k], r->at));
            c->needs[kept++] = words[k];
        }
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- records */

static int read_views(struct claim *c, const struct claims *all, const struct reading *r)
{
    const char *words[MOST_VIEWS], *known[MOST_VIEWS];
    size_t n = 0;
    TRY(read_words(words, &n, r, "views", MOST_VIEWS));
    for (size_t v = 0; v < all->n_views; v++) {
        known[v] = all->views[v].name;
    }
    for (size_t k = 0; k < n; k++) {
        size_t v = 0;
        while (v < all->n_views && strcmp(known[v], words[k]) != 0) {
            v++;
        }
        if (v == all->n_views) {
            return regret_fail_prefix(name_unknown("view", words[k], known, v), "%s:%zu",
                                      r->at.file, r->at.line);
        }
        c->views |= 1U << v;
    }
    return n > 0 ? REGRET_OK : regret_json_error(r->at, "a claim names a view that it is about");
}

/* "β least: | ; greatest:" */
static void read_ends(struct claim *c, const char *words)
{
    char *bar = strstr(words, " | ");
    if (bar != NULL) {
        *bar = '\0'; /* the sheet's own text */
        c->ends[0] = words;
        c->ends[1] = bar + 3;
    }
}

/* What the evaluator can make something of. */
static const char *fault_of(const struct claim *c)
{
    int m = c->measures[0], one = c->over == OVER_ALL && c->measures[1] < 0;
    int other = c->against == AGAINST_OTHER || c->against == AGAINST_BEST_OTHER;
    if (c->measures[1] >= REGRET_N_MEASURES || (c->measures[1] >= 0 && m >= REGRET_N_MEASURES)) {
        return "measure: two of them are of rows";
    }
    if (c->spoken_of == 0 && !c->everyone && c->choice == CHOICE_NONE && m != MEASURE_MOST_WINS) {
        return "subjects: it names none";
    }
    if (other && (c->spoken_of == CLAIM_SUBJECTS || c->subjects[c->spoken_of] == NULL)) {
        return "others: it is taken against another, but names none";
    }
    if ((m == MEASURE_MOST_WINS) != (c->over == OVER_ROWS)) {
        return "over: most-wins are compared over rows, and nothing else is";
    }
    if (m == MEASURE_RANK || m == MEASURE_TOP3 || m == MEASURE_EXCESS) {
        return c->against != AGAINST_EACH || !one
                   ? "against: ranks and excesses are taken against each, over all"
                   : NULL;
    }
    if (m == MEASURE_WINS) {
        return !one || c->spoken_of != 1 ||
                       (c->against != AGAINST_HALF && c->against != AGAINST_OTHER &&
                        c->against != AGAINST_BEST_RANKED)
                   ? "against: wins of one subject are taken against half, other or best-ranked, "
                     "over all"
                   : NULL;
    }
    if ((m == MEASURE_SMALL_LAMBDA) != (c->against == AGAINST_HALF)) {
        return "against: lambda<=0.1 is taken against half, and no measure of rows is";
    }
    if (c->choice != CHOICE_NONE && (c->against != AGAINST_BEST_RANKED || !one)) {
        return "against: a choice of families is taken against best-ranked, over all";
    }
    if (c->against == AGAINST_EACH && c->over != OVER_ALL) {
        return "over: what is taken against each is compared over all cells";
    }
    return c->sign == 0 && c->over != OVER_EACH && c->over != OVER_CHANGE
               ? "direction: near is said of a change, or over each"
               : NULL;
}

static int read_claim(struct claim *c, struct claims *all, size_t i)
{
    static const char *const standings[] = {"paper", "construction", "ours"};
    const struct reading r = {&all->sheet, i, sheet_place(&all->sheet, i)};
    size_t standing = 0;
    c->id = sheet_field(r.sheet, i, "id");
    c->idea = sheet_field(r.sheet, i, "idea");
    c->paper = sheet_field(r.sheet, i, "paper");
    c->text = sheet_field(r.sheet, i, "text");
    for (size_t k = 0; k < i; k++) {
        if (strcmp(all->items[k].id, c->id) == 0) {
            return regret_json_error(r.at, "the claim \"%s\" is there twice", c->id);
        }
    }
    TRY(read_word(&standing, &r, "standing", standings, 3));
    c->standing = (enum claim_standing)standing;
    TRY(read_views(c, all, &r));
    TRY(read_subjects(c, &r));
    TRY(read_measures(c, &r));
    TRY(read_comparison(c, &r));
    TRY(read_over(c, &r));
    TRY(read_cells(c, &r));
    TRY(read_needs(c, &r));
    read_ends(c, sheet_field(r.sheet, i, "words"));
    const char *fault = fault_of(c);
    return fault != NULL ? regret_json_error(r.at, "%s", fault) : REGRET_OK;
}

static int check_heads(const struct sheet *s)
{
    static const char *const heads[] = {"id",     "idea",    "standing", "views",     "subjects",
                                        "others", "measure", "against",  "direction", "over",
                                        "cells",  "needs",   "words",    "paper",     "text"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        if (sheet_column(s, heads[i]) == REGRET_NO_ROW) {
            return regret_json_error((struct regret_place){s->name, 1},
                                     "no column \"%s\" in the header", heads[i]);
        }
    }
    return REGRET_OK;
}

static int read_all(struct claims *c)
{
    TRY(check_heads(&c->sheet));
    TRY(sheet_of_paper(&c->view_sheet, "data/paper/views.csv"));
    if (c->view_sheet.n > MOST_VIEWS) {
        return regret_fail(REGRET_E_INTERNAL, "%s: more than %d views", c->view_sheet.name,
                           (int)MOST_VIEWS);
    }
    TRY(REGRET_NEW(&c->views, c->view_sheet.n));
    for (; c->n_views < c->view_sheet.n; c->n_views++) {
        TRY(shape_read(&c->views[c->n_views], &c->view_sheet, c->n_views));
    }
    TRY(REGRET_NEW(&c->items, c->sheet.n));
    for (; c->n < c->sheet.n; c->n++) {
        TRY(read_claim(&c->items[c->n], c, c->n));
    }
    return REGRET_OK;
}

/* Takes the sheet. */
static int claims_of(struct claims *out, const struct sheet *sheet)
{
    struct claims c = {.sheet = *sheet};
    int rc = read_all(&c);
    if (rc != REGRET_OK) {
        claims_free(&c);
        return rc;
    }
    *out = c;
    return REGRET_OK;
}

int claims_read(struct claims *out)
{
    struct sheet sheet = {0};
    TRY(sheet_of_paper(&sheet, "data/paper/claims.csv"));
    return claims_of(out, &sheet);
}

int claims_parse(struct claims *out, const char *text, const char *name)
{
    struct sheet sheet = {0};
    TRY(sheet_parse(&sheet, text, name, SHEET_LONGEST));
    return claims_of(out, &sheet);
}

void claims_free(struct claims *c)
{
    for (size_t i = 0; i < c->n_views; i++) {
        shape_free(&c->views[i]);
    }
    regret_free(c->views);
    regret_free(c->items);
    sheet_free(&c->view_sheet);
    sheet_free(&c->sheet);
    *c = (struct claims){0};
}

/* ---------------------------------------------------------------- views */

unsigned claim_views_of(const struct claims *c, const struct slice *all)
{
    unsigned views = 0;
    for (size_t i = 0; i < c->n_views; i++) {
        views |= shape_fits(&c->views[i], all) ? 1U << i : 0U;
    }
    return views;
}

void claim_views_append(struct regret_buffer *out, const struct claims *c, unsigned views)
{
    const char *joint = "";
    for (size_t i = 0; i < c->n_views; i++) {
        if (views & 1U << i) {
            regret_buffer_printf(out, "%s%s", joint, c->views[i].name);
            joint = ", ";
        }
    }
}
