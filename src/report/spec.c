#include "report/internal.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "regret/estimate.h"
#include "regret/status.h"
#include "report/ranks.h"
#include "report/slice.h"
#include "report/table.h"

/* Follows a specification over the cells of a run. */

/* ---------------------------------------------------------------- heads */

static size_t count_null_regrets(const struct regret_results *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n_rows; i++) {
        n += r->subjects[r->row_subject[i]].kind != REGRET_ROW_FIT &&
             r->row_failure[i] == REGRET_NO_ROW && /* those are told apart */
             !isfinite(r->measure[REGRET_MEASURE_REGRET][i]);
    }
    return n;
}

/* What rows and seeds lack. */
static void note_gaps(struct table *t, const struct regret_results *r)
{
    if (r->gaps != NULL) {
        table_note(t,
                   "%s Means use the replicates that are there; standard errors and intervals "
                   "only the seeds that are whole.",
                   r->gaps);
    }
    if (r->unmade != NULL) {
        table_note(t, "%s", r->unmade);
    }
    size_t nulls = count_null_regrets(r);
    if (nulls > 0) {
        table_note(t, "%zu row%s no finite regret and count%s as missing.", nulls,
                   nulls == 1 ? " has" : "s have", nulls == 1 ? "s" : "");
    }
    if (r->n_seeds == 1) {
        table_note(t, "One seed only: standard errors and intervals are undefined (–), and no two "
                      "families can be told apart.");
    } else if (r->n_seeds < FEW_SEEDS) {
        table_note(t, "%zu seeds only: bootstrap intervals over so few are too narrow.",
                   r->n_seeds);
    }
}

/* The title with what the data are, then the notes that every table has: synthetic or real, and but for one of the pool
 * itself gaps, and what too few seeds mean. */
static void begin(struct table *t, const struct table_spec *spec, const struct regret_results *r)
{
    int of_votes = spec->title_of_votes != NULL && has_strengths(r);
    table_begin(t, spec->name, "%s: %s (%s)", of_votes ? spec->title_of_votes : spec->title,
                r->run.pool_name, r->run.synthetic ? "SYNTHETIC data" : "real task");
    if (r->run.synthetic) {
        table_note(t,
                   "SYNTHETIC: the pool %s was generated; these numbers say nothing about any "
                   "real task.",
                   r->run.pool_name);
    }
    if (!spec->of_pool) {
        note_gaps(t, r);
    }
}

/* ---------------------------------------------------------------- blocks with axes */

static int put_number(struct table *t, const struct line_spec *line, const struct line_place *at)
{
    struct line_value x;
    TRY(line_read(&x, line, at));
    table_cell(t, x.subject, x.value, x.se, x.decimals, x.flags);
    return REGRET_OK;
}

/* The columns of a block: groups of cells, and the two whose difference is shown, if any. */
struct group_columns {
    struct groups groups;
    const struct group *from, *to;
};

/* The group at that value of the axis, or NULL. */
static const struct group *find_column(const struct groups *g, size_t key, const char *value)
{
    for (size_t j = 0; value != NULL && j < g->n; j++) {
        if (strcmp(slice_value(&g->items[j].slice, key), value) == 0) {
            return &g->items[j];
        }
    }
    return NULL;
}

/* The mean at `to` less that at `from`. */
static int put_change(struct table *t, const struct group_columns *c, const struct line_spec *line,
                      size_t self)
{
    struct line_value from, to;
    TRY(line_read(&from, line, &(struct line_place){&c->from->slice, self, NULL, 0}));
    TRY(line_read(&to, line, &(struct line_place){&c->to->slice, self, NULL, 0}));
    table_signed(t, to.value - from.value, to.decimals);
    return REGRET_OK;
}

static int put_row(struct table *t, const struct group_columns *c, const struct line_spec *line,
                   const char *name, size_t self)
{
    table_row(t, "%s%s", line->label, name);
    for (size_t j = 0; j < c->groups.n; j++) {
        const struct line_place at = {&c->groups.items[j].slice, self, NULL, 0};
        TRY(put_number(t, line, &at));
    }
    return c->from != NULL && c->to != NULL ? put_change(t, c, line, self) : REGRET_OK;
}

/* 1 when a line is there for the subject. */
static int is_for(const struct line_spec *line, const struct regret_results *r, size_t subject)
{
    static const enum regret_row_kind kind[] = {[LINE_EACH_RANKED] = REGRET_ROW_FAMILY,
                                                [LINE_EACH_BASELINE] = REGRET_ROW_BASELINE,
                                                [LINE_EACH_FIT] = REGRET_ROW_FIT};
    return r->subjects[subject].kind == kind[line->each] &&
           (line->each == LINE_EACH_RANKED ? family_is_ranked(r, subject)
                                           : has_measure(r, line->measure, subject));
}

/* A row for each subject of the line; the lowest of the ranked families is stressed. */
static int put_each(struct table *t, const struct group_columns *c, const struct line_spec *line,
                    const struct table_data *d)
{
    for (size_t i = 0; i < d->r->n_subjects; i++) {
        if (is_for(line, d->r, i)) {
            TRY(put_row(t, c, line, d->r->subjects[i].name, i));
        }
    }
    int stressed = line->each == LINE_EACH_RANKED && d->n_ranked > 1;
    for (size_t j = 0; stressed && t->status == REGRET_OK && j < c->groups.n; j++) {
        table_stress_lowest(t, 0, d->n_ranked, j + 1);
    }
    return REGRET_OK;
}

/* 1 when the line is of a fit that the run does not have. */
static int lacks_fit(const struct line_spec *line, const struct regret_results *r)
{
    if (line->subject.kind != SUBJECT_FIT) {
        return 0;
    }
    size_t fit = regret_results_subject(r, REGRET_ROW_FIT, line->subject.name);
    return fit == REGRET_NO_ROW || !has_measure(r, line->measure, fit);
}

static int put_lines(struct table *t, const struct block_spec *block, const struct group_columns *c,
                     const struct table_data *d, size_t self)
{
    for (const struct line_spec *line = block->lines; line->label != NULL; line++) {
        if (line->each != LINE_ONCE) {
            TRY(put_each(t, c, line, d));
        } else if (!lacks_fit(line, d->r)) {
            TRY(put_row(t, c, line, "", self));
        }
    }
    return REGRET_OK;
}

/* The block over the cells of the group, which is begun, along the axes. */
static int put_along(struct table *t, const struct block_spec *block, const struct group *group,
                     const struct table_data *d, const struct key_axis *axes, size_t n_axes,
                     size_t self)
{
    struct group_columns c = {{0}, NULL, NULL};
    size_t keys[SPEC_AXES];
    for (size_t i = 0; i < n_axes; i++) {
        keys[i] = axes[i].key;
    }
    TRY(groups_split(&c.groups, &group->slice, keys, n_axes));
    c.from = find_column(&c.groups, keys[0], block->from);
    c.to = find_column(&c.groups, keys[0], block->to);
    table_column(t, "%s", block->corner);
    table_value_columns(t, &c.groups, axes, n_axes);
    if (c.from != NULL && c.to != NULL) {
        table_column(t, "%s − %s", block->to, block->from);
    }
    int rc = put_lines(t, block, &c, d, self);
    groups_free(&c.groups);
    return rc;
}

static int put_family_blocks(struct table *t, const struct block_spec *block,
                             const struct group *group, const struct table_data *d,
                             const struct key_axis *axes, size_t n_axes)
{
    for (size_t i = 0; i < d->n_ranked; i++) {
        if (has_measure(d->r, block->lines[0].measure, d->ranked[i])) {
            table_block_of(t, group, d->r->subjects[d->ranked[i]].name);
            table_key(t, TABLE_KEY_OF_BLOCK, "family", d->r->subjects[d->ranked[i]].name);
            TRY(put_along(t, block, group, d, axes, n_axes, d->ranked[i]));
        }
    }
    return REGRET_OK;
}

static const char *symbol_of(const struct axis_spec *axis)
{
    const struct regret_reward_parameter *p = reward_parameter(axis->key);
    return axis->symbol != NULL             ? axis->symbol
           : p != NULL && p->symbol != NULL ? p->symbol
                                            : axis->key;
}

static int put_block_over(struct table *t, const struct block_spec *block,
                          const struct group *group, const struct table_data *d)
{
    struct key_axis axes[SPEC_AXES];
    size_t n = 0, self = REGRET_NO_ROW;
    for (size_t i = 0; i < SPEC_AXES && block->axes[i].key != NULL; i++) {
        axes[n++] =
            (struct key_axis){find_axis(d->r, block->axes[i].key), symbol_of(&block->axes[i])};
        if (axes[i].key == REGRET_NO_ROW) {
            return REGRET_OK;
        }
    }
    if (block->each_family) {
        return put_family_blocks(t, block, group, d, axes, n);
    }
    if (block->self != NULL) {
        self = regret_results_subject(d->r, REGRET_ROW_FAMILY, block->self);
        if (self == REGRET_NO_ROW) {
            return REGRET_OK;
        }
    }
    table_block_of(t, group, block->heading != NULL ? block->heading : "");
    return put_along(t, block, group, d, axes, n, self);
}

static int put_axes_block(struct table *t, const struct block_spec *block,
                          const struct group *group, const struct table_data *d)
{
    struct group part = {.heading = group->heading};
    size_t key = block->at.key != NULL ? find_axis(d->r, block->at.key) : REGRET_NO_ROW;
    if (block->at.key == NULL) {
        return put_block_over(t, block, group, d);
    }
    if (key == REGRET_NO_ROW) {
        return REGRET_OK;
    }
    size_t value = value_number(&d->r->keys[key], block->at.value);
    TRY(slice_where(&part.slice, &group->slice, key, value));
    int rc = part.slice.n_cells > 0 ? put_block_over(t, block, &part, d) : REGRET_OK;
    slice_free(&part.slice);
    return rc;
}

/* ---------------------------------------------------------------- blocks without */

static int is_among(const size_t *families, size_t n, size_t family)
{
    size_t i = 0;
    while (i < n && families[i] != family) {
        i++;
    }
    return i < n;
}

/* 1 when family `f` of the run is a variant of one of the `n`. */
static int is_variant_among(const size_t *families, size_t n, const struct regret_results *r,
                            size_t f)
{
    const char *base = r->subjects[f].variant_of;
    return base != NULL &&
           is_among(families, n, regret_results_subject(r, REGRET_ROW_FAMILY, base));
}

/* The families of the rows, which `out` has room for. */
static size_t row_families(size_t *out, const struct block_spec *block, const struct table_data *d)
{
    size_t n = 0;
    for (size_t i = 0; i < SPEC_ROWS && block->rows[i] != NULL; i++) {
        size_t f = regret_results_subject(d->r, REGRET_ROW_FAMILY, block->rows[i]);
        if (f != REGRET_NO_ROW) {
            out[n++] = f;
        }
    }
    for (size_t f = 0; block->variants && f < d->r->n_families; f++) {
        if (is_variant_among(out, n, d->r, f) && !is_among(out, n, f)) {
            out[n++] = f;
        }
    }
    for (size_t i = 0; block->rows[0] == NULL && i < d->n_ranked; i++) {
        out[n++] = d->ranked[i];
    }
    return n;
}

/* The rest of a block that is begun: a row for each family, a column for each line. */
static int put_families(struct table *t, const struct block_spec *block, const struct slice *s,
                        const struct table_data *d)
{
    FREED size_t *rows = NULL;
    table_column(t, "%s", block->corner);
    for (const struct line_spec *line = block->lines; line->label != NULL; line++) {
        table_column(t, "%s", line->label);
    }
    TRY(REGRET_NEW(&rows, d->r->n_families + SPEC_ROWS));
    size_t n = row_families(rows, block, d);
    for (size_t i = 0; i < n; i++) {
        const struct line_place at = {s, rows[i], rows, n};
        table_row(t, "%s", d->r->subjects[rows[i]].name);
        for (const struct line_spec *line = block->lines; line->label != NULL; line++) {
            TRY(put_number(t, line, &at));
        }
    }
    return REGRET_OK;
}

/* The block over the whole group, then one for each value of the key it is split by. */
static int put_plain_blocks(struct table *t, const struct block_spec *block,
                            const struct group *group, const struct table_data *d)
{
    const char *comma = group->heading[0] != '\0' ? ", " : "";
    if (block->count_cells) {
        const char *colon = group->heading[0] != '\0' ? ": " : "";
        table_block(t, "%s%s%zu cells", group->heading, colon, group->slice.n_cells);
    } else if (block->heading != NULL) {
        table_block(t, "%s%s%s", group->heading, comma, block->heading);
    } else {
        table_block(t, "%s", group->heading);
    }
    table_keys_of(t, TABLE_KEY_OF_BLOCK, &group->slice);
    TRY(put_families(t, block, &group->slice, d));
    size_t key = block->split != NULL ? find_axis(d->r, block->split) : REGRET_NO_ROW;
    if (key == REGRET_NO_ROW || d->r->keys[key].n_values < 2) {
        return REGRET_OK;
    }
    FREED_BY(groups_free) struct groups parts = {0};
    TRY(groups_split(&parts, &group->slice, &key, 1));
    for (size_t i = 0; i < parts.n; i++) {
        table_block(t, "%s%s%s", group->heading, comma, parts.items[i].heading);
        table_keys_of(t, TABLE_KEY_OF_BLOCK, &parts.items[i].slice);
        TRY(put_families(t, block, &parts.items[i].slice, d));
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- the table */

static int put_group(struct table *t, const struct table_spec *spec, const struct group *group,
                     const struct table_data *d)
{
    for (size_t i = 0; i < SPEC_BLOCKS && spec->blocks[i].corner != NULL; i++) {
        const struct block_spec *block = &spec->blocks[i];
        if (block->axes[0].key != NULL) {
            TRY(put_axes_block(t, block, group, d));
        } else {
            TRY(put_plain_blocks(t, block, group, d));
        }
    }
    return REGRET_OK;
}

/* The block along each swept key in turn. */
static int put_swept_keys(struct table *t, const struct block_spec *block,
                          const struct table_data *d)
{
    const struct group everything = {d->all, NULL};
    for (size_t k = 0; k < d->r->n_keys; k++) {
        const char *name = d->r->keys[k].name;
        const struct key_axis axis = {k, k == REGRET_KEY_BETA ? "β" : name};
        if (d->r->keys[k].n_values > 1) {
            table_block(t, "%s", name);
            table_keys_of(t, TABLE_KEY_OF_BLOCK, &d->all);
            TRY(put_along(t, block, &everything, d, &axis, 1, REGRET_NO_ROW));
        }
    }
    return REGRET_OK;
}

static int is_named(const struct table_need *need, const char *key)
{
    int named = need->keys[0] == NULL;
    for (size_t i = 0; i < SPEC_KEYS && need->keys[i] != NULL; i++) {
        named |= strcmp(need->keys[i], key) == 0;
    }
    return named;
}

static int has_need(const struct table_need *need, const struct table_data *d)
{
    int has = need->kind == TABLE_NEEDS_NOTHING;
    for (size_t k = 0; need->kind == TABLE_NEEDS_SWEEP && k < d->r->n_keys; k++) {
        has |= d->r->keys[k].n_values > 1 && is_named(need, d->r->keys[k].name);
    }
    for (size_t i = 0; need->kind == TABLE_NEEDS_MEASURE && i < d->n_ranked; i++) {
        has |= has_measure(d->r, need->measure, d->ranked[i]);
    }
    for (size_t f = 0; need->kind == TABLE_NEEDS_VARIANT && f < d->r->n_families; f++) {
        has |= !family_is_ranked(d->r, f);
    }
    for (size_t f = 0; need->kind == TABLE_NEEDS_TUNING && f < d->r->n_families; f++) {
        has |= family_is_tuned(d->r, f);
    }
    return has;
}

/* What the table says without what it needs. */
static int put_otherwise(struct table *t, const struct table_need *need)
{
    struct regret_buffer variants = REGRET_BUFFER_INIT;
    for (size_t i = 0; need->kind == TABLE_NEEDS_VARIANT && i < regret_family_count(); i++) {
        const struct regret_family *family = regret_family_at(i);
        if (family->variant_of != NULL) {
            regret_buffer_printf(&variants, "%s%s",
                                 variants.length == 0 ? "This run has neither " : " nor ",
                                 family->name);
        }
    }
    int rc = regret_buffer_status(&variants);
    table_note(t, "%s%s", regret_buffer_get(&variants), need->otherwise);
    regret_buffer_free(&variants);
    return rc;
}

/* 1 when the block follows keys that have one value each in the run, so that it has one column. */
static int is_flat(const struct block_spec *block, const struct table_data *d)
{
    int flat = block->axes[0].key != NULL;
    for (size_t i = 0; i < SPEC_AXES && block->axes[i].key != NULL; i++) {
        size_t key = find_axis(d->r, block->axes[i].key);
        flat &= key == REGRET_NO_ROW || d->r->keys[key].n_values < 2;
    }
    return flat;
}

static int fill(struct table *t, const struct table_spec *spec, const struct table_data *d)
{
    t->idle = spec->blocks[0].corner != NULL && spec->more == NULL;
    for (size_t i = 0; i < SPEC_BLOCKS && spec->blocks[i].corner != NULL; i++) {
        t->idle = t->idle && is_flat(&spec->blocks[i], d);
    }
    for (size_t i = 0; i < SPEC_NEEDS; i++) {
        if (!has_need(&spec->needs[i], d)) {
            t->idle = 1;
            return put_otherwise(t, &spec->needs[i]);
        }
    }
    if (spec->groups_by == GROUPS_NONE_BUT_THE_KEYS) {
        TRY(put_swept_keys(t, &spec->blocks[0], d));
    }
    for (size_t i = 0; spec->groups_by != GROUPS_NONE_BUT_THE_KEYS && i < d->groups.n; i++) {
        TRY(put_group(t, spec, &d->groups.items[i], d));
    }
    if (spec->more != NULL) {
        TRY(spec->more(t, d));
    }
    for (size_t i = 0; i < SPEC_NOTES && spec->notes[i] != NULL; i++) {
        table_note(t, "%s", spec->notes[i]);
    }
    t->idle |= t->n_blocks == 0;
    return spec->remark != NULL ? spec->remark(t, d) : REGRET_OK;
}

int table_from_spec(struct table *t, const struct table_spec *spec, const struct regret_results *r)
{
    FREED_BY(table_data_free) struct table_data d = {0};
    begin(t, spec, r);
    TRY(table_data_make(&d, r, spec->groups_by == GROUPS_BY_MAP_AND_KEYS));
    return fill(t, spec, &d);
}
