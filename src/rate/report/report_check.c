/* What the data say about the assumptions, as tables. */

#include "rate/report/report.h"

static void mean_cells(struct data_table *t, const struct regret_rate_mean *m)
{
    data_cell_number(t, m->mean);
    data_cell_number(t, m->se);
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

#define CLUSTER_COLUMNS                                                                            \
    {"cluster", 0}, {"n_clusters", 0},                                                             \
    {                                                                                              \
        "missing", 0                                                                               \
    }

static void cluster_cells(struct data_table *t, const struct regret_rate_rows *rows, int clustered,
                          size_t n_clusters, const char *missing)
{
    data_cell_text(t, cluster_name(rows, clustered));
    data_cell_count(t, n_clusters);
    data_cell_text(t, missing);
}

static const struct data_column movement_columns[] = {{"dataset", 0},
                                                      {"attribute", 0},
                                                      {"measure", 0},
                                                      {"w", 0},
                                                      {"n", 0},
                                                      {"original", 0},
                                                      {"original_se", 1},
                                                      {"rewriting", 0},
                                                      {"rewriting_se", 0},
                                                      {"rewriting_back", 0},
                                                      {"rewriting_back_se", 0},
                                                      {"net", 0},
                                                      {"net_se", 0},
                                                      {"cluster", 1}};

static void write_movements(struct regret_buffer *out, enum regret_format format,
                            const struct regret_rate_rows *rows,
                            const struct regret_rate_check *check)
{
    struct data_table t;
    data_table_begin(&t, "movements", "How far rewriting moved what it should leave alone",
                     movement_columns, sizeof movement_columns / sizeof *movement_columns);
    for (size_t k = 0; k < 2 * check->n_movements; k++) {
        const struct regret_rate_movement *m = &check->movements[k / 2];
        size_t w = 1 - k % 2;
        movement_cells(&t, rows, m);
        data_cell_count(&t, w);
        data_cell_count(&t, m->n[w]);
        mean_cells(&t, &m->original[w]);
        mean_cells(&t, &m->forth[w]);
        mean_cells(&t, &m->back[w]);
        mean_cells(&t, &m->net[w]);
        data_cell_text(&t, cluster_name(rows, m->clustered));
    }
    document_table(out, format, 1, &t);
}

static const struct data_column symmetry_columns[] = {
    {"dataset", 0}, {"attribute", 0}, {"measure", 0}, {"n", 0},      {"rewrite_to_1_less_to_0", 0},
    {"se", 0},      {"t", 0},         {"p", 0},       {"p_holm", 0}, {"low", 0},
    {"high", 0},    {"df", 1},        CLUSTER_COLUMNS};

static void write_symmetry(struct regret_buffer *out, enum regret_format format,
                           const struct regret_rate_rows *rows,
                           const struct regret_rate_check *check)
{
    struct data_table t;
    data_table_begin(&t, "symmetry", "Rewrites to W = 1 less rewrites to W = 0 (0 off target)",
                     symmetry_columns, sizeof symmetry_columns / sizeof *symmetry_columns);
    for (size_t k = 0; k < check->n_movements; k++) {
        const struct regret_rate_movement *m = &check->movements[k];
        movement_cells(&t, rows, m);
        data_cell_count(&t, m->n[0] + m->n[1]);
        mean_cells(&t, &m->asymmetry);
        data_cell_number(&t, m->t);
        data_cell_number(&t, m->p);
        data_cell_number(&t, m->p_holm);
        data_cell_number(&t, m->low);
        data_cell_number(&t, m->high);
        data_cell_number(&t, m->df);
        cluster_cells(&t, rows, m->clustered, m->n_clusters, m->missing);
    }
    document_table(out, format, 0, &t);
}

static const struct data_column flip_columns[] = {
    {"dataset", 0},      {"attribute", 0}, {"text", 0}, {"w_original", 0}, {"n", 0},
    {"as_it_should", 0}, {"low", 0},       {"high", 0}, CLUSTER_COLUMNS};

static void write_flips(struct regret_buffer *out, enum regret_format format,
                        const struct regret_rate_rows *rows, const struct regret_rate_check *check)
{
    static const char *const sides[REGRET_N_SIDES] = {"original", "rewrite", "rewrite_of_rewrite"};
    struct data_table t;
    data_table_begin(&t, "flips", "Texts whose W is as it should be, by the classifier",
                     flip_columns, sizeof flip_columns / sizeof *flip_columns);
    for (size_t k = 0; k < check->n_flips; k++) {
        const struct regret_rate_flips *f = &check->flips[k];
        group_cells(&t, rows, f->group);
        data_cell_text(&t, sides[f->side]);
        data_cell_count(&t, (size_t)f->w);
        data_cell_count(&t, f->n);
        data_cell_number(&t, f->share);
        data_cell_number(&t, f->low);
        data_cell_number(&t, f->high);
        cluster_cells(&t, rows, f->clustered, f->n_clusters, f->missing);
    }
    document_table(out, format, 0, &t);
}

static const struct data_column win_columns[] = {
    {"dataset", 0}, {"attribute", 0}, {"reward_model", 0}, {"texts", 0},
    {"n", 0},       {"wins", 0},      {"ties", 0},         {"share", 0},
    {"se", 0},      {"low", 0},       {"high", 0},         CLUSTER_COLUMNS};

static void write_wins(struct regret_buffer *out, enum regret_format format,
                       const struct regret_rate_rows *rows, const struct regret_rate_check *check)
{
    struct data_table t;
    data_table_begin(&t, "wins", "How often the text with W = 1 has the higher reward", win_columns,
                     sizeof win_columns / sizeof *win_columns);
    for (size_t k = 0; k < check->n_wins; k++) {
        const struct regret_rate_wins *w = &check->wins[k];
        group_cells(&t, rows, w->group);
        model_cell(&t, rows, w->model);
        data_cell_text(&t, w->is_double ? "rewrites" : "original and rewrite");
        data_cell_count(&t, w->n);
        data_cell_count(&t, w->wins);
        data_cell_count(&t, w->ties);
        data_cell_number(&t, w->share);
        data_cell_number(&t, w->se);
        data_cell_number(&t, w->low);
        data_cell_number(&t, w->high);
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
