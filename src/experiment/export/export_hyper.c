#include <math.h>

#include "base/core/try.h"
#include "experiment/export/export.h"
#include "regret/file.h"

static void json_number_or_null(struct regret_buffer *t, double x)
{
    if (isfinite(x)) {
        export_number(t, x);
    } else {
        regret_buffer_append(t, "null");
    }
}

static void hyper_fields(struct regret_buffer *t, const double *tuned, int basis)
{
    for (size_t j = 0; j < REGRET_N_TUNED; j++) {
        regret_buffer_printf(t, "%s\"%s\":", j > 0 ? "," : "", regret_tuned_name(j));
        json_number_or_null(t, tuned[j]);
    }
    regret_buffer_append(t, ",\"basis\":");
    regret_buffer_json_string(t, basis >= 0 ? regret_basis_name((enum regret_basis)basis) : NULL);
}

/* The noise of a mixed model is never 0, that of other fits always. */
static int is_mixed(const struct regret_estimate *e)
{
    return e->variance[REGRET_N_VARIANCES - 1] > 0.0;
}

/* Blocks of own columns are told of where there are any. */
static void export_variances(struct regret_buffer *t, const struct regret_estimate *e)
{
    static const char *const names[REGRET_N_VARIANCES] = {
        "agent",     "agent_tag", "text",      "words",   "picked", "bias",
        "text_bias", "own",       "agent_own", "context", "entry",  "noise"};
    enum { OWN = 7, AGENT_OWN };
    for (size_t i = 0; is_mixed(e) && i < REGRET_N_VARIANCES; i++) {
        if ((i != OWN && i != AGENT_OWN) || e->variance[i] > 0.0) {
            regret_buffer_printf(t, "%s\"%s\":", i == 0 ? ",\"variances\":{" : ",", names[i]);
            export_number(t, e->variance[i]);
        }
    }
    regret_buffer_append(t, is_mixed(e) ? "}" : "");
    for (size_t i = 0; is_mixed(e) && i <= e->n_picked; i++) {
        regret_buffer_append(t, i == 0 ? ",\"picked\":[" : "");
        i < e->n_picked ? regret_buffer_printf(t, "%s%u", i == 0 ? "" : ",", e->picked[i])
                        : regret_buffer_append(t, "]");
    }
}

/* Members that are fits of the stack alone have their variances nowhere else. */
static void export_members(struct regret_buffer *t, const struct regret_estimate *e)
{
    for (size_t i = 0; i < e->n_members; i++) {
        const struct regret_member *m = &e->member[i];
        regret_buffer_printf(
            t, "%s{\"name\":\"%s\",\"weight\":", i == 0 ? ",\n  \"members\":[" : ",\n  ", m->name);
        export_number(t, m->weight);
        if (m->estimate != NULL) {
            export_variances(t, m->estimate);
        }
        regret_buffer_append(t, i + 1 == e->n_members ? "}]" : "}");
    }
}

static void export_libraries(struct regret_buffer *t, const struct regret_estimate *e)
{
    for (size_t i = 0; i < e->n_libraries; i++) {
        const struct regret_library *l = &e->library[i];
        regret_buffer_printf(t, "%s{\"name\":\"%s\",\"members\":%zu,\"chosen\":%s,\"loss\":",
                             i == 0 ? ",\n  \"libraries\":[" : ",\n  ", l->name, l->n_members,
                             i == e->chosen_library ? "true" : "false");
        json_number_or_null(t, l->loss);
        regret_buffer_append(t, ",\"difference\":");
        json_number_or_null(t, l->difference);
        regret_buffer_append(t, ",\"error\":");
        json_number_or_null(t, l->error);
        regret_buffer_append(t, i + 1 == e->n_libraries ? "}]" : "}");
    }
}

void export_hyper(struct regret_buffer *t, const struct replicate *r)
{
    regret_buffer_append_char(t, '{');
    for (size_t i = 0; i < r->estimates.n; i++) {
        const struct regret_estimate *e = r->estimates.family[i];
        regret_buffer_printf(t, "%s\n\"%s\":{", i > 0 ? "," : "", export_family(r, i));
        hyper_fields(t, e->tuned, e->basis);
        regret_buffer_append(t, ",\"cv\":");
        regret_buffer_json_string(
            t, e->cv_mode >= 0 ? regret_fold_mode_name((enum regret_fold_mode)e->cv_mode) : NULL);
        regret_buffer_append(t, ",\"candidates\":[");
        for (size_t c = 0; c < e->n_candidates; c++) {
            const struct regret_candidate *k = &e->candidates[c];
            regret_buffer_append(t, c > 0 ? ",\n  {" : "\n  {");
            hyper_fields(t, k->tuned, k->basis);
            regret_buffer_append(t, ",\"loss\":");
            json_number_or_null(t, k->loss);
            regret_buffer_append_char(t, '}');
        }
        regret_buffer_append_char(t, ']');
        export_variances(t, e);
        export_members(t, e);
        export_libraries(t, e);
        regret_buffer_append_char(t, '}');
    }
    regret_buffer_append(t, "\n}\n");
}

/* Columns of every context. */
static int export_directions(const char *folder, const char *file, char name, const double *value,
                             size_t rank, size_t n)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    if (value == NULL) {
        return REGRET_OK;
    }
    regret_buffer_append(&t, "context");
    for (size_t j = 0; j < rank; j++) {
        regret_buffer_printf(&t, ",%c%zu", name, j + 1);
    }
    for (size_t x = 0; x < n; x++) {
        regret_buffer_printf(&t, "\n%zu", x);
        for (size_t j = 0; j < rank; j++) {
            regret_buffer_append_char(&t, ',');
            export_number(&t, value[j * n + x]);
        }
    }
    regret_buffer_append_char(&t, '\n');
    int rc = regret_file_write_text(folder, file, &t);
    regret_buffer_free(&t);
    return rc;
}

int export_words(const char *folder, const struct replicate *r)
{
    const struct feature_set *f = r->setting.features;
    size_t n = f->grid->n_contexts;
    TRY(export_directions(folder, "words.csv", 'w', f->words, f->words_rank, n));
    return export_directions(folder, "own.csv", 'k', f->own, f->own_rank, n);
}
