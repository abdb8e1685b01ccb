/* What the data say about the assumptions, as tables. */

#include "rate/report/report.h"

static void mean_cells(struct data_table *t, const struct regret_rate_mean *m)
{
    DATA_NUMBERS(t, m->mean, m->se);
}

/* Whose movement it is, and in what. */
static void movement_cells(struct data_table *t, const struct regret_rate_rows *rows,
                           const struct regret_rate_movement *m)
{
    group_cells(t, rows, m->group);
    data_cell_text(t, m->measure == REGRET_MEASURE_CHARACTERS ? "characters"
                      : m->measure == REGRET_MEASURE_WORDS    ? "words"
                                                              : rows->models[m->model].name);
}

#define CLUSTER_COLUMNS "cluster n_clusters missing"

static void cluster_cells(struct data_table *t, const struct regret_rate_rows *rows, int clustered,
                          size_t n_clusters, const char *missing)
{
    data_cell_text(t, cluster_name(rows, clustered));
    data_cell_count(t, n_clusters);
    data_cell_text(t, missing);
}

static void write_movements(struct regret_buffer *out, enum regret_format format,
                            const struct regret_rate_rows *rows,
                            const struct regret_rate_check *check)
{
    struct data_table t;
    data_table_begin(&t, "movements", "How far rewriting moved what it should leave alone",
                     "dataset attribute measure w n original (original_se) rewriting rewriting_se "
                     "rewriting_back rewriting_back_se net net_se (cluster)");
    for (size_t k = 0; k < 2 * check->n_movements; k++) {
        const struct regret_rate_movement *m = &check->movements[k / 2];
        size_t w = 1 - k % 2;
        movement_cells(&t, rows, m);
        DATA_COUNTS(&t, w, m->n[w]);
        mean_cells(&t, &m->original[w]);
        mean_cells(&t, &m->forth[w]);
        mean_cells(&t, &m->back[w]);
        mean_cells(&t, &m->net[w]);
        data_cell_text(&t, cluster_name(rows, m->clustered));
    }
    document_table(out, format, 1, &t);
}

static void write_symmetry(struct regret_buffer *out, enum regret_format format,
                           const struct regret_rate_rows *rows,
                           const struct regret_rate_check *check)
{
    struct data_table t;
    data_table_begin(&t, "symmetry", "Rewrites to W = 1 less rewrites to W = 0 (0 off target)",
                     "dataset attribute measure n rewrite_to_1_less_to_0 se t p p_holm low high "
                     "(df) " CLUSTER_COLUMNS);
    for (size_t k = 0; k < check->n_movements; k++) {
        const struct regret_rate_movement *m = &check->movements[k];
        movement_cells(&t, rows, m);
        data_cell_count(&t, m->n[0] + m->n[1]);
        mean_cells(&t, &m->asymmetry);
        DATA_NUMBERS(&t, m->t, m->p, m->p_holm, m->low, m->high, m->df);
        cluster_cells(&t, rows, m->clustered, m->n_clusters, m->missing);
    }
    document_table(out, format, 0, &t);
}

static void write_flips(struct regret_buffer *out, enum regret_format format,
                        const struct regret_rate_rows *rows, const struct regret_rate_check *check)
{
    static const char *const sides[REGRET_N_SIDES] = {"original", "rewrite", "rewrite_of_rewrite"};
    struct data_table t;
    data_table_begin(&t, "flips", "Texts whose W is as it should be, by the classifier",
                     "dataset attribute text w_original n as_it_should low high " CLUSTER_COLUMNS);
    for (size_t k = 0; k < check->n_flips; k++) {
        const struct regret_rate_flips *f = &check->flips[k];
        group_cells(&t, rows, f->group);
        data_cell_text(&t, sides[f->side]);
        DATA_COUNTS(&t, (size_t)f->w, f->n);
        DATA_NUMBERS(&t, f->share, f->low, f->high);
        cluster_cells(&t, rows, f->clustered, f->n_clusters, f->missing);
    }
    document_table(out, format, 0, &t);
}

static void write_wins(struct regret_buffer *out, enum regret_format format,
                       const struct regret_rate_rows *rows, const struct regret_rate_check *check)
{
    struct data_table t;
    data_table_begin(
        &t, "wins", "How often the text with W = 1 has the higher reward",
        "dataset attribute reward_model texts n wins ties share se low high " CLUSTER_COLUMNS);
    for (size_t k = 0; k < check->n_wins; k++) {
        const struct regret_rate_wins *w = &check->wins[k];
        group_cells(&t, rows, w->group);
        model_cell(&t, rows, w->model);
        data_cell_text(&t, w->is_double ? "rewrites" : "original and rewrite");
        DATA_COUNTS(&t, w->n, w->wins, w->ties);
        DATA_NUMBERS(&t, w->share, w->se, w->low, w->high);
        cluster_cells(&t, rows, w->clustered, w->n_clusters, w->missing);
    }
    document_table(out, format, 0, &t);
}

void regret_rate_write_check(struct regret_buffer *out, enum regret_format format,
                             const struct regret_rate_rows *rows,
                             const struct regret_rate_check *check)
{
    document_begin(out, format);
    write_movements(out, format, rows, check);
    if (format != REGRET_FORMAT_CSV) { /* which has one table */
        write_symmetry(out, format, rows, check);
        if (check->n_flips > 0 || format == REGRET_FORMAT_JSON) {
            write_flips(out, format, rows, check);
        }
        write_wins(out, format, rows, check);
        write_issues_section(out, format, rows);
    }
    document_end(out, format);
}
