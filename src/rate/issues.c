#include <math.h>
#include <string.h>

#include "base/try.h"
#include "rate/rows.h"
#include "regret/alloc.h"

static const struct {
    const char *name, *remedy;
} issues[REGRET_RATE_N_ISSUES] = {
    [REGRET_RATE_ISSUE_W_MISSING] = {"w-missing",
                                     "label these rows or name a classifier (--predict-w)"},
    [REGRET_RATE_ISSUE_W_NOT_BOOLEAN] = {"w-not-boolean", "write W as true or false"},
    [REGRET_RATE_ISSUE_W_UNPREDICTABLE] = {"w-unpredictable",
                                           "give what the classifier reads, or label these rows"},
    [REGRET_RATE_ISSUE_DUPLICATE] = {"duplicate",
                                     "give every response an id of its own; the first row counts"},
    [REGRET_RATE_ISSUE_SCORE_NOT_NUMBER] = {"score-not-number", "write scores as numbers or null"},
    [REGRET_RATE_ISSUE_SCORE_MISSING] = {"score-missing",
                                         "score all the texts of these rows with this model"},
    [REGRET_RATE_ISSUE_MODEL_ABSENT] =
        {"model-absent", "score these rows with every reward model, or keep the models "
                         "in files of their own"},
    [REGRET_RATE_ISSUE_Z_NOT_BOOLEAN] = {"z-not-boolean", "write Z as true or false"},
};

const char *regret_rate_issue_name(enum regret_rate_issue_kind issue)
{
    return issues[issue].name;
}

const char *regret_rate_issue_remedy(enum regret_rate_issue_kind issue)
{
    return issues[issue].remedy;
}

void rows_note_issue(struct regret_rate_rows *rows, enum regret_rate_issue_kind issue,
                     uint32_t file, size_t line, uint32_t model)
{
    struct regret_rate_issue *noted = &rows->issues[issue];
    if (noted->count < REGRET_RATE_ISSUE_EXAMPLES) {
        noted->examples[noted->count].file = file;
        noted->examples[noted->count].line = line;
        noted->examples[noted->count].model = model;
    }
    noted->count++;
}

int rows_missing(const struct regret_rate_rows *rows, size_t m, size_t i)
{
    const struct regret_rate_model *model = &rows->models[m];
    unsigned needed = rows->needed[rows->group[i] * rows->n_models + m];
    int missing = 0;
    for (int side = 0; side < REGRET_N_SIDES; side++) {
        missing += (needed & 1U << side) != 0 && isnan(model->score[side][i]);
    }
    return missing;
}

/* Which scores a model has in any row of a group that has W: those are needed of every row. */
static void find_needed(struct regret_rate_rows *rows)
{
    for (size_t m = 0; m < rows->n_models; m++) {
        for (int side = 0; side < REGRET_N_SIDES; side++) {
            const double *score = rows->models[m].score[side];
            const unsigned char bit = (unsigned char)(1U << side);
            for (size_t i = 0; i < rows->n_rows; i++) {
                unsigned char *needed = &rows->needed[rows->group[i] * rows->n_models + m];
                if ((*needed & bit) == 0 && !isnan(score[i])) {
                    *needed |= rows->w[i] <= REGRET_LABEL_1 ? bit | NEEDED_NAMED : NEEDED_NAMED;
                }
            }
        }
    }
}

static void find_named(struct regret_rate_rows *rows)
{
    const struct intern *named = &rows->index->named;
    for (size_t k = 0; k < named->n; k++) {
        uint32_t m = 0;
        memcpy(&m, intern_text(named, (uint32_t)k).text, sizeof m);
        rows->needed[named->entries[k].family * rows->n_models + m] |= NEEDED_NAMED;
    }
}

static void note_scores(struct regret_rate_rows *rows, size_t i)
{
    for (size_t m = 0; m < rows->n_models; m++) {
        int missing = rows_missing(rows, m, i);
        if (missing == 0) {
            continue;
        }
        int any = 0;
        for (int side = 0; side < REGRET_N_SIDES; side++) {
            any += !isnan(rows->models[m].score[side][i]);
        }
        rows_note_issue(rows,
                        any > 0 ? REGRET_RATE_ISSUE_SCORE_MISSING : REGRET_RATE_ISSUE_MODEL_ABSENT,
                        rows->file[i], rows->line[i], (uint32_t)m);
    }
}

int regret_rate_rows_finish(struct regret_rate_rows *rows)
{
    if (rows->needed != NULL) {
        return regret_fail(REGRET_E_INPUT, "the table of rows is finished twice");
    }
    TRY(REGRET_NEW(&rows->needed, rows->n_groups * rows->n_models));
    find_needed(rows);
    find_named(rows);
    for (size_t i = 0; i < rows->n_rows; i++) {
        if (rows->w[i] == REGRET_LABEL_MISSING) {
            rows_note_issue(rows, REGRET_RATE_ISSUE_W_MISSING, rows->file[i], rows->line[i],
                            UINT32_MAX);
        }
        if (rows->w[i] != REGRET_LABEL_EXCLUDED) {
            note_scores(rows, i);
        }
    }
    return REGRET_OK;
}
