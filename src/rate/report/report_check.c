/* What the data say about the assumptions, as tables. */

#include "rate/report/report.h"

static void mean_cells(struct data_table *t, const struct regret_rate_mean *m)
{
    DATA_NUMBERS(t, m->mean, m->se);
}

/* Whose movement it is, and in what. */
static void movement_cells(struct rate_document *d, const struct regret_rate_movement *m)
{
    group_cells(d, m->group);
    data_cell_text(&d->table, m->measure == REGRET_MEASURE_CHARACTERS ? "characters"
                              : m->measure == REGRET_MEASURE_WORDS
                                  ? "words"
                                  : d->rows->models[m->model].name);
}

#define CLUSTER_COLUMNS "cluster n_clusters missing"

static void cluster_cells(struct rate_document *d, int clustered, size_t n_clusters,
                          const char *missing)
{
    cluster_cell(d, clustered);
    data_cell_count(&d->table, n_clusters);
    data_cell_text(&d->table, missing);
}

static void write_movements(struct rate_document *d, const struct regret_rate_check *check)
{
    struct data_table *t = document_table(
        d, "movements", "How far rewriting moved what it should leave alone",
        "dataset attribute measure w n original (original_se) rewriting rewriting_se "
        "rewriting_back rewriting_back_se net net_se (cluster)");
    for (size_t k = 0; k < 2 * check->n_movements; k++) {
        const struct regret_rate_movement *m = &check->movements[k / 2];
        size_t w = 1 - k % 2;
        movement_cells(d, m);
        DATA_COUNTS(t, w, m->n[w]);
        mean_cells(t, &m->original[w]);
        mean_cells(t, &m->forth[w]);
        mean_cells(t, &m->back[w]);
        mean_cells(t, &m->net[w]);
        cluster_cell(d, m->clustered);
    }
    document_put(d);
}

static void write_symmetry(struct rate_document *d, const struct regret_rate_check *check)
{
    struct data_table *t =
        document_table(d, "symmetry", "Rewrites to W = 1 less rewrites to W = 0 (0 off target)",
                       "dataset attribute measure n rewrite_to_1_less_to_0 se t p p_holm low high "
                       "(df) " CLUSTER_COLUMNS);
    for (size_t k = 0; k < check->n_movements; k++) {
        const struct regret_rate_movement *m = &check->movements[k];
        movement_cells(d, m);
        data_cell_count(t, m->n[0] + m->n[1]);
        mean_cells(t, &m->asymmetry);
        DATA_NUMBERS(t, m->t, m->p, m->p_holm, m->low, m->high, m->df);
        cluster_cells(d, m->clustered, m->n_clusters, m->missing);
    }
    document_put(d);
}

static void write_flips(struct rate_document *d, const struct regret_rate_check *check)
{
    static const char *const sides[REGRET_N_SIDES] = {"original", "rewrite", "rewrite_of_rewrite"};
    struct data_table *t = document_table(
        d, "flips", "Texts whose W is as it should be, by the classifier",
        "dataset attribute text w_original n as_it_should low high " CLUSTER_COLUMNS);
    for (size_t k = 0; k < check->n_flips; k++) {
        const struct regret_rate_flips *f = &check->flips[k];
        group_cells(d, f->group);
        data_cell_text(t, sides[f->side]);
        DATA_COUNTS(t, (size_t)f->w, f->n);
        DATA_NUMBERS(t, f->share, f->low, f->high);
        cluster_cells(d, f->clustered, f->n_clusters, f->missing);
    }
    document_put(d);
}

static void write_wins(struct rate_document *d, const struct regret_rate_check *check)
{
    struct data_table *t = document_table(
        d, "wins", "How often the text with W = 1 has the higher reward",
        "dataset attribute reward_model texts n wins ties share se low high " CLUSTER_COLUMNS);
    for (size_t k = 0; k < check->n_wins; k++) {
        const struct regret_rate_wins *w = &check->wins[k];
        group_cells(d, w->group);
        model_cell(d, w->model);
        data_cell_text(t, w->is_double ? "rewrites" : "original and rewrite");
        DATA_COUNTS(t, w->n, w->wins, w->ties);
        DATA_NUMBERS(t, w->share, w->se, w->low, w->high);
        cluster_cells(d, w->clustered, w->n_clusters, w->missing);
    }
    document_put(d);
}

void regret_rate_write_check(struct regret_buffer *out, enum regret_format format,
                             const struct regret_rate_rows *rows,
                             const struct regret_rate_check *check)
{
    struct rate_document d = document_begin(out, format, rows);
    write_movements(&d, check);
    write_symmetry(&d, check);
    if (check->n_flips > 0 || format == REGRET_FORMAT_JSON) {
        write_flips(&d, check);
    }
    write_wins(&d, check);
    write_issues_section(&d);
    document_end(&d);
}
