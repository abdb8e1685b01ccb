/* Two runs compared. */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "regret/report.h"
#include "regret/status.h"
#include "report/cautions.h"
#include "report/internal.h"
#include "report/lists.h"
#include "report/table.h"
#include "results/run_file.h"

/* What the two runs share. */
struct match {
    const struct regret_results *a, *b;
    size_t *cell_a, *cell_b, n_cells;
    size_t *seed_a, *seed_b, n_seeds;
};

static const char *key_text(const struct regret_results *r, size_t cell, const char *name)
{
    size_t key = regret_results_find_key(r, name);
    return key != REGRET_NO_ROW ? regret_results_key_text(r, cell, key) : NULL;
}

/* 1 when the cells agree in every key that both runs have. */
static int same_cell(const struct regret_results *a, size_t cell_a, const struct regret_results *b,
                     size_t cell_b)
{
    for (size_t k = 0; k < a->n_keys; k++) {
        const char *other = key_text(b, cell_b, a->keys[k].name);
        const char *own = regret_results_key_text(a, cell_a, k);
        if (other != NULL && strcmp(own, other) != 0) {
            return 0;
        }
    }
    return 1;
}

/* A key that one run sweeps and the other does not know would match one cell with many. */
static int check_keys(const struct regret_results *a, const struct regret_results *b)
{
    for (size_t k = 0; k < a->n_keys; k++) {
        if (a->keys[k].n_values > 1 && key_text(b, 0, a->keys[k].name) == NULL) {
            return regret_fail(REGRET_E_INPUT,
                               "%s sweeps \"%s\" but the rows of %s do not name it; their cells "
                               "cannot be matched",
                               a->run.folder, a->keys[k].name, b->run.folder);
        }
    }
    return REGRET_OK;
}

static void match_cells(struct match *m)
{
    for (size_t i = 0; i < m->a->n_cells; i++) {
        for (size_t j = 0; j < m->b->n_cells; j++) {
            if (same_cell(m->a, i, m->b, j)) {
                m->cell_a[m->n_cells] = i;
                m->cell_b[m->n_cells++] = j;
                break;
            }
        }
    }
}

static void match_seeds(struct match *m)
{
    size_t i = 0, j = 0;
    while (i < m->a->n_seeds && j < m->b->n_seeds) {
        long long x = m->a->seeds[i], y = m->b->seeds[j];
        if (x == y) {
            m->seed_a[m->n_seeds] = i;
            m->seed_b[m->n_seeds++] = j;
        }
        i += x <= y;
        j += y <= x;
    }
}

static int is_one_pool(const struct regret_run_facts *a, const struct regret_run_facts *b)
{
    return a->pool_digest != NULL && b->pool_digest != NULL &&
           strcmp(a->pool_digest, b->pool_digest) == 0;
}

/* Seeds of different pools hold out different contexts: no difference is paired, and none is of the methods alone. */
static int check_pools(const struct match *m, enum regret_compare_pools pools)
{
    const struct regret_run_facts *a = &m->a->run, *b = &m->b->run;
    if (pools == REGRET_ANY_POOLS || is_one_pool(a, b)) {
        return REGRET_OK;
    }
    return regret_fail(REGRET_E_INPUT,
                       "%s is of the pool %s (%s) and %s of %s (%s): what differs may be the data; "
                       "compare runs of one pool, or add --different-pools",
                       a->folder, a->pool_name,
                       a->pool_digest != NULL ? a->pool_digest : "digest not stated", b->folder,
                       b->pool_name, b->pool_digest != NULL ? b->pool_digest : "digest not stated");
}

static int make_match(struct match *m, enum regret_compare_pools pools)
{
    TRY(check_pools(m, pools));
    TRY(check_keys(m->a, m->b));
    TRY(check_keys(m->b, m->a));
    TRY(REGRET_NEW(&m->cell_a, m->a->n_cells));
    TRY(REGRET_NEW(&m->cell_b, m->a->n_cells));
    TRY(REGRET_NEW(&m->seed_a, m->a->n_seeds));
    TRY(REGRET_NEW(&m->seed_b, m->a->n_seeds));
    match_cells(m);
    match_seeds(m);
    if (m->n_cells == 0 || m->n_seeds == 0) {
        return regret_fail(REGRET_E_INPUT,
                           "%s and %s have %zu cells and %zu seeds in common; "
                           "there is nothing to compare",
                           m->a->run.folder, m->b->run.folder, m->n_cells, m->n_seeds);
    }
    return REGRET_OK;
}

static void match_free(struct match *m)
{
    regret_free(m->cell_a);
    regret_free(m->cell_b);
    regret_free(m->seed_a);
    regret_free(m->seed_b);
}

static int put_run(struct table *t, const char *letter, const struct regret_results *r)
{
    table_note(t, "%s is %s: pool %s%s, %s, version %s, %zu cells × %zu seeds.", letter,
               r->run.folder, r->run.pool_name, r->run.synthetic ? " (SYNTHETIC)" : "",
               r->run.pool_digest != NULL ? r->run.pool_digest : "digest not stated",
               r->run.version != NULL ? r->run.version : "not stated", r->n_cells, r->n_seeds);
    return caution_notes(t, letter, r);
}

/* The families and baselines that the other run has not. */
static void note_subjects(struct table *t, const char *letter, const struct regret_results *r,
                          const struct regret_results *other)
{
    for (size_t i = 0; i < r->n_subjects; i++) {
        const struct regret_subject *s = &r->subjects[i];
        if (s->kind != REGRET_ROW_FIT &&
            regret_results_subject(other, s->kind, s->name) == REGRET_NO_ROW) {
            table_note(t, "Only %s has the %s %s.", letter,
                       s->kind == REGRET_ROW_FAMILY ? "family" : "baseline", s->name);
        }
    }
}

static void put_mismatches(struct table *t, const struct match *m)
{
    const struct regret_run_facts *a = &m->a->run, *b = &m->b->run;
    if (!is_one_pool(a, b)) {
        table_note(t, "The runs are not known to use the same pool: a difference may come from the "
                      "data.");
    }
    if (a->version == NULL || b->version == NULL || strcmp(a->version, b->version) != 0) {
        table_note(t, "The runs are not known to come from the same version of regret.");
    }
    if (!run_same_json(a->config, b->config)) {
        table_note(t, "Their configurations differ.");
    }
    if (m->n_cells < m->a->n_cells || m->n_cells < m->b->n_cells) {
        table_note(t, "Left out: %zu cells of A and %zu of B have no counterpart.",
                   m->a->n_cells - m->n_cells, m->b->n_cells - m->n_cells);
    }
    if (m->n_seeds < m->a->n_seeds || m->n_seeds < m->b->n_seeds) {
        table_note(t, "Left out: %zu seeds of A and %zu of B have no counterpart.",
                   m->a->n_seeds - m->n_seeds, m->b->n_seeds - m->n_seeds);
    }
    note_subjects(t, "A", m->a, m->b);
    note_subjects(t, "B", m->b, m->a);
}

/* The numbers, by data/report/compare.sql, whose notes are the last. */
static int put_numbers(struct table *t, struct match *m)
{
    FREED_BY(run_sql_close_at) struct run_sql *run = NULL;
    TRY(run_sql_open(&run, m->a));
    TRY(run_sql_other(run, m->b));
    for (size_t i = 0; i < m->n_cells; i++) {
        TRY(sql_each(run->sql, NULL, NULL, "INSERT INTO cell_pairs VALUES(%llu, %llu)",
                     (unsigned long long)m->cell_a[i], (unsigned long long)m->cell_b[i]));
    }
    sql_guard(run->sql);
    TRY(sql_set_option(run->sql, "synthetic",
                       m->a->run.synthetic || m->b->run.synthetic ? " (SYNTHETIC data)" : ""));
    return table_part(t, run, "compare");
}

static int put_comparison(struct table *t, struct match *m, enum regret_compare_pools pools)
{
    TRY(make_match(m, pools));
    TRY(put_numbers(t, m));
    size_t said = t->n_notes;
    TRY(put_run(t, "A", m->a));
    TRY(put_run(t, "B", m->b));
    put_mismatches(t, m);
    for (; said > 0 && t->status == REGRET_OK; said--) {
        char *first = t->notes[0];
        memmove(t->notes, t->notes + 1, (t->n_notes - 1) * sizeof *t->notes);
        t->notes[t->n_notes - 1] = first;
    }
    return t->status;
}

int regret_report_compare(struct regret_buffer *out, const struct regret_results *a,
                          const struct regret_results *b, enum regret_compare_pools pools,
                          enum regret_format format)
{
    FREED_BY(match_free) struct match m = {.a = a, .b = b};
    struct table t = {0};
    return render_made(out, &t, put_comparison(&t, &m, pools), format);
}
