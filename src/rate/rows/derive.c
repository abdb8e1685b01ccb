/* What is made of all rows before estimating: model edits, long texts set aside, datasets put together. */
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "rate/rows/rows.h"
#include "rate/rows/words.h"
#include "regret/alloc.h"
#include "regret/buffer.h"

/* The edit is there wherever one of its two parts is. */
static int name_edit(struct regret_rate_rows *rows, uint32_t derived,
                     const struct regret_rate_model *edited, const struct regret_rate_model *base)
{
    for (size_t i = 0; i < rows->n_rows; i++) {
        int any = 0;
        for (int side = 0; side < REGRET_N_SIDES; side++) {
            any |= !isnan(edited->score[side][i]) || !isnan(base->score[side][i]);
        }
        if (any) {
            TRY(rows_note_named(rows, rows->group[i], derived));
        }
    }
    return REGRET_OK;
}

int regret_rate_add_edit(struct regret_rate_rows *rows, const char *name, const char *edited,
                         const char *base)
{
    uint32_t pi = 0, pi0 = 0, derived = 0;
    const struct regret_span span = {name, strlen(name)};
    TRY(rows_find_model(&pi, rows, edited));
    TRY(rows_find_model(&pi0, rows, base));
    if (intern_find(&rows->index->models, 0, span, &derived)) {
        return regret_fail(REGRET_E_INPUT,
                           "\"%s\" is already a reward model; name the edit otherwise", name);
    }
    TRY(rows_model(rows, span, 0, &derived));
    for (size_t side = 0; side < REGRET_N_SIDES; side++) {
        for (size_t i = 0; i < rows->n_rows; i++) {
            double score = rows->models[pi].score[side][i] - rows->models[pi0].score[side][i];
            rows->models[derived].score[side][i] = isfinite(score) ? score : (double)NAN;
        }
    }
    return name_edit(rows, derived, &rows->models[pi], &rows->models[pi0]);
}

int regret_rate_drop_long(struct regret_rate_rows *rows, size_t most)
{
    if (!rows->keep_texts) {
        return regret_fail(REGRET_E_INPUT,
                           "the length of texts is asked for; read the rows with them");
    }
    for (size_t i = 0; i < rows->n_rows; i++) {
        int is_long = 0;
        for (int side = 0; side < REGRET_N_SIDES; side++) {
            const char *text = rows->texts[i].completion[side];
            is_long |= text != NULL && count_tokens(text, most) > most;
        }
        if (is_long && rows->w[i] != REGRET_LABEL_EXCLUDED) {
            rows->w[i] = REGRET_LABEL_EXCLUDED;
            rows_note_issue(rows, REGRET_RATE_ISSUE_TOO_LONG, rows->file[i], rows->line[i],
                            UINT32_MAX);
        }
    }
    return REGRET_OK;
}

/* Appends "+dataset" to a combined group's name. */
static int join_name(struct regret_rate_group *into, const char *dataset)
{
    FREED_BY(regret_buffer_free) struct regret_buffer name = REGRET_BUFFER_INIT;
    char *joined = NULL;
    regret_buffer_printf(&name, "%s+%s", into->dataset, dataset);
    TRY(regret_buffer_status(&name));
    TRY(regret_strdup(&joined, regret_buffer_get(&name)));
    regret_free(into->dataset);
    into->dataset = joined;
    return REGRET_OK;
}

/* place[g]: the combined group of group g, numbered by first appearance; the groups themselves are
 * packed to the front. */
static int pack_groups(uint32_t *place, struct regret_rate_rows *rows)
{
    size_t n = 0;
    for (size_t g = 0; g < rows->n_groups; g++) {
        size_t k = 0;
        while (k < n && strcmp(rows->groups[k].attribute, rows->groups[g].attribute) != 0) {
            k++;
        }
        place[g] = (uint32_t)k;
        if (k == n) {
            struct regret_rate_group moved = rows->groups[g];
            rows->groups[g] = rows->groups[n];
            rows->groups[n++] = moved;
            continue;
        }
        TRY(join_name(&rows->groups[k], rows->groups[g].dataset));
    }
    for (size_t g = n; g < rows->n_groups; g++) {
        regret_free(rows->groups[g].dataset);
        regret_free(rows->groups[g].attribute);
    }
    rows->n_groups = n;
    return REGRET_OK;
}

int regret_rate_combine_datasets(struct regret_rate_rows *rows)
{
    FREED uint32_t *place = NULL;
    TRY(REGRET_NEW(&place, rows->n_groups));
    TRY(pack_groups(place, rows));
    for (size_t i = 0; i < rows->n_rows; i++) {
        rows->group[i] = place[rows->group[i]];
    }
    for (size_t k = 0; k < rows->index->named.n; k++) {
        uint32_t *group = &rows->index->named.entries[k].family;
        *group = place[*group];
    }
    return REGRET_OK;
}
