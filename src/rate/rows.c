#include "rate/internal.h"

#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "rate/intern.h"
#include "regret/rate.h"
#include "regret/status.h"

int regret_rate_rows_new(struct regret_rate_rows **out, int keep_texts)
{
    struct regret_rate_rows *rows = NULL;
    TRY(REGRET_NEW(&rows, 1));
    int rc = REGRET_NEW(&rows->index, 1);
    if (rc != REGRET_OK) {
        regret_free(rows);
        return rc;
    }
    rows->keep_texts = keep_texts;
    rows->predictor_agreement = NAN;
    *out = rows;
    return REGRET_OK;
}

static void free_texts(struct regret_rate_row_texts *texts)
{
    regret_free(texts->prompt);
    for (int side = 0; side < REGRET_N_SIDES; side++) {
        regret_free(texts->completion[side]);
    }
    memset(texts, 0, sizeof *texts);
}

static void free_model(struct regret_rate_model *model)
{
    regret_free(model->name);
    regret_free(model->base);
    regret_free(model->rewriter);
    regret_free(model->repeat);
    for (int side = 0; side < REGRET_N_SIDES; side++) {
        regret_free(model->score[side]);
    }
}

static void free_group(struct regret_rate_group *group)
{
    regret_free(group->dataset);
    regret_free(group->attribute);
}

static void free_named(struct regret_rate_rows *rows)
{
    for (size_t g = 0; g < rows->n_groups; g++) {
        free_group(&rows->groups[g]);
    }
    for (size_t m = 0; m < rows->n_models; m++) {
        free_model(&rows->models[m]);
    }
    for (size_t f = 0; f < rows->n_files; f++) {
        regret_free(rows->files[f].name);
    }
    regret_free(rows->groups);
    regret_free(rows->files);
}

void regret_rate_rows_free(struct regret_rate_rows *rows)
{
    if (rows == NULL) {
        return;
    }
    for (size_t i = 0; rows->texts != NULL && i < rows->n_rows; i++) {
        free_texts(&rows->texts[i]);
    }
    free_named(rows);
    intern_free(&rows->index->ids);
    intern_free(&rows->index->attributes);
    intern_free(&rows->index->datasets);
    intern_free(&rows->index->models);
    intern_free(&rows->index->named);
    intern_free(&rows->index->clusters);
    intern_free(&rows->index->bad);
    regret_free(rows->index->sources);
    regret_free(rows->index->row_of_id);
    regret_free(rows->index);
    regret_free(rows->needed);
    regret_free(rows->group);
    regret_free(rows->w);
    regret_free(rows->z);
    regret_free(rows->w_predicted);
    regret_free(rows->cluster);
    regret_free(rows->cluster_key);
    regret_free(rows->file);
    regret_free(rows->line);
    regret_free(rows->texts);
    regret_free(rows);
}

#define GROW(array, n) regret_realloc((void **)&(array), (n), sizeof *(array), #array)

static int grow(struct regret_rate_rows *rows)
{
    size_t n = rows->capacity == 0 ? 256 : rows->capacity * 2;
    TRY(GROW(rows->group, n));
    TRY(GROW(rows->w, n));
    TRY(GROW(rows->z, n));
    TRY(GROW(rows->w_predicted, n));
    TRY(GROW(rows->cluster, n));
    TRY(GROW(rows->file, n));
    TRY(GROW(rows->line, n));
    if (rows->keep_texts) {
        TRY(GROW(rows->texts, n));
    }
    for (size_t m = 0; m < rows->n_models; m++) {
        for (int side = 0; side < REGRET_N_SIDES; side++) {
            TRY(GROW(rows->models[m].score[side], n));
        }
    }
    rows->capacity = n;
    return REGRET_OK;
}

/* What a failure leaves is freed by the caller. */
static int new_model(struct regret_rate_model *model, struct regret_span name, size_t capacity,
                     size_t n_rows)
{
    TRY(regret_strndup(&model->name, name.text, name.length));
    for (int side = 0; side < REGRET_N_SIDES; side++) {
        TRY(REGRET_NEW(&model->score[side], capacity));
        for (size_t i = 0; i < n_rows; i++) {
            model->score[side][i] = NAN;
        }
    }
    return REGRET_OK;
}

int rows_model(struct regret_rate_rows *rows, struct regret_span name, int contrastive,
               uint32_t *number)
{
    uint32_t family = contrastive != 0;
    if (intern_find(&rows->index->models, family, name, number)) {
        return REGRET_OK;
    }
    if (rows->n_models == REGRET_RATE_MAX_MODELS) {
        return regret_fail(REGRET_E_INPUT,
                           "more than %d reward models in all; estimate them in several runs",
                           REGRET_RATE_MAX_MODELS);
    }
    FREED_BY(free_model) struct regret_rate_model model = {.contrastive = contrastive};
    int is_new = 0;
    TRY(new_model(&model, name, rows->capacity, rows->n_rows));
    TRY(intern_add(&rows->index->models, family, name, number, &is_new));
    rows->models[rows->n_models++] = model;
    model = (struct regret_rate_model){0};
    return REGRET_OK;
}

int rows_find_model(uint32_t *number, const struct regret_rate_rows *rows, const char *name)
{
    if (intern_find(&rows->index->models, 0, (struct regret_span){name, strlen(name)}, number)) {
        return REGRET_OK;
    }
    return regret_fail(REGRET_E_INPUT,
                       "no row has scores of \"%s\"; the first model there is \"%s\"", name,
                       rows->n_models > 0 ? rows->models[0].name : "(none)");
}

static int new_group(struct regret_rate_rows *rows, struct regret_span dataset,
                     struct regret_span attribute)
{
    FREED_BY(free_group) struct regret_rate_group group = {NULL, NULL};
    TRY(GROW(rows->groups, rows->n_groups + 1));
    TRY(GROW(rows->index->sources, rows->n_groups + 1));
    rows->index->sources[rows->n_groups] = (struct source){0, 0, 0, 0};
    TRY(regret_strndup(&group.dataset, dataset.text, dataset.length));
    TRY(regret_strndup(&group.attribute, attribute.text, attribute.length));
    rows->groups[rows->n_groups++] = group;
    memset(&group, 0, sizeof group); /* handed on */
    return REGRET_OK;
}

static int is_text(struct regret_span a, const char *text)
{
    return strncmp(a.text, text, a.length) == 0 && text[a.length] == '\0';
}

/* The group of (dataset, attribute); rows mostly come in the group of the row before. */
static int find_group(struct regret_rate_rows *rows, struct regret_span dataset,
                      struct regret_span attribute, uint32_t *number)
{
    static const struct regret_span nothing = {"", 0};
    dataset = dataset.text == NULL ? nothing : dataset;
    attribute = attribute.text == NULL ? nothing : attribute;
    uint32_t family = 0;
    int is_new = 0;
    if (rows->n_rows > 0) {
        uint32_t last = rows->group[rows->n_rows - 1];
        if (is_text(dataset, rows->groups[last].dataset) &&
            is_text(attribute, rows->groups[last].attribute)) {
            *number = last;
            return REGRET_OK;
        }
    }
    TRY(intern_add(&rows->index->datasets, 0, dataset, &family, &is_new));
    if (intern_find(&rows->index->attributes, family, attribute, number)) {
        return REGRET_OK;
    }
    TRY(new_group(rows, dataset, attribute));
    int rc = intern_add(&rows->index->attributes, family, attribute, number, &is_new);
    if (rc != REGRET_OK) {
        free_group(&rows->groups[--rows->n_groups]);
    }
    return rc;
}

static int copy_span(char **out, struct regret_span span)
{
    return span.text == NULL ? REGRET_OK : regret_strndup(out, span.text, span.length);
}

/* What a failure leaves is freed by the caller. */
static int copy_texts(struct regret_rate_row_texts *texts, const struct regret_rate_row *row)
{
    TRY(copy_span(&texts->prompt, row->prompt));
    for (int side = 0; side < REGRET_N_SIDES; side++) {
        TRY(copy_span(&texts->completion[side], row->completion[side]));
    }
    return REGRET_OK;
}

int rows_note_named(struct regret_rate_rows *rows, uint32_t group, uint32_t model)
{
    uint32_t number = 0;
    int is_new = 0;
    const struct regret_span text = {(const char *)&model, sizeof model};
    return intern_add(&rows->index->named, group, text, &number, &is_new);
}

/* The row that has the id of `row` by now, or i. */
static size_t present_holder(const struct regret_rate_rows *rows, size_t i, uint32_t group,
                             const struct regret_rate_row *row)
{
    uint32_t id = 0;
    return row->id.text != NULL && intern_find(&rows->index->ids, group, row->id, &id)
               ? rows->index->row_of_id[id]
               : i;
}

/* Writes the scores of row `i`, which is not yet counted in; *n counts its models. */
static int add_scores(size_t *n, struct regret_rate_rows *rows, size_t i, uint32_t group,
                      const struct regret_rate_row *row)
{
    for (size_t m = 0; m < rows->n_models; m++) {
        for (int side = 0; side < REGRET_N_SIDES; side++) {
            rows->models[m].score[side][i] = NAN;
        }
    }
    for (size_t k = 0; k < row->n_scores; k++) {
        const struct regret_rate_scores *s = &row->scores[k];
        /* Models mostly come in the order in which they first came. */
        uint32_t m = (uint32_t)k;
        if (k >= rows->n_models || rows->models[k].contrastive != s->contrastive ||
            !is_text(s->model, rows->models[k].name)) {
            if (s->doubtful &&
                !intern_find(&rows->index->models, s->contrastive != 0, s->model, &m)) {
                continue;
            }
            TRY(rows_model(rows, s->model, s->contrastive, &m));
        }
        int scored = 0;
        for (int side = 0; side < REGRET_N_SIDES; side++) {
            rows->models[m].score[side][i] = s->value[side];
            scored |= !isnan(s->value[side]);
        }
        if (!scored) {
            TRY(rows_note_named(rows, group, m));
        }
        if (!scored && s->bad != 0) {
            TRY(rows_note_bad(rows, present_holder(rows, i, group, row), m));
        }
        ++*n;
    }
    return REGRET_OK;
}

static void note_bad_scores(struct regret_rate_rows *rows, const struct regret_rate_row *row)
{
    for (size_t k = 0; k < row->n_scores; k++) {
        const struct regret_rate_scores *s = &row->scores[k];
        uint32_t m = 0;
        if ((s->bad == 0 && s->unknown.text == NULL) ||
            !intern_find(&rows->index->models, s->contrastive != 0, s->model, &m)) {
            continue;
        }
        if (s->bad != 0) {
            rows_note_issue(rows, REGRET_RATE_ISSUE_SCORE_NOT_NUMBER, row->file, row->line, m);
        }
        if (s->unknown.text != NULL) {
            rows_note_detail(rows, REGRET_RATE_ISSUE_SCORE_KEY_UNKNOWN, row->file, row->line, m,
                             s->unknown);
        }
    }
}

static void note_labels(struct regret_rate_rows *rows, const struct regret_rate_row *row)
{
    if (row->w == REGRET_LABEL_NOT_BOOLEAN) {
        rows_note_issue(rows, REGRET_RATE_ISSUE_W_NOT_BOOLEAN, row->file, row->line, UINT32_MAX);
    }
    if (row->z == REGRET_LABEL_NOT_BOOLEAN) {
        rows_note_issue(rows, REGRET_RATE_ISSUE_Z_NOT_BOOLEAN, row->file, row->line, UINT32_MAX);
    }
}

static int agree(uint8_t label, enum regret_rate_label other)
{
    return label == other || label == REGRET_LABEL_MISSING || other == REGRET_LABEL_MISSING;
}

/* Whether both texts are there and differ: one id is of two responses then. */
static int differ(const char *text, struct regret_span other)
{
    return text != NULL && other.text != NULL && !is_text(other, text);
}

/* Whether row i, which has the id of row j, only adds reward models to it: they come in files of
 * their own then, and this is no duplicate. */
static int completes(const struct regret_rate_rows *rows, size_t i, size_t j,
                     const struct regret_rate_row *row)
{
    int adds = 0;
    for (size_t m = 0; m < rows->n_models; m++) {
        int old = 0, new = 0;
        for (int side = 0; side < REGRET_N_SIDES; side++) {
            new |= !isnan(rows->models[m].score[side][i]);
            old |= !isnan(rows->models[m].score[side][j]);
        }
        if (old && new) {
            return 0;
        }
        adds |= new;
    }
    return adds && agree(rows->w[j], row->w) && agree(rows->z[j], row->z) &&
           !(rows->keep_texts && differ(rows->texts[j].completion[REGRET_SIDE_ORIGINAL],
                                        row->completion[REGRET_SIDE_ORIGINAL]));
}

/* Puts what row i adds to row j there. */
static void complete_row(struct regret_rate_rows *rows, size_t i, size_t j,
                         const struct regret_rate_row *row, struct regret_rate_row_texts *texts)
{
    for (size_t m = 0; m < rows->n_models; m++) {
        for (int side = 0; side < REGRET_N_SIDES; side++) {
            double *score = rows->models[m].score[side];
            score[j] = isnan(score[i]) ? score[j] : score[i];
        }
    }
    rows->cluster[j] =
        rows->cluster[j] == REGRET_RATE_NO_CLUSTER ? rows->cluster[i] : rows->cluster[j];
    struct regret_rate_row news = {.file = row->file, .line = row->line};
    news.w = rows->w[j] == REGRET_LABEL_MISSING ? row->w : REGRET_LABEL_MISSING;
    news.z = rows->z[j] == REGRET_LABEL_MISSING ? row->z : REGRET_LABEL_MISSING;
    note_labels(rows, &news);
    rows->w[j] = news.w == REGRET_LABEL_MISSING ? rows->w[j] : (uint8_t)news.w;
    rows->z[j] = news.z == REGRET_LABEL_MISSING ? rows->z[j] : (uint8_t)news.z;
    if (rows->keep_texts) {
        char **from[] = {&texts->prompt, &texts->completion[0], &texts->completion[1],
                         &texts->completion[2]};
        struct regret_rate_row_texts *own = &rows->texts[j];
        char **to[] = {&own->prompt, &own->completion[0], &own->completion[1], &own->completion[2]};
        for (int k = 0; k < 4; k++) {
            if (*to[k] == NULL) {
                *to[k] = *from[k];
                *from[k] = NULL;
            }
        }
        free_texts(texts);
    }
}

/* The row that has the id of `row`, which would be row i: *holder, i itself where it is new. */
static int find_id(struct regret_rate_rows *rows, size_t i, uint32_t group,
                   const struct regret_rate_row *row, size_t *holder)
{
    struct regret_rate_index *index = rows->index;
    uint32_t id = 0;
    int is_new = 1;
    *holder = i;
    if (row->id.text == NULL) {
        return REGRET_OK;
    }
    if (index->ids.n == index->id_capacity) {
        size_t grown = index->id_capacity == 0 ? 256 : index->id_capacity * 2;
        TRY(GROW(index->row_of_id, grown));
        index->id_capacity = grown;
    }
    TRY(intern_add(&index->ids, group, row->id, &id, &is_new));
    if (is_new) {
        index->row_of_id[id] = i;
    } else {
        *holder = index->row_of_id[id];
    }
    return REGRET_OK;
}

/* The number of the cluster of a row that will be row i, in rows->cluster[i]. Names, which are whole
 * prompts, are not kept but hashes of them, of 128 bits. Rows mostly come in the cluster of the one before. */
static int note_cluster(struct regret_rate_rows *rows, size_t i, struct regret_span name)
{
    struct regret_rate_index *index = rows->index;
    uint64_t mark[2];
    int is_new = 0;
    rows->cluster[i] = REGRET_RATE_NO_CLUSTER;
    if (name.text == NULL) {
        return REGRET_OK;
    }
    regret_hash128(mark, name.text, name.length);
    if (rows->n_clusters == 0 || memcmp(mark, index->last_mark, sizeof mark) != 0) {
        const struct regret_span bytes = {(const char *)mark, sizeof mark};
        TRY(intern_add(&index->clusters, 0, bytes, &index->last_cluster, &is_new));
        memcpy(index->last_mark, mark, sizeof mark);
        rows->n_clusters = index->clusters.n;
    }
    rows->cluster[i] = index->last_cluster;
    return REGRET_OK;
}

/* Counts row i in, whose scores are written. */
static void take_row(struct regret_rate_rows *rows, size_t i, uint32_t group, int duplicate,
                     const struct regret_rate_row *row, const struct regret_rate_row_texts *texts)
{
    rows->group[i] = group;
    rows->w[i] = (uint8_t)(duplicate ? REGRET_LABEL_EXCLUDED : row->w);
    rows->z[i] = (uint8_t)row->z;
    rows->w_predicted[i] = 0;
    rows->file[i] = row->file;
    rows->line[i] = row->line;
    if (rows->keep_texts) {
        rows->texts[i] = *texts;
    }
    rows->n_rows++;
    if (duplicate) {
        rows_note_issue(rows, REGRET_RATE_ISSUE_DUPLICATE, row->file, row->line, UINT32_MAX);
        return;
    }
    note_labels(rows, row);
    note_bad_scores(rows, row);
}

static void note_source(struct source *s, const struct regret_rate_row *row)
{
    int is_named = row->id.text != NULL && row->id.text[0] != ID_BY_NUMBER;
    uint32_t file = row->file + 1, *kind = is_named ? &s->named : &s->nameless;
    *kind = *kind == 0 ? file : *kind;
    if (s->first == 0) {
        s->first = file;
    } else if (s->first != file && s->other == 0) {
        s->other = file;
    }
}

int rows_add_one(struct regret_rate_rows *rows, const struct regret_rate_row *row)
{
    size_t i = rows->n_rows, holder = i, n_models = 0;
    struct regret_rate_row_texts texts = {NULL, {NULL, NULL, NULL}};
    uint32_t group = 0;
    int rc;
    if (i == rows->capacity) {
        TRY(grow(rows));
    }
    TRY(find_group(rows, row->dataset, row->attribute, &group));
    TRY(add_scores(&n_models, rows, i, group, row));
    if (rows->keep_texts) {
        TRY_CLEANUP(copy_texts(&texts, row));
    }
    TRY_CLEANUP(note_cluster(rows, i, row->cluster));
    TRY_CLEANUP(find_id(rows, i, group, row, &holder));
    note_source(&rows->index->sources[group], row);
    if (holder != i && completes(rows, i, holder, row)) {
        complete_row(rows, i, holder, row, &texts);
        note_bad_scores(rows, row);
    } else {
        take_row(rows, i, group, holder != i, row, &texts);
    }
    if (row->file < rows->n_files) {
        rows->files[row->file].n_scored += n_models > 0;
    }
    return REGRET_OK;
cleanup:
    free_texts(&texts);
    return rc;
}

int rows_add_file(struct regret_rate_rows *rows, const char *path)
{
    struct regret_rate_file file = {NULL, 0, 0};
    TRY(GROW(rows->files, rows->n_files + 1));
    TRY(regret_strdup(&file.name, path));
    rows->files[rows->n_files++] = file;
    return REGRET_OK;
}
