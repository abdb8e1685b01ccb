/* Regret by the tag of the contexts, of the rows' lists. */
#include <math.h>
#include <string.h>

#include "base/core/names.h"
#include "base/core/try.h"
#include "base/text/take.h"
#include "regret/alloc.h"
#include "report/rows/lists.h"
#include "report/tables/spec.h"

enum { MOST_TAGS = 60 };

/* The tags of a run, and which of them the contexts of its grids have. */
struct tags {
    struct names names; /* "": contexts without one */
    size_t *contexts;   /* of all grids that have it, [names.n]; owned */
    uint32_t *kind;     /* of each context, those of one grid after those of the other; owned */
    size_t *first;      /* of each grid in `kind`; owned */
};

static void tags_free(struct tags *t)
{
    names_free(&t->names);
    regret_free(t->contexts);
    regret_free(t->kind);
    regret_free(t->first);
}

static int tags_make(struct tags *t, const struct regret_results *r)
{
    size_t n = 0;
    TRY(REGRET_NEW(&t->first, r->n_grids));
    for (size_t g = 0; g < r->n_grids; g++) {
        t->first[g] = n;
        n += r->grids[g].n_contexts;
    }
    TRY(REGRET_NEW(&t->kind, n));
    for (size_t g = 0; g < r->n_grids; g++) {
        const struct regret_run_grid *grid = &r->grids[g];
        for (size_t x = 0; x < grid->n_contexts; x++) {
            const char *tag = grid->tags != NULL ? grid->tags[x] : NULL;
            TRY(names_enter(&t->kind[t->first[g] + x], &t->names, tag != NULL ? tag : ""));
        }
    }
    TRY(REGRET_NEW(&t->contexts, t->names.n));
    for (size_t i = 0; i < n; i++) {
        t->contexts[t->kind[i]]++;
    }
    return REGRET_OK;
}

/* A subject's mean loss in a slice's cells on the contexts of each tag, by seed: [n_seeds × tags], NaN
 * unless every cell held out one that has it. */
struct losses {
    double *mean; /* owned, and the others */
    double *sum, *times;
};

static void losses_free(struct losses *l)
{
    regret_free(l->mean);
    regret_free(l->sum);
    regret_free(l->times);
}

static int losses_make(struct losses *l, const struct tags *t, size_t n_seeds)
{
    TRY(REGRET_NEW(&l->mean, t->names.n * n_seeds));
    TRY(REGRET_NEW(&l->sum, t->names.n));
    return REGRET_NEW(&l->times, t->names.n);
}

static void add_cell(struct losses *l, const struct tags *t, const struct regret_results *r,
                     size_t subject, size_t oracle, size_t cell, size_t seed)
{
    struct regret_list_view x = regret_results_list(r, REGRET_LIST_CONTEXT, oracle, cell, seed);
    struct regret_list_view loss = regret_results_list(r, REGRET_LIST_LOSS, subject, cell, seed);
    memset(l->sum, 0, t->names.n * sizeof *l->sum);
    memset(l->times, 0, t->names.n * sizeof *l->times);
    for (size_t k = 0; k < loss.n && x.n == loss.n; k++) {
        size_t kind = t->kind[t->first[r->cell_grid[cell]] + (size_t)x.number[k]];
        l->sum[kind] += loss.number[k];
        l->times[kind] += 1.0;
    }
}

static void losses_take(struct losses *l, const struct tags *t, const struct slice *s,
                        size_t subject, size_t oracle)
{
    memset(l->mean, 0, t->names.n * s->r->n_seeds * sizeof *l->mean);
    for (size_t seed = 0; seed < s->r->n_seeds; seed++) {
        double *mean = l->mean + seed * t->names.n;
        for (size_t c = 0; c < s->n_cells; c++) {
            add_cell(l, t, s->r, subject, oracle, s->cells[c], seed);
            for (size_t i = 0; i < t->names.n; i++) {
                mean[i] +=
                    l->times[i] > 0.0 ? l->sum[i] / l->times[i] / (double)s->n_cells : (double)NAN;
            }
        }
    }
}

/* The seeds' numbers of a tag, those of `less` (NULL: 0) taken off, where there are both. */
static struct paired over_seeds(double *scratch, const struct losses *l, const struct losses *less,
                                size_t tag, size_t n_tags, size_t n_seeds)
{
    for (size_t seed = 0; seed < n_seeds; seed++) {
        size_t i = seed * n_tags + tag;
        scratch[seed] = l->mean[i] - (less != NULL ? less->mean[i] : 0.0);
    }
    return paired_moments(scratch, keep_finite(scratch, n_seeds));
}

/* What a block is made of. */
struct tag_block {
    const struct table_data *d;
    const struct slice *slice;
    const struct tags *tags;
    struct losses *losses; /* of each subject; owned by put_group() */
    const size_t *column;  /* the subjects */
    size_t n_columns;
    double *scratch; /* [n_seeds] */
};

FREED_FIELDS(tag_block, of->scratch)

static void label_row(struct table *t, const struct tags *tags, size_t i)
{
    const char *name = tags->names.name[i];
    table_row(t, "%s (%zu)", name[0] != '\0' ? name : "no tag", tags->contexts[i]);
}

static void put_regrets(struct table *t, const struct tag_block *b)
{
    size_t seeds = b->d->r->n_seeds;
    for (size_t i = 0; i < b->tags->names.n && i < MOST_TAGS; i++) {
        label_row(t, b->tags, i);
        for (size_t j = 0; j < b->n_columns; j++) {
            struct paired p =
                over_seeds(b->scratch, &b->losses[j], NULL, i, b->tags->names.n, seeds);
            table_estimate(t, p.mean, p.se, measure_decimals(REGRET_MEASURE_REGRET));
        }
    }
}

/* Every column but that of `base` against it. */
static void put_differences(struct table *t, const struct tag_block *b, size_t base)
{
    size_t seeds = b->d->r->n_seeds;
    for (size_t i = 0; i < b->tags->names.n && i < MOST_TAGS; i++) {
        label_row(t, b->tags, i);
        for (size_t j = 0; j < b->d->n_ranked; j++) {
            struct paired p =
                over_seeds(b->scratch, &b->losses[j], &b->losses[base], i, b->tags->names.n, seeds);
            double half = half_width(p.se, p.n);
            unsigned best = p.mean + half < 0.0 ? TABLE_BEST : 0;
            table_cell(t, NULL, p.mean, half, measure_decimals(REGRET_MEASURE_REGRET),
                       TABLE_NUMBER | TABLE_SIGNED | TABLE_SE | best);
        }
    }
}

static void put_heads(struct table *t, const struct tag_block *b, size_t n)
{
    table_column(t, "Tag (contexts)");
    for (size_t j = 0; j < n; j++) {
        table_column(t, "%s", b->d->r->subjects[b->column[j]].name);
    }
}

/* 1 for what families are held against, tag by tag: the rules that go by EXP. */
static int is_base(const struct regret_subject *s)
{
    return s->source != NULL && strcmp(s->source, "EXP") == 0;
}

static void put_blocks(struct table *t, const struct tag_block *b, const struct group *group)
{
    table_block_of(t, group, "regret");
    put_heads(t, b, b->n_columns);
    put_regrets(t, b);
    for (size_t j = b->d->n_ranked; j < b->n_columns; j++) {
        const struct regret_subject *s = &b->d->r->subjects[b->column[j]];
        if (is_base(s)) {
            struct regret_buffer heading = REGRET_BUFFER_INIT;
            regret_buffer_printf(&heading, "less the regret of %s", s->name);
            table_block_of(t, group, regret_buffer_get(&heading));
            text_free_into(&t->status, &heading);
            put_heads(t, b, b->d->n_ranked);
            put_differences(t, b, j);
        }
    }
}

static int put_group(struct table *t, const struct tag_block *shared, const struct group *group,
                     size_t oracle)
{
    struct tag_block b = *shared;
    int rc;
    b.slice = &group->slice;
    TRY_CLEANUP(REGRET_NEW(&b.losses, b.n_columns));
    for (size_t j = 0; j < b.n_columns; j++) {
        TRY_CLEANUP(losses_make(&b.losses[j], b.tags, b.d->r->n_seeds));
        losses_take(&b.losses[j], b.tags, b.slice, b.column[j], oracle);
    }
    put_blocks(t, &b, group);
cleanup:
    for (size_t j = 0; b.losses != NULL && j < b.n_columns; j++) {
        losses_free(&b.losses[j]);
    }
    regret_free(b.losses);
    return rc;
}

/* The families, then the baselines that they are held against. */
static size_t list_columns(size_t *column, const struct table_data *d)
{
    size_t n = 0;
    for (size_t i = 0; i < d->n_ranked; i++) {
        column[n++] = d->ranked[i];
    }
    for (size_t i = d->r->n_families; i < d->r->n_subjects; i++) {
        if (is_shown_baseline(d->r, i)) {
            column[n++] = i;
        }
    }
    return n;
}

static int put_groups(struct table *t, const struct table_data *d, const struct tags *tags,
                      size_t oracle)
{
    FREED_BY(tag_block_fields) struct tag_block b = {.d = d, .tags = tags};
    FREED size_t *column = NULL;
    TRY(REGRET_NEW(&column, d->r->n_subjects));
    TRY(REGRET_NEW(&b.scratch, d->r->n_seeds));
    b.column = column;
    b.n_columns = list_columns(column, d);
    for (size_t i = 0; i < d->groups.n; i++) {
        TRY(put_group(t, &b, &d->groups.items[i], oracle));
    }
    if (tags->names.n > MOST_TAGS) {
        table_note(t, "%zu more tags are not shown.", tags->names.n - MOST_TAGS);
    }
    table_note(
        t, "Mean loss on the held-out contexts that have the tag, over cells and the seeds that "
           "held one out ± standard error over seeds; a mean over tags, each with the share "
           "it has of the held-out contexts, is the regret.");
    table_note(t,
               "Less the regret of best-exp, the best single agent by its EXP mean: paired over "
               "seeds, ± half of its 95 %% interval by Student's t, not corrected for the number "
               "of comparisons; in bold where the family is better for certain.");
    if (has_rule_by_tag(d->r)) {
        table_note(t,
                   "Less the regret of best-by-tag-exp: against the agent of the best EXP mean on "
                   "training contexts of the tag, or of all where the tag has no row of EXP.");
    }
    return REGRET_OK;
}

static int has_tags(const struct regret_results *r)
{
    size_t g = 0;
    while (g < r->n_grids && r->grids[g].tags == NULL) {
        g++;
    }
    return g < r->n_grids;
}

int put_tags(struct table *t, const struct table_data *d)
{
    size_t oracle = lists_oracle(d->r);
    FREED_BY(tags_free) struct tags tags = {0};
    if (!has_tags(d->r) || oracle == REGRET_NO_ROW) {
        table_note(t, has_tags(d->r) ? "The rows of this run hold no lists by context."
                                     : "The contexts of this run have no tags.");
        return REGRET_OK;
    }
    TRY(tags_make(&tags, d->r));
    return put_groups(t, d, &tags, oracle);
}
