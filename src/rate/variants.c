/* Variants of a response, and what is wrong with them. */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "rate/internal.h"
#include "regret/buffer.h"
#include "regret/status.h"

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

/* Several rewrites of one response: reward models "M@rewriter#repeat", and the means over them. */

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
