/* Claims as data: the records of data/paper/claims.csv, and the views of data/paper/views.csv. They are built in, and
 * data/paper/check.py, a test, has looked at what they say; here it is read. */
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "report/claims/claims.h"
#include "results/row/row.h"

enum { MOST_VIEWS = 32 };

/* ---------------------------------------------------------------- subjects */

/* "fit:proxy" without what says its kind, which all subjects share. */
static void read_kind(struct claim *c, size_t i)
{
    static const struct {
        const char *prefix;
        enum regret_row_kind kind;
    } kinds[] = {{"fit:", REGRET_ROW_FIT}, {"baseline:", REGRET_ROW_BASELINE}};
    for (size_t k = 0; k < 2; k++) {
        size_t length = strlen(kinds[k].prefix);
        if (strncmp(c->subjects[i], kinds[k].prefix, length) == 0) {
            c->subjects[i] += length;
            c->kind = kinds[k].kind;
        }
    }
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
        read_kind(c, k);
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
    return REGRET_OK;
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

/* "slope n_exp": how, and along which keys. */
static int read_over(struct claim *c, struct sheet *s, size_t i)
{
    static const char *const ways[N_OVER] = {"",     "each",  "slope", "change",
                                             "flip", "cross", "fit",   "rows"};
    const char *words[1 + CLAIM_KEYS] = {""};
    size_t n = 0, way = 0;
    TRY(sheet_words(words, 1 + CLAIM_KEYS, &n, s, i, "over"));
    TRY(sheet_known(&way, words[0], "over", ways, N_OVER, sheet_place(s, i)));
    c->over = (enum claim_over)way;
    memcpy(c->keys, words + 1, sizeof c->keys);
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
        char *rest = (char *)words[k] + strcspn(words[k], "=>"); /* the sheet's own text */
        size_t at = AT_LAST_TWO;
        while (at > AT_VALUE && strcmp(rest, ends[at]) != 0) {
            at--;
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
    return REGRET_OK;
}

static int read_claim(struct claim *c, struct claims *all, size_t i)
{
    static const char *const standings[] = {"paper", "construction", "ours"};
    struct sheet *s = &all->sheet;
    size_t standing = 0;
    c->id = sheet_field(s, i, "id");
    c->idea = sheet_field(s, i, "idea");
    c->paper = sheet_field(s, i, "paper");
    c->text = sheet_field(s, i, "text");
    TRY(sheet_word(&standing, s, i, "standing", standings, 3));
    c->standing = (enum claim_standing)standing;
    TRY(read_views(c, all, i));
    TRY(read_subjects(c, s, i));
    TRY(read_measures(c, s, i));
    TRY(read_comparison(c, s, i));
    TRY(read_over(c, s, i));
    TRY(read_cells(c, s, i));
    return read_needs(c, s, i);
}

static int read_all(struct claims *c)
{
    TRY(sheet_of_paper(&c->view_sheet, "data/paper/views.csv"));
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
    size_t n = 0;
    FREED size_t *keys = NULL;
    unsigned views = claim_views_of(c, &d->all);
    TRY(REGRET_NEW(&keys, d->r->n_keys + 1));
    size_t all = group_keys(keys, d->r, 0);
    for (size_t i = 0; i < all; i++) {
        if (!is_swept_by(c, views, d->r->keys[keys[i]].name)) {
            keys[n++] = keys[i];
        }
    }
    return groups_split(out, &d->all, keys, n);
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
