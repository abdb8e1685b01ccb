/* Claims as data: the records of data/paper/claims.csv, and the views of data/paper/views.csv. */
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/families.h"
#include "report/claims/claims.h"
#include "results/row/row.h"

enum { MOST_VIEWS = 32 };

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

static int read_subjects(struct claim *c, struct sheet *s, size_t i)
{
    static const struct {
        const char *word;
        enum claim_choice choice;
    } pseudo[] = {{"*", CHOICE_NONE}, {"by-cell", CHOICE_BY_CELL}, {"by-top1", CHOICE_BY_TOP1}};
    size_t others = 0;
    TRY(sheet_words(c->subjects, CLAIM_SUBJECTS, &c->n_subjects, s, i, "subjects"));
    for (size_t k = 0; c->n_subjects == 1 && k < 3; k++) {
        if (strcmp(c->subjects[0], pseudo[k].word) == 0) {
            c->choice = pseudo[k].choice;
            c->everyone = k == 0;
            c->n_subjects = 0;
        }
    }
    TRY(sheet_words(c->subjects + c->n_subjects, CLAIM_SUBJECTS - c->n_subjects, &others, s, i,
                    "others"));
    if (c->n_subjects + others < CLAIM_SUBJECTS) {
        c->subjects[c->n_subjects + others] = NULL;
    }
    for (size_t k = 0; k < c->n_subjects + others; k++) {
        TRY(read_subject(c, k, sheet_place(s, i)));
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- what is compared */

static int read_measures(struct claim *c, struct sheet *s, size_t i)
{
    const char *known[N_CLAIM_MEASURES] = {[MEASURE_RANK] = "rank",
                                           [MEASURE_TOP3] = "in-top3",
                                           [MEASURE_EXCESS] = "excess",
                                           [MEASURE_WINS] = "wins",
                                           [MEASURE_MOST_WINS] = "most-wins",
                                           [MEASURE_SMALL_LAMBDA] = "lambda<=0.1",
                                           [MEASURE_COSTLIEST] = "costliest-tenth",
                                           [MEASURE_DM_BIAS] = "dm_bias2",
                                           [MEASURE_DR_BIAS] = "dr_bias2"};
    const char *words[CLAIM_MEASURES] = {NULL};
    size_t n = 0, m = 0;
    for (size_t k = 0; k < REGRET_N_MEASURES; k++) {
        known[k] = row_measure_name((enum regret_measure)k);
    }
    TRY(sheet_words(words, CLAIM_MEASURES, &n, s, i, "measure"));
    c->measures[0] = c->measures[1] = -1;
    for (size_t k = 0; k < n; k++) {
        TRY(sheet_known(&m, words[k], "measure", known, N_CLAIM_MEASURES, sheet_place(s, i)));
        c->measures[k] = (int)m;
    }
    return n > 0 ? REGRET_OK : regret_json_error(sheet_place(s, i), "a claim names a measure");
}

static int read_comparison(struct claim *c, struct sheet *s, size_t i)
{
    static const char *const against[N_AGAINST] = {
        "", "each", "other", "dm", "half", "best-other", "best-obs-based", "best-ranked"};
    static const char *const directions[] = {"below", "near", "above"};
    size_t way = 0, direction = 0;
    TRY(sheet_word(&way, s, i, "against", against, N_AGAINST));
    TRY(sheet_word(&direction, s, i, "direction", directions, 3));
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
static int read_over(struct claim *c, struct sheet *s, size_t i)
{
    static const struct {
        const char *word;
        size_t least, most; /* keys */
    } ways[N_OVER] = {{"", 0, 0},     {"each", 0, 1},  {"slope", 1, 1}, {"change", 1, 2},
                      {"flip", 1, 1}, {"cross", 1, 1}, {"fit", 0, 0},   {"rows", 0, 0}};
    const char *words[1 + CLAIM_KEYS] = {""}, *known[N_OVER];
    size_t n = 0, way = 0;
    struct regret_place at = sheet_place(s, i);
    for (size_t k = 0; k < N_OVER; k++) {
        known[k] = ways[k].word;
    }
    TRY(sheet_words(words, 1 + CLAIM_KEYS, &n, s, i, "over"));
    TRY(sheet_known(&way, words[0], "over", known, N_OVER, at));
    c->over = (enum claim_over)way;
    size_t n_keys = n > 0 ? n - 1 : 0;
    if (n_keys < ways[way].least || n_keys > ways[way].most) {
        return regret_json_error(at, "over: \"%s\" goes along %zu to %zu keys, not %zu", words[0],
                                 ways[way].least, ways[way].most, n_keys);
    }
    for (size_t k = 0; k < n_keys; k++) {
        TRY(check_key(words[1 + k], at));
        c->keys[k] = words[1 + k];
    }
    return REGRET_OK;
}

/* "n_exp=first", "beta>first", "reward.lambda_fix>=middle", "reward.map=smooth". */
static int read_cells(struct claim *c, struct sheet *s, size_t i)
{
    static const char *const ends[] = {[AT_FIRST] = "=first",
                                       [AT_LAST] = "=last",
                                       [AT_LATER] = ">first",
                                       [AT_UPPER] = ">=middle",
                                       [AT_LAST_TWO] = ">=last-but-one"};
    const char *words[CLAIM_CELLS] = {NULL};
    TRY(sheet_words(words, CLAIM_CELLS, &c->n_cells, s, i, "cells"));
    for (size_t k = 0; k < c->n_cells; k++) {
        size_t length = strcspn(words[k], "=>"), at = AT_LAST_TWO;
        char *rest = (char *)words[k] + length; /* the sheet's own text */
        TRY(sheet_check_key(words[k], length, sheet_place(s, i)));
        while (at > AT_VALUE && strcmp(rest, ends[at]) != 0) {
            at--;
        }
        if (at == AT_VALUE && (rest[0] != '=' || rest[1] == '\0')) {
            return regret_json_error(sheet_place(s, i),
                                     "cells: \"%s\" is none of KEY=first, KEY=last, KEY>first, "
                                     "KEY>=middle, KEY>=last-but-one and KEY=VALUE",
                                     words[k]);
        }
        *rest = '\0';
        c->cells[k] = (struct claim_cells){words[k], (enum claim_at)at, rest + 1};
    }
    return REGRET_OK;
}

/* "families", or a key that must be swept. */
static int read_needs(struct claim *c, struct sheet *s, size_t i)
{
    const char *words[CLAIM_NEEDS] = {NULL};
    size_t n = 0, kept = 0;
    TRY(sheet_words(words, CLAIM_NEEDS, &n, s, i, "needs"));
    for (size_t k = 0; k < n; k++) {
        if (strcmp(words[k], "families") == 0) {
            c->needs_families = 1;
        } else {
            TRY(check_key(words[k], sheet_place(s, i)));
            c->needs[kept++] = words[k];
        }
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- records */

static int read_views(struct claim *c, struct claims *all, size_t i)
{
    const char *words[MOST_VIEWS], *known[MOST_VIEWS];
    struct regret_place at = sheet_place(&all->sheet, i);
    size_t n = 0, view = 0;
    for (size_t v = 0; v < all->n_views; v++) {
        known[v] = all->views[v].name;
    }
    TRY(sheet_words(words, MOST_VIEWS, &n, &all->sheet, i, "views"));
    for (size_t k = 0; k < n; k++) {
        TRY(sheet_known(&view, words[k], "view", known, all->n_views, at));
        c->views |= 1U << view;
    }
    return n > 0 ? REGRET_OK : regret_json_error(at, "a claim names a view that it is about");
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

static int is_share(int measure)
{
    return measure == MEASURE_SMALL_LAMBDA || measure == MEASURE_COSTLIEST;
}

/* 1 when the claim is of places among the ranked families, and a subject or other is none of them. */
static int is_unranked(const struct claim *c)
{
    int m = c->measures[0], is = 0;
    int has_others = c->n_subjects < CLAIM_SUBJECTS && c->subjects[c->n_subjects] != NULL;
    int is_placed = m == MEASURE_RANK || m == MEASURE_TOP3 || m == MEASURE_EXCESS ||
                    (m == MEASURE_WINS && (c->against == AGAINST_EACH || !has_others));
    for (size_t i = 0; is_placed && i < CLAIM_SUBJECTS && c->subjects[i] != NULL; i++) {
        is |= c->kind != REGRET_ROW_FAMILY ||
              !(regret_family_find(c->subjects[i])->roles & REGRET_ROLE_PAPER);
    }
    return is;
}

/* What the evaluator can make something of. */
static const char *fault_of(const struct claim *c)
{
    int m = c->measures[0], whole = c->over == OVER_ALL, one = whole && c->measures[1] < 0;
    int other = c->against == AGAINST_OTHER || c->against == AGAINST_BEST_OTHER;
    if ((strstr(c->idea, "(not counted)") != NULL) != (c->standing != STANDING_PAPER)) {
        return "idea: what is not the paper's stands under one that ends in \"(not counted)\", and "
               "nothing else does";
    }
    if (c->measures[1] >= REGRET_N_MEASURES || (c->measures[1] >= 0 && m >= REGRET_N_MEASURES)) {
        return "measure: two of them are of rows";
    }
    if (c->n_subjects == 0 && !c->everyone && c->choice == CHOICE_NONE && m != MEASURE_MOST_WINS) {
        return "subjects: it names none";
    }
    if (is_unranked(c)) {
        return "subjects: ranks, excesses and wins among all are of the families that the paper "
               "ranks";
    }
    if (other && (c->n_subjects == CLAIM_SUBJECTS || c->subjects[c->n_subjects] == NULL)) {
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
    if (m == MEASURE_WINS && (c->against != AGAINST_EACH || !one)) {
        return !one || c->n_subjects != 1 ||
                       (c->against != AGAINST_HALF && c->against != AGAINST_OTHER &&
                        c->against != AGAINST_BEST_RANKED)
                   ? "against: wins of one subject are taken against half, other or best-ranked, "
                     "and of several against each, over all"
                   : NULL;
    }
    if (is_share(m) != (c->against == AGAINST_HALF) || (is_share(m) && !one)) {
        return "against: lambda<=0.1 and costliest-tenth are taken against half, over all, and no "
               "measure of rows is";
    }
    if ((m == MEASURE_DM_BIAS || m == MEASURE_DR_BIAS) &&
        (c->against == AGAINST_EACH || c->against >= AGAINST_BEST_OTHER)) {
        return "against: dm_bias2 and dr_bias2 are taken against nothing, other or dm";
    }
    if (c->choice != CHOICE_NONE && (c->against != AGAINST_BEST_RANKED || !whole)) {
        return "against: a choice of families is taken against best-ranked, over all";
    }
    if (c->against == AGAINST_EACH && !whole && c->n_subjects != 1) {
        return "over: what is taken against each along a key or by cell is one subject";
    }
    return c->sign == 0 && c->over != OVER_EACH && c->over != OVER_CHANGE &&
                   c->choice != CHOICE_BY_CELL
               ? "direction: near is said of a change, over each, or of by-cell"
               : NULL;
}

static int read_claim(struct claim *c, struct claims *all, size_t i)
{
    static const char *const standings[] = {"paper", "construction", "ours"};
    struct sheet *s = &all->sheet;
    struct regret_place at = sheet_place(s, i);
    size_t standing = 0;
    c->id = sheet_field(s, i, "id");
    c->idea = sheet_field(s, i, "idea");
    c->paper = sheet_field(s, i, "paper");
    c->text = sheet_field(s, i, "text");
    for (size_t k = 0; k < i; k++) {
        if (strcmp(all->items[k].id, c->id) == 0) {
            return regret_json_error(at, "the claim \"%s\" is there twice", c->id);
        }
    }
    TRY(sheet_word(&standing, s, i, "standing", standings, 3));
    c->standing = (enum claim_standing)standing;
    TRY(read_views(c, all, i));
    TRY(read_subjects(c, s, i));
    TRY(read_measures(c, s, i));
    TRY(read_comparison(c, s, i));
    TRY(read_over(c, s, i));
    TRY(read_cells(c, s, i));
    TRY(read_needs(c, s, i));
    read_ends(c, sheet_field(s, i, "words"));
    const char *fault = fault_of(c);
    return fault != NULL ? regret_json_error(at, "%s", fault) : REGRET_OK;
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

/* 1 when a view of the run sweeps the key. */
static int is_swept_by(const struct claims *c, unsigned views, const char *key)
{
    int is = 0;
    for (size_t i = 0; i < c->n_views; i++) {
        is |= (views & 1U << i) && shape_sweeps(&c->views[i], key);
    }
    return is;
}

int claim_groups(struct groups *out, const struct claims *c, const struct table_data *d)
{
    size_t *keys = NULL, n = 0;
    unsigned views = claim_views_of(c, &d->all);
    TRY(REGRET_NEW(&keys, d->r->n_keys + 1));
    size_t all = group_keys(keys, d->r, 0);
    for (size_t i = 0; i < all; i++) {
        if (!is_swept_by(c, views, d->r->keys[keys[i]].name)) {
            keys[n++] = keys[i];
        }
    }
    int rc = groups_split(out, &d->all, keys, n);
    regret_free(keys);
    return rc;
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
