/* A run beside published numbers: a headline, then a block for each published table. */
#include <math.h>
#include <stdio.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "report/paper/against.h"
#include "report/render/table.h"

/* A table held against a group of cells. */
struct section {
    const struct against_source *source;
    const struct group *group;
    const char *name;
    struct comparisons comparisons;
};
struct sections {
    struct section *items;
    size_t n;
};

static void sections_free(struct sections *s)
{
    for (size_t i = 0; i < s->n; i++) {
        comparisons_free(&s->items[i].comparisons);
    }
    regret_free(s->items);
    *s = (struct sections){0};
}

/* ---------------------------------------------------------------- headline */

static const char *verdict_of(const struct against_tally *t)
{
    size_t asked = t->agree + t->tied + t->differ;
    int is_sign = t->statistic->kind == PUBLISHED_CHANGE; /* their order is another question */
    int opposite = !is_sign && isfinite(t->kendall) && t->kendall < 0.0;
    if (t->pairs > 0 && t->in_order == t->pairs) {
        return "same order";
    }
    if (asked == 0) {
        return "–";
    }
    if (t->agree == asked && !opposite) {
        return is_sign ? "same signs" : "same winners";
    }
    if (t->agree == 0 && t->differ == 0) {
        return "not separable";
    }
    return t->agree == 0 || opposite ? "does not replicate" : "partly";
}

static void put_count(struct table *t, size_t count, size_t of)
{
    if (of > 0) {
        table_text(t, "%zu of %zu", count, of);
    } else {
        table_text(t, "–");
    }
}

static void put_tally(struct table *t, const char *name, const struct against_tally *tally)
{
    size_t asked = tally->agree + tally->tied + tally->differ;
    table_row(t, "%s", name);
    put_count(t, tally->compared, tally->printed);
    put_count(t, tally->agree, asked);
    put_count(t, tally->clear, asked);
    put_count(t, tally->tied, asked);
    put_count(t, tally->differ, asked);
    put_count(t, tally->in_order, tally->pairs);
    if (tally->families > 0) {
        table_number(t, (double)tally->families, 0);
    } else {
        table_text(t, "–");
    }
    table_signed(t, tally->spearman, 2);
    table_signed(t, tally->kendall, 2);
    table_text(t, "%s", tally->statistic != NULL ? verdict_of(tally) : "–");
}

static void add_tally(struct against_tally *sum, const struct against_tally *tally)
{
    sum->printed += tally->printed;
    sum->compared += tally->compared;
    sum->agree += tally->agree;
    sum->clear += tally->clear;
    sum->tied += tally->tied;
    sum->differ += tally->differ;
    sum->pairs += tally->pairs;
    sum->in_order += tally->in_order;
}

static int put_headline(struct table *t, const struct sections *s)
{
    struct against_tally sum = {.spearman = NAN, .kendall = NAN}, tally;
    table_block(t, "Headline");
    TABLE_HEADS(t, "Table and statistic", "Compared", "Same winner or sign", "Clearly",
                "Not separable", "Differs", "Pairs in order", "Families", "Spearman", "Kendall",
                "Verdict");
    for (size_t i = 0; i < s->n; i++) {
        int more = 1;
        for (size_t k = 0; more; k++) {
            TRY(comparisons_tally(&tally, &more, &s->items[i].comparisons, k));
            if (more && tally.statistic->kind != PUBLISHED_NOTHING) {
                const char *heading = s->items[i].group->heading;
                char name[3 * PUBLISHED_LONGEST];
                snprintf(name, sizeof name, "%s %s%s%s", s->items[i].name, tally.statistic->word,
                         heading[0] != '\0' ? ", " : "", heading);
                put_tally(t, name, &tally);
            }
            if (more) {
                add_tally(&sum, &tally);
            }
        }
    }
    put_tally(t, "all", &sum);
    return REGRET_OK;
}

/* ---------------------------------------------------------------- numbers */

static const char *const agreements[] = {"–", "yes", "yes, clearly", "not separable", "no"};

/* Of a lead with who wins here, where that is another. A place only agrees or not. */
static void put_agreement(struct table *t, const struct comparisons *all,
                          const struct comparison *c)
{
    int other = c->number->statistic->kind == PUBLISHED_LEAD &&
                (c->agreement == AGREEMENT_TIED || c->agreement == AGREEMENT_NO);
    if (c->place > 0) {
        table_text(t, "%s place", c->agreement == AGREEMENT_YES ? "same" : "other");
    } else {
        table_text(t, "%s%s%s", agreements[c->agreement], other ? ": " : "",
                   other ? all->cells->r->subjects[c->winner].name : "");
    }
}

/* Its place in the published table, which is one number's alone. */
static void put_label(struct table *t, const struct published *p,
                      const struct published_number *number)
{
    table_row(t, "%s, %s", published_field(p, number, PUBLISHED_ROW),
              published_field(p, number, PUBLISHED_COLUMN));
}

/* Which cells of the run it is beside, by the keys that the number says: "n_obs = 200, beta = 0.2". */
static int put_cells(struct table *t, const struct published *p, const struct comparison *c)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < p->n_keys; i++) {
        const char *name = p->sheet.heads[p->keys[i]];
        if (c->number->field[p->keys[i]][0] != '\0') {
            regret_buffer_printf(&text, "%s%s = %s", text.length > 0 ? ", " : "", name,
                                 slice_value(&c->cells, regret_results_find_key(c->cells.r, name)));
        }
    }
    int rc = regret_buffer_status(&text);
    table_text(t, "%s", text.length > 0 ? regret_buffer_get(&text) : "all");
    regret_buffer_free(&text);
    return rc;
}

static void put_places(struct table *t, const struct comparison *c)
{
    if (c->place > 0) {
        table_text(t, "%zu, %zu", c->place, c->place_ours);
    } else {
        table_text(t, "–");
    }
}

static int put_number(struct table *t, const struct comparisons *all, const struct comparison *c)
{
    const struct published *p = all->published;
    const struct published_statistic *s = c->number->statistic;
    unsigned sign = s->kind == PUBLISHED_LEAD || s->kind == PUBLISHED_CHANGE ? TABLE_SIGNED : 0;
    put_label(t, p, c->number);
    TRY(put_cells(t, p, c));
    table_text(t, "%s", published_field(p, c->number, PUBLISHED_SUBJECT));
    table_cell(t, NULL, c->number->value, NAN, s->decimals, TABLE_NUMBER | sign);
    table_cell(t, NULL, c->ours, NAN, s->decimals, TABLE_NUMBER | sign);
    table_cell(t, NULL, c->low, NAN, s->decimals, TABLE_NUMBER | sign);
    table_cell(t, NULL, c->high, NAN, s->decimals, TABLE_NUMBER | sign);
    table_signed(t, c->ours - c->number->value, s->decimals);
    put_places(t, c);
    put_agreement(t, all, c);
    return REGRET_OK;
}

static size_t count_lacking(const struct comparisons *all)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++) {
        n += all->items[i].lacking != NULL;
    }
    return n;
}

static int put_compared(struct table *t, const struct section *s)
{
    const struct comparisons *all = &s->comparisons;
    if (count_lacking(all) == all->n) {
        return REGRET_OK;
    }
    table_block(t, "%s%s%s%s%s", s->name, s->source->paper != NULL ? ": " : "",
                s->source->paper != NULL ? s->source->paper->title : "",
                s->group->heading[0] != '\0' ? ", " : "", s->group->heading);
    TABLE_HEADS(t, "Number", "Cells here", "Subject", "Published", "This run", "95 % low",
                "95 % high", "Difference", "Places", "Agrees");
    for (size_t i = 0; i < all->n; i++) {
        if (all->items[i].lacking == NULL) {
            TRY(put_number(t, all, &all->items[i]));
        }
    }
    return REGRET_OK;
}

static void put_lacking(struct table *t, const struct section *s)
{
    const struct comparisons *all = &s->comparisons;
    if (count_lacking(all) == 0) {
        return;
    }
    table_block(t, "%s%s%s: %zu of %zu not compared", s->name,
                s->group->heading[0] != '\0' ? ", " : "", s->group->heading, count_lacking(all),
                all->n);
    TABLE_HEADS(t, "Number", "Subject", "Published", "Why not");
    for (size_t i = 0; i < all->n; i++) {
        const struct comparison *c = &all->items[i];
        if (c->lacking != NULL) {
            put_label(t, all->published, c->number);
            table_text(t, "%s", published_field(all->published, c->number, PUBLISHED_SUBJECT));
            table_number(t, c->number->value, c->number->statistic->decimals);
            table_text(t, "%s", c->lacking);
        }
    }
}

/* ---------------------------------------------------------------- notes */

static void put_readings(struct table *t, const struct against *a)
{
    for (size_t i = 0; i < a->n; i++) {
        const struct paper_table *paper = a->sources[i].paper;
        if (paper != NULL && paper->reading[0] != '\0') {
            table_note(t, "%s: %s", paper->name, paper->reading);
        }
    }
}

static int is_held_against(const struct against *a, const struct paper_table *t)
{
    for (size_t i = 0; i < a->n; i++) {
        if (a->sources[i].paper == t) {
            return 1;
        }
    }
    return 0;
}

/* The tables of the run's task that it is not held against, and of which no number is known. */
static int put_left_out(struct table *t, const struct against *a, const struct regret_results *r)
{
    FREED_BY(regret_buffer_free) struct regret_buffer others = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer lost = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < a->tables.n; i++) {
        const struct paper_table *paper = &a->tables.items[i];
        struct regret_buffer *list = paper->file[0] != '\0' ? &others : &lost;
        if (shape_is_about(&paper->shape, r) && !is_held_against(a, paper)) {
            regret_buffer_printf(list, "%s%s (%s)", list->length > 0 ? ", " : "", paper->name,
                                 paper->title);
        }
    }
    if (others.length > 0) {
        table_note(t,
                   "Not held against this run, which sweeps other keys: %s. Name one to do it "
                   "all the same.",
                   regret_buffer_get(&others));
    }
    if (lost.length > 0) {
        table_note(t, "No number is known of %s.", regret_buffer_get(&lost));
    }
    TRY(regret_buffer_status(&others));
    return regret_buffer_status(&lost);
}

/* ---------------------------------------------------------------- the table */

static int add_section(struct sections *s, const struct against_source *source, size_t first,
                       const struct group *group)
{
    const struct published *p = &source->published;
    TRY(regret_realloc((void **)&s->items, s->n + 1, sizeof *s->items, "published tables"));
    struct section *section = &s->items[s->n];
    *section = (struct section){.source = source,
                                .group = group,
                                .name = published_field(p, &p->numbers[first], PUBLISHED_TABLE)};
    TRY(comparisons_make(&section->comparisons, p, first, &group->slice));
    s->n++;
    return REGRET_OK;
}

static int make_sections(struct sections *s, const struct table_data *d)
{
    for (size_t i = 0; i < d->against->n; i++) {
        const struct against_source *source = &d->against->sources[i];
        size_t first = 0;
        for (size_t k = 0; published_table_at(&first, &source->published, k); k++) {
            for (size_t g = 0; g < d->groups.n; g++) {
                TRY(add_section(s, source, first, &d->groups.items[g]));
            }
        }
    }
    return REGRET_OK;
}

int put_against(struct table *t, const struct table_data *d)
{
    FREED_BY(sections_free) struct sections s = {0};
    TRY(make_sections(&s, d));
    if (s.n > 0) {
        TRY(put_headline(t, &s));
    } else {
        table_note(t, "The paper prints no table that this run has the shape of.");
    }
    for (size_t i = 0; i < s.n; i++) {
        TRY(put_compared(t, &s.items[i]));
        put_lacking(t, &s.items[i]);
    }
    if (d->against->is_paper) {
        put_readings(t, d->against);
        return put_left_out(t, d->against, d->r);
    }
    return REGRET_OK;
}
