/* What is derived from the rows before estimating: model edits and predicted labels. */
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "rate/estimate/classifier.h"
#include "rate/estimate/clusters.h"
#include "rate/estimate/label_ridge.h"
#include "rate/rows/rows.h"
#include "rate/rows/words.h"
#include "regret/alloc.h"
#include "regret/blas.h"
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

/* Labels row i by a classifier's verdict, or says that it cannot. */
static void label_row(struct regret_rate_rows *rows, size_t i, int known, int verdict)
{
    if (!known) {
        rows_note_issue(rows, REGRET_RATE_ISSUE_W_UNPREDICTABLE, rows->file[i], rows->line[i],
                        UINT32_MAX);
        rows->w[i] = REGRET_LABEL_EXCLUDED;
        return;
    }
    rows->w[i] = (uint8_t)verdict;
    rows->w_predicted[i] = 1;
}

static const char *original_text(const struct regret_rate_rows *rows, size_t i)
{
    return rows->texts[i].completion[REGRET_SIDE_ORIGINAL];
}

/* By a threshold on the length of the original or on its score. */
static void predict_by_threshold(struct regret_rate_rows *rows, const struct classifier *c)
{
    size_t labelled = 0, agree = 0;
    for (size_t i = 0; i < rows->n_rows; i++) {
        double value = classifier_value(c, rows, i, REGRET_SIDE_ORIGINAL);
        int known = !isnan(value), verdict = value > c->threshold;
        rows->w_score[i] = known ? verdict : (double)NAN;
        if (rows->w[i] == REGRET_LABEL_MISSING) {
            label_row(rows, i, known, verdict);
        } else if (rows->w[i] <= REGRET_LABEL_1 && known) {
            labelled++;
            agree += verdict == rows->w[i];
        }
    }
    rows->predictor_agreement = labelled > 0 ? (double)agree / (double)labelled : (double)NAN;
}

/* The texts of group g with a label, and those without. */
struct training {
    const char **text, **target;
    uint8_t *label;
    size_t *row, *target_row;
    size_t *order, *start; /* sort_by_group() */
    struct clusters clusters;
    size_t *family, *kin,
        *first; /* label_ridge_scores; first: by cluster, its first labelled text, or NO_KIN */
    struct label_ridge_scores scores;
    size_t n, n_ones, n_targets;
};

/* Texts of one cluster are one family: no label of it tells what its texts are predicted to be, be they labelled
 * or not, so that both are predicted alike. */
static void add_kin(struct training *t, size_t member, int labelled, size_t *n_families)
{
    uint32_t cluster = cluster_at(&t->clusters, member);
    if (!labelled) {
        t->kin[t->n_targets] = t->first[cluster];
        return;
    }
    if (t->first[cluster] == LABEL_RIDGE_NO_KIN) {
        t->first[cluster] = t->n;
        t->family[t->n] = (*n_families)++;
    } else {
        t->family[t->n] = t->family[t->first[cluster]];
    }
}

/* Labelled texts first, that the kin of the others be known. */
static void collect(struct training *t, struct regret_rate_rows *rows, size_t g)
{
    size_t n_members = t->start[g + 1] - t->start[g], n_families = 0;
    const size_t *members = t->order + t->start[g];
    t->n = t->n_ones = t->n_targets = 0;
    clusters_number(&t->clusters, rows->cluster, members, n_members, REGRET_CLUSTERS_OF_GROUP);
    memset(t->first, 0xFF, cluster_count(&t->clusters, n_members) * sizeof *t->first);
    for (int labelled = 1; labelled >= 0; labelled--) {
        for (size_t k = 0; k < n_members; k++) {
            size_t i = members[k];
            const char *text = original_text(rows, i);
            if (rows->w[i] > REGRET_LABEL_MISSING ||
                (rows->w[i] != REGRET_LABEL_MISSING) != labelled) {
                continue;
            }
            if (text == NULL) {
                if (!labelled) {
                    label_row(rows, i, 0, 0);
                }
                continue;
            }
            add_kin(t, k, labelled, &n_families);
            if (labelled) {
                t->n_ones += rows->w[i];
                t->label[t->n] = rows->w[i];
                t->row[t->n] = i;
                t->text[t->n++] = text;
            } else {
                t->target_row[t->n_targets] = i;
                t->target[t->n_targets++] = text;
            }
        }
    }
}

static int predict_group(struct training *t, struct regret_rate_rows *rows, size_t g, double *agree,
                         double *labelled)
{
    collect(t, rows, g);
    if (t->n_targets == 0) {
        return REGRET_OK;
    }
    int learnable = t->n_ones >= 2 && t->n - t->n_ones >= 2;
    if (learnable) {
        TRY(label_ridge(&t->scores, t->text, t->label, t->n, t->target, t->n_targets));
    }
    for (size_t j = 0; j < t->n_targets; j++) {
        label_row(rows, t->target_row[j], learnable, learnable && t->scores.target[j] >= 0.5);
        rows->w_score[t->target_row[j]] = learnable ? t->scores.mean[j] : (double)NAN;
    }
    for (size_t i = 0; i < t->n && learnable; i++) {
        rows->w_score[t->row[i]] = t->scores.own[i];
    }
    *agree += learnable ? t->scores.agreement * (double)t->n : 0.0;
    *labelled += learnable ? (double)t->n : 0.0;
    return REGRET_OK;
}

static int predict_by_text(struct regret_rate_rows *rows)
{
    const struct regret_rate_options all = {0};
    struct training t = {0};
    double agree = 0.0, labelled = 0.0;
    int rc;
    TRY(regret_blas_check_threads(1));
    TRY_CLEANUP(REGRET_NEW(&t.text, rows->n_rows));
    TRY_CLEANUP(REGRET_NEW(&t.target, rows->n_rows));
    TRY_CLEANUP(REGRET_NEW(&t.label, rows->n_rows));
    TRY_CLEANUP(REGRET_NEW(&t.target_row, rows->n_rows));
    TRY_CLEANUP(REGRET_NEW(&t.row, rows->n_rows));
    TRY_CLEANUP(REGRET_NEW(&t.scores.target, rows->n_rows));
    TRY_CLEANUP(REGRET_NEW(&t.scores.mean, rows->n_rows));
    TRY_CLEANUP(REGRET_NEW(&t.scores.own, rows->n_rows));
    TRY_CLEANUP(REGRET_NEW(&t.family, rows->n_rows));
    TRY_CLEANUP(REGRET_NEW(&t.kin, rows->n_rows));
    TRY_CLEANUP(REGRET_NEW(&t.first, rows->n_rows));
    TRY_CLEANUP(clusters_new(&t.clusters, rows->n_clusters, rows->n_rows));
    TRY_CLEANUP(sort_by_group(&t.order, &t.start, rows, &all));
    t.scores.family = t.family;
    t.scores.kin = t.kin;
    for (size_t g = 0; g < rows->n_groups; g++) {
        TRY_CLEANUP(predict_group(&t, rows, g, &agree, &labelled));
    }
    rows->predictor_agreement = labelled > 0.0 ? agree / labelled : (double)NAN;
cleanup:
    regret_free(t.text);
    regret_free(t.target);
    regret_free(t.label);
    regret_free(t.target_row);
    regret_free(t.row);
    regret_free(t.scores.target);
    regret_free(t.scores.mean);
    regret_free(t.scores.own);
    regret_free(t.family);
    regret_free(t.kin);
    regret_free(t.first);
    regret_free(t.order);
    regret_free(t.start);
    clusters_free(&t.clusters);
    return rc;
}

/* Room for what the classifier makes of the rows: nothing so far. */
static int make_scores(struct regret_rate_rows *rows)
{
    if (rows->w_score == NULL) {
        TRY(REGRET_NEW(&rows->w_score, rows->n_rows));
    }
    for (size_t i = 0; i < rows->n_rows; i++) {
        rows->w_score[i] = NAN;
    }
    return REGRET_OK;
}

int regret_rate_predict_w(struct regret_rate_rows *rows, const char *classifier)
{
    struct classifier c;
    TRY(classifier_parse(&c, rows, classifier));
    TRY(make_scores(rows));
    if (c.kind == CLASSIFIER_TEXT) {
        return predict_by_text(rows);
    }
    predict_by_threshold(rows, &c);
    return REGRET_OK;
}

static size_t count_tokens_up_to(const char *text, size_t most)
{
    size_t n = 0;
    while (n <= most && next_token(&text).text != NULL) {
        n++;
    }
    return n;
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
            is_long |= text != NULL && count_tokens_up_to(text, most) > most;
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
    struct regret_buffer name = REGRET_BUFFER_INIT;
    char *joined = NULL;
    int rc;
    regret_buffer_printf(&name, "%s+%s", into->dataset, dataset);
    TRY_CLEANUP(regret_buffer_status(&name));
    TRY_CLEANUP(regret_strdup(&joined, regret_buffer_get(&name)));
    regret_free(into->dataset);
    into->dataset = joined;
cleanup:
    regret_buffer_free(&name);
    return rc;
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
    uint32_t *place = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&place, rows->n_groups));
    TRY_CLEANUP(pack_groups(place, rows));
    for (size_t i = 0; i < rows->n_rows; i++) {
        rows->group[i] = place[rows->group[i]];
    }
    for (size_t k = 0; k < rows->index->named.n; k++) {
        uint32_t *group = &rows->index->named.entries[k].family;
        *group = place[*group];
    }
cleanup:
    regret_free(place);
    return rc;
}
