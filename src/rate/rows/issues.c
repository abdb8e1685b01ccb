#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "rate/rows/rows.h"
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
    [REGRET_RATE_ISSUE_TOO_LONG] = {"too-long",
                                    "nothing: these rows are left out as was asked for"},
    [REGRET_RATE_ISSUE_ROW_MALFORMED] = {"row-malformed", "repair these rows; they are left out"},
    [REGRET_RATE_ISSUE_SCORE_KEY_UNKNOWN] =
        {"score-key-unknown", "the keys of scores are original, rewrite and rewrite_of_rewrite; of "
                              "contrasts, single and double"},
    [REGRET_RATE_ISSUE_SCORES_EQUAL] =
        {"scores-all-equal", "see why this model gives every text of the group the same score"},
};

const char *regret_rate_issue_name(enum regret_rate_issue_kind issue)
{
    return issues[issue].name;
}

const char *regret_rate_issue_remedy(enum regret_rate_issue_kind issue)
{
    return issues[issue].remedy;
}

/* Bytes of the first `most`, less what they hold of a character that they cut in two. */
static size_t cut(struct regret_span text, size_t most)
{
    size_t n = text.length < most ? text.length : most;
    while (n < text.length && n > 0 && ((unsigned char)text.text[n] & 0xC0) == 0x80) {
        n--;
    }
    return n;
}

void rows_note_issue(struct regret_rate_rows *rows, enum regret_rate_issue_kind issue,
                     uint32_t file, size_t line, uint32_t model)
{
    static const struct regret_span nothing = {"", 0};
    rows_note_detail(rows, issue, file, line, model, nothing);
}

void rows_note_detail(struct regret_rate_rows *rows, enum regret_rate_issue_kind issue,
                      uint32_t file, size_t line, uint32_t model, struct regret_span detail)
{
    struct regret_rate_issue *noted = &rows->issues[issue];
    if (noted->count < REGRET_RATE_ISSUE_EXAMPLES) {
        size_t n = cut(detail, REGRET_RATE_ISSUE_DETAIL - 1);
        noted->examples[noted->count].file = file;
        noted->examples[noted->count].line = line;
        noted->examples[noted->count].model = model;
        memcpy(noted->examples[noted->count].detail, detail.text, n);
        noted->examples[noted->count].detail[n] = '\0';
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

/* Whether row i names model m, though with no number at all. */
static int is_named_badly(const struct regret_rate_rows *rows, size_t i, size_t m)
{
    uint64_t key = (uint64_t)i << 32 | m;
    uint32_t number = 0;
    return intern_find(&rows->index->bad, 0, (struct regret_span){(const char *)&key, sizeof key},
                       &number);
}

int rows_note_bad(struct regret_rate_rows *rows, size_t i, uint32_t model)
{
    uint64_t key = (uint64_t)i << 32 | model;
    uint32_t number = 0;
    int is_new = 0;
    return intern_add(&rows->index->bad, 0, (struct regret_span){(const char *)&key, sizeof key},
                      &number, &is_new);
}

static void note_scores(struct regret_rate_rows *rows, size_t i)
{
    for (size_t m = 0; m < rows->n_models; m++) {
        int missing = rows_missing(rows, m, i);
        if (missing == 0) {
            continue;
        }
        int any = is_named_badly(rows, i, m);
        for (int side = 0; side < REGRET_N_SIDES; side++) {
            any += !isnan(rows->models[m].score[side][i]);
        }
        rows_note_issue(rows,
                        any > 0 ? REGRET_RATE_ISSUE_SCORE_MISSING : REGRET_RATE_ISSUE_MODEL_ABSENT,
                        rows->file[i], rows->line[i], (uint32_t)m);
    }
}

/* One group while the scores of a model in it are compared. */
struct comparison {
    size_t n;     /* scores so far */
    size_t first; /* the row of the first */
    double value; /* the first */
    int varies;
};

/* Takes note of the groups in which model m gives every text the same score. */
static void note_equal_scores(struct regret_rate_rows *rows, size_t m, struct comparison *groups)
{
    size_t open = rows->n_groups;
    memset(groups, 0, rows->n_groups * sizeof *groups);
    for (int side = 0; side < REGRET_N_SIDES && open > 0; side++) {
        const double *score = rows->models[m].score[side];
        for (size_t i = 0; i < rows->n_rows && open > 0; i++) {
            struct comparison *g = &groups[rows->group[i]];
            if (isnan(score[i]) || g->varies) {
                continue;
            }
            if (g->n++ == 0) {
                g->first = i;
                g->value = score[i];
            } else if (score[i] != g->value) {
                g->varies = 1;
                open--;
            }
        }
    }
    for (size_t g = 0; g < rows->n_groups; g++) {
        if (groups[g].n > REGRET_N_SIDES && !groups[g].varies) {
            rows_note_issue(rows, REGRET_RATE_ISSUE_SCORES_EQUAL, rows->file[groups[g].first],
                            rows->line[groups[g].first], (uint32_t)m);
        }
    }
}

static int find_equal_scores(struct regret_rate_rows *rows)
{
    struct comparison *groups = NULL;
    TRY(REGRET_NEW(&groups, rows->n_groups));
    for (size_t m = 0; m < rows->n_models; m++) {
        note_equal_scores(rows, m, groups);
    }
    regret_free(groups);
    return REGRET_OK;
}

int regret_rate_rows_finish(struct regret_rate_rows *rows)
{
    if (rows->needed != NULL) {
        return regret_fail(REGRET_E_INPUT, "the table of rows is finished twice");
    }
    TRY(REGRET_NEW(&rows->needed, rows->n_groups * rows->n_models));
    find_needed(rows);
    find_named(rows);
    TRY(find_equal_scores(rows));
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
