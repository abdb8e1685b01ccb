/* Several rewrites of one response: reward models "M@rewriter#repeat", and the means over them. */
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "base/text/spans.h"
#include "rate/rows/rows.h"
#include "regret/alloc.h"
#include "regret/buffer.h"

/* ---------------------------------------------------------------- rows that name a rewriter */

/* "M@rewriter#repeat" */
static void append_name(struct regret_buffer *out, struct regret_span model,
                        struct regret_span rewriter, struct regret_span repeat)
{
    regret_buffer_append_n(out, model.text, model.length);
    if (rewriter.length > 0) {
        regret_buffer_append(out, "@");
        regret_buffer_append_n(out, rewriter.text, rewriter.length);
    }
    if (repeat.length > 0) {
        regret_buffer_append(out, "#");
        regret_buffer_append_n(out, repeat.text, repeat.length);
    }
}

/* Says of a new model whose rewrites it scores. What a failure leaves is freed with the rows. */
static int describe(struct regret_rate_model *m, struct regret_span base,
                    struct regret_span rewriter, struct regret_span repeat)
{
    TRY(regret_strndup(&m->base, base.text, base.length));
    if (rewriter.length > 0) {
        TRY(regret_strndup(&m->rewriter, rewriter.text, rewriter.length));
    }
    return repeat.length > 0 ? regret_strndup(&m->repeat, repeat.text, repeat.length) : REGRET_OK;
}

static int is_text(struct regret_span a, const char *text)
{
    return text == NULL ? a.length == 0 : span_is(a, text);
}

/* Two rewriters, models or repeats whose names hold "@" or "#" may be called alike. */
static int check_same(const struct regret_rate_model *m, struct regret_span base,
                      const struct regret_rate_row *row)
{
    return is_text(base, m->base) && is_text(row->rewriter, m->rewriter) &&
                   is_text(row->repeat, m->repeat)
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "two different rewrites would both be called \"%s\"; take \"@\" and "
                             "\"#\" out of the names of models, rewriters and repeats",
                             m->name);
}

/* Renames the models of a row to those of its rewriter; `names` keeps the names. */
static int rename_models(struct regret_rate_row *named, struct regret_buffer *names,
                         struct regret_rate_rows *rows, const struct regret_rate_row *row)
{
    size_t begin[REGRET_RATE_MAX_MODELS + 1];
    for (size_t k = 0; k < row->n_scores; k++) {
        begin[k] = names->length;
        append_name(names, row->scores[k].model, row->rewriter, row->repeat);
    }
    TRY(regret_buffer_status(names));
    begin[row->n_scores] = names->length;
    for (size_t k = 0; k < row->n_scores; k++) {
        struct regret_rate_scores *s = &named->scores[k];
        size_t n_models = rows->n_models;
        uint32_t m = 0;
        s->model =
            (struct regret_span){regret_buffer_get(names) + begin[k], begin[k + 1] - begin[k]};
        if (s->doubtful) { /* taken for a model only where it is known */
            continue;
        }
        TRY(rows_model(rows, s->model, s->contrastive, &m));
        if (rows->models[m].base == NULL && m < n_models) {
            return regret_fail(REGRET_E_INPUT,
                               "\"%s\" is a reward model, and so would be called the rewrites by a "
                               "\"rewriter\" or \"repeat\"; name one of them otherwise",
                               rows->models[m].name);
        }
        if (rows->models[m].base == NULL) {
            TRY(describe(&rows->models[m], row->scores[k].model, row->rewriter, row->repeat));
        }
        TRY(check_same(&rows->models[m], row->scores[k].model, row));
    }
    return REGRET_OK;
}

int regret_rate_rows_add(struct regret_rate_rows *rows, const struct regret_rate_row *row)
{
    if (row->rewriter.length == 0 && row->repeat.length == 0) {
        return rows_add_one(rows, row);
    }
    if (row->id.text == NULL) {
        return regret_fail(
            REGRET_E_INPUT,
            "%s:%zu: a row with a \"rewriter\" or a \"repeat\" needs an \"id\", which "
            "tells the response that was rewritten",
            row->file < rows->n_files ? rows->files[row->file].name : "row", row->line);
    }
    struct regret_rate_row named = *row;
    FREED_BY(regret_buffer_free) struct regret_buffer names = REGRET_BUFFER_INIT;
    TRY(rename_models(&named, &names, rows, row));
    return rows_add_one(rows, &named);
}

/* ---------------------------------------------------------------- what counts */

static int is_mean(const struct regret_rate_rows *rows, size_t model)
{
    int any = 0;
    for (size_t m = 0; m < rows->n_models; m++) {
        any |= rows->models[m].part_of == model + 1;
    }
    return any;
}

/* The models of single rewrites that a mean is over; returns their number. */
static size_t leaves_of(size_t out[REGRET_RATE_MAX_MODELS], const struct regret_rate_rows *rows,
                        size_t mean)
{
    size_t n = 0;
    for (size_t m = 0; m < rows->n_models; m++) {
        size_t part = rows->models[m].part_of;
        int inside = part == mean + 1 || (part > 0 && rows->models[part - 1].part_of == mean + 1);
        if (inside && !is_mean(rows, m)) {
            out[n++] = m;
        }
    }
    return n;
}

/* The sides of a rewrite that model m has scored in row i. */
static unsigned rewrite_sides(const struct regret_rate_model *m, size_t i)
{
    unsigned sides = 0;
    for (int s = m->contrastive ? 0 : REGRET_SIDE_REWRITE; s < REGRET_N_SIDES; s++) {
        sides |= isnan(m->score[s][i]) ? 0U : 1U << s;
    }
    return sides;
}

/* Those of the leaves that count for row i: they have every score of a rewrite that any of them has. */
static size_t leaves_of_row(size_t out[REGRET_RATE_MAX_MODELS], const struct regret_rate_rows *rows,
                            const size_t *leaves, size_t n, size_t i)
{
    unsigned any = 0;
    size_t found = 0;
    for (size_t k = 0; k < n; k++) {
        any |= rewrite_sides(&rows->models[leaves[k]], i);
    }
    for (size_t k = 0; k < n && any != 0; k++) {
        if (rewrite_sides(&rows->models[leaves[k]], i) == any) {
            out[found++] = leaves[k];
        }
    }
    return found;
}

/* ---------------------------------------------------------------- means */

/* The mean of one side over leaves of row i that have it; NaN: none does. */
static double mean_score(const struct regret_rate_rows *rows, const size_t *leaves, size_t n,
                         int side, size_t i)
{
    double sum = 0.0, count = 0.0;
    for (size_t k = 0; k < n; k++) {
        double score = rows->models[leaves[k]].score[side][i];
        if (!isnan(score)) {
            sum += score;
            count += 1.0;
        }
    }
    return sum / count;
}

static int fill_mean(struct regret_rate_rows *rows, uint32_t mean)
{
    size_t leaves[REGRET_RATE_MAX_MODELS], own[REGRET_RATE_MAX_MODELS];
    size_t n = leaves_of(leaves, rows, mean);
    struct regret_rate_model *m = &rows->models[mean];
    for (size_t i = 0; i < rows->n_rows; i++) {
        size_t n_own = leaves_of_row(own, rows, leaves, n, i);
        int any = n_own > 0;
        for (int side = 0; side < REGRET_N_SIDES; side++) {
            int is_original = !m->contrastive && side == REGRET_SIDE_ORIGINAL;
            const size_t *from = is_original ? leaves : own;
            m->score[side][i] = mean_score(rows, from, is_original ? n : n_own, side, i);
            any |= !isnan(m->score[side][i]);
        }
        for (size_t k = 0; k < n; k++) {
            any |= rewrite_sides(&rows->models[leaves[k]], i) != 0;
        }
        if (any) {
            TRY(rows_note_named(rows, rows->group[i], mean));
        }
    }
    return REGRET_OK;
}

/* Whether two names are equal, or both absent. */
static int same_name(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* Whether model m is another rewrite than leaf's of the same reward model; by its rewriter, where one is
 * asked for. */
static int is_kin(const struct regret_rate_rows *rows, size_t leaf, size_t m, int by_rewriter)
{
    const struct regret_rate_model *a = &rows->models[leaf], *b = &rows->models[m];
    return b->base != NULL && a->contrastive == b->contrastive && strcmp(a->base, b->base) == 0 &&
           b->part_of == 0 && (!by_rewriter || same_name(a->rewriter, b->rewriter));
}

/* Makes the mean over the models that are kin to a leaf, if there are two or more. */
static int add_mean(struct regret_rate_rows *rows, size_t leaf, int by_rewriter)
{
    static const struct regret_span nothing = {NULL, 0};
    struct regret_span base = {rows->models[leaf].base, strlen(rows->models[leaf].base)};
    const char *who = rows->models[leaf].rewriter;
    struct regret_span rewriter = by_rewriter ? (struct regret_span){who, strlen(who)} : nothing;
    FREED_BY(regret_buffer_free) struct regret_buffer name = REGRET_BUFFER_INIT;
    size_t n = 0, n_models = rows->n_models;
    uint32_t mean = 0;
    for (size_t m = 0; m < n_models; m++) {
        n += (size_t)is_kin(rows, leaf, m, by_rewriter);
    }
    if (n < 2) {
        return REGRET_OK;
    }
    append_name(&name, base, rewriter, nothing);
    TRY(regret_buffer_status(&name));
    struct regret_span span = {regret_buffer_get(&name), name.length};
    TRY(rows_model(rows, span, rows->models[leaf].contrastive, &mean));
    if (mean < n_models) {
        return regret_fail(REGRET_E_INPUT,
                           "rows of \"%s\" with a \"%s\" stand beside rows without: whose rewrites "
                           "those are is not known; name it in all of them",
                           span.text, by_rewriter ? "repeat" : "rewriter\" or \"repeat");
    }
    for (size_t m = 0; m < n_models; m++) {
        int is_part = m != leaf && is_kin(rows, leaf, m, by_rewriter);
        rows->models[m].part_of = is_part ? mean + 1 : rows->models[m].part_of;
    }
    rows->models[leaf].part_of = mean + 1;
    TRY(describe(&rows->models[mean], base, rewriter, nothing));
    return fill_mean(rows, mean);
}

int regret_rate_average_rewrites(struct regret_rate_rows *rows)
{
    for (int by_rewriter = 1; by_rewriter >= 0; by_rewriter--) {
        for (size_t m = 0; m < rows->n_models; m++) {
            const struct regret_rate_model *leaf = &rows->models[m];
            if (leaf->base != NULL && leaf->part_of == 0 &&
                (!by_rewriter || (leaf->rewriter != NULL && leaf->repeat != NULL))) {
                TRY(add_mean(rows, m, by_rewriter));
            }
        }
    }
    return REGRET_OK;
}
