#include "experiment/rows.h"

#include "experiment/row_fields.h"

size_t rows_count(const struct regret_config *config, const struct regret_pool *pool)
{
    size_t success;
    int has_success = regret_pool_find_success(&success, pool);
    return config->families.n + ROW_BASELINES + (has_success ? ROW_FITS : ROW_FITS - 1);
}

/* What every row begins with. */
struct row_head {
    size_t cell;
    uint64_t seed;
    const char *cell_key;
};

static void row_start(struct regret_text *t, const struct row_head *head, const char *kind,
                      const char *family)
{
    regret_text_printf(t,
                       "{\"cell\":%zu,\"seed\":%llu,\"key\":%s,\"kind\":\"%s\",\"family\":\"%s\"",
                       head->cell, (unsigned long long)head->seed, head->cell_key, kind, family);
}

static void field(struct regret_text *t, const char *name, double value)
{
    regret_text_printf(t, ",\"%s\":", name);
    regret_text_json_number(t, value);
}

static void word(struct regret_text *t, const char *name, const char *value)
{
    regret_text_printf(t, ",\"%s\":", name);
    if (value != NULL) {
        regret_text_json_string(t, value);
    } else {
        regret_text_append(t, "null");
    }
}

static void family_fields(struct regret_text *t, const struct family_measures *m)
{
    field(t, "regret", m->regret);
    field(t, "rmse", m->rmse);
    field(t, "top1", m->top1);
    field(t, "top3", m->top3);
    field(t, "spearman", m->spearman);
    field(t, "dm_rmse", m->dm_rmse);
    field(t, "dr_rmse", m->dr_rmse);
    field(t, "sndr_rmse", m->sndr_rmse);
    field(t, "lambda", m->lambda);
    field(t, "alpha", m->alpha);
    field(t, "rho", m->rho);
    field(t, "tau", m->tau);
    word(t, "basis", m->basis >= 0 ? regret_basis_name((enum regret_basis)m->basis) : NULL);
    word(t, "cv",
         m->cv_mode >= 0 ? regret_fold_mode_name((enum regret_fold_mode)m->cv_mode) : NULL);
}

int rows_write(struct regret_text *t, const struct measures *m, size_t cell, uint64_t seed,
               const char *cell_key)
{
    _Static_assert((int)ROW_BASELINES == (int)MEASURED_BASELINES, "baselines of a row");
    _Static_assert((int)ROW_FITS == (int)MEASURED_FITS, "fits of a row");
    const struct row_head head = {cell, seed, cell_key};
    for (size_t i = 0; i < m->n_families; i++) {
        row_start(t, &head, "family", m->family[i].family);
        family_fields(t, &m->family[i]);
        regret_text_append(t, "}\n");
    }
    for (size_t i = 0; i < MEASURED_BASELINES; i++) {
        row_start(t, &head, "baseline", row_baselines[i]);
        field(t, "regret", m->baseline_regret[i]);
        regret_text_append(t, "}\n");
    }
    for (size_t i = 0; i < m->n_fits; i++) {
        row_start(t, &head, "fit", row_fits[i]);
        field(t, "r2", m->fit_r2[i]);
        regret_text_append(t, "}\n");
    }
    return regret_text_status(t);
}
