/* One replicate in files for other languages. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/status.h"
#include "experiment/inputs.h"
#include "experiment/pool_source.h"
#include "experiment/replicate.h"
#include "linalg/design.h"
#include "pool/grid_policy.h"
#include "regret/buffer.h"
#include "regret/evaluate.h"
#include "regret/experiment.h"
#include "regret/status.h"
#include "regret/task.h"

/* The files of `regret cell --export`. */

static void indices(struct regret_buffer *t, const char *name, const size_t *list, size_t n)
{
    regret_buffer_printf(t, ",\n\"%s\":[", name);
    for (size_t i = 0; i < n; i++) {
        regret_buffer_printf(t, "%s%zu", i > 0 ? "," : "", list[i]);
    }
    regret_buffer_append_char(t, ']');
}

/* Numbers of an export read back exactly; "nan" where there is none. */
static void export_number(struct regret_buffer *t, double x)
{
    if (isnan(x)) {
        regret_buffer_append(t, "nan");
    } else {
        regret_buffer_printf(t, "%.17g", x);
    }
}

/* A seed has folds, as many as there may be. */
static int is_folded(const struct regret_config *config)
{
    return config->context_folds > 0 || config->split == REGRET_SPLIT_ONE_KIND;
}

static void export_cell(struct regret_buffer *t, const struct replicate *r)
{
    const struct setting *setting = &r->setting;
    const struct regret_grid *g = setting->features->grid;
    regret_buffer_append(t, "{\"config\":");
    regret_config_json(t, &setting->config);
    regret_buffer_printf(t, ",\n\"seed\":%llu,\"pairs\":%zu,\"draws\":%zu,",
                         (unsigned long long)setting->at.seed, setting->features->pairs,
                         g->most_draws);
    grid_json(t, "\n\"agents\":", g, GRID_AGENT_IDS);
    grid_json(t, ",\n\"contexts\":", g, GRID_CONTEXT_IDS);
    if (g->first != NULL) {
        grid_json(t, ",\n\"first_pair\":", g, GRID_FIRST_PAIRS);
    }
    regret_buffer_append(t, ",\n\"segments\":");
    json_strings(t, setting->task->segment, setting->task->n_segments);
    regret_buffer_printf(t, ",\n\"phi\":\"%s\",\n",
                         setting->features->sparse ? "used pairs" : "all pairs");
    feature_set_describe(t, setting->features);
    indices(t, "train", setting->split.contexts->train, setting->split.contexts->n_train);
    indices(t, "test", setting->split.contexts->test, setting->split.contexts->n_test);
    if (setting->config.reference_share > 0.0) {
        indices(t, "reference", setting->split.contexts->reference,
                setting->split.contexts->n_reference);
    }
    if (is_folded(&setting->config)) {
        regret_buffer_printf(t, ",\n\"fold\":%zu", setting->at.fold);
    }
    regret_buffer_append(t, "}\n");
}

static void export_z(struct regret_buffer *t, const struct replicate *r)
{
    size_t pairs = r->setting.features->pairs;
    regret_buffer_append(t, "pair");
    for (size_t j = 0; j < r->proxy.dim; j++) {
        regret_buffer_printf(t, ",z%zu", j + 1);
    }
    regret_buffer_append_char(t, '\n');
    for (size_t p = 0; p < pairs; p++) {
        regret_buffer_printf(t, "%zu", p);
        for (size_t j = 0; j < r->proxy.dim; j++) {
            regret_buffer_append_char(t, ',');
            export_number(t, r->proxy.z[j * pairs + p]);
        }
        regret_buffer_append_char(t, '\n');
    }
}

static void export_rows(struct regret_buffer *t, const struct feature_set *f,
                        const struct regret_rows *rows)
{
    regret_buffer_append(t, "row,pair,context,agent,segment,y\n");
    for (size_t i = 0; i < rows->n; i++) {
        uint32_t p = rows->pair[i];
        regret_buffer_printf(t, "%zu,%u,%u,%u,%u,", i, p, f->context[p], f->agent[p],
                             rows->segment[i]);
        export_number(t, rows->y[i]);
        regret_buffer_append_char(t, '\n');
    }
}

static void export_obs(struct regret_buffer *t, const struct replicate *r)
{
    export_rows(t, r->setting.features, &r->draws.obs);
}

static void export_exp(struct regret_buffer *t, const struct replicate *r)
{
    export_rows(t, r->setting.features, &r->draws.exp);
}

static void export_target(struct regret_buffer *t, const struct replicate *r)
{
    const struct regret_task *task = r->setting.task;
    regret_buffer_append(t, "context,agent,mu\n");
    for (size_t cell = 0; cell < task->n_contexts * task->n_agents; cell++) {
        regret_buffer_printf(t, "%zu,%zu,", cell / task->n_agents, cell % task->n_agents);
        export_number(t, task->target[cell]);
        regret_buffer_append_char(t, '\n');
    }
}

static void fold_rows(struct regret_buffer *t, const struct regret_folds *folds)
{
    for (size_t k = 0; k < folds->n_folds; k++) {
        regret_buffer_append(t, k > 0 ? ",\n  [" : "\n  [");
        int first = 1;
        for (size_t i = 0; i < folds->n_rows; i++) {
            if (folds->fold[i] == k) {
                regret_buffer_printf(t, "%s%zu", first ? "" : ",", i);
                first = 0;
            }
        }
        regret_buffer_append_char(t, ']');
    }
}

/* Agents with a row in fold k; with row folds, agents appear in several. */
static void fold_agents(struct regret_buffer *t, const struct replicate *r)
{
    const struct regret_folds *cv = r->estimates.cv;
    const struct regret_rows *exp = &r->draws.exp;
    for (size_t k = 0; k < cv->n_folds; k++) {
        regret_buffer_append(t, k > 0 ? ",[" : "[");
        int first = 1;
        for (size_t a = 0; a < r->setting.task->n_agents; a++) {
            int present = 0;
            for (size_t i = 0; i < exp->n && !present; i++) {
                present = cv->fold[i] == k && r->setting.features->agent[exp->pair[i]] == a;
            }
            if (present) {
                regret_buffer_printf(t, "%s%zu", first ? "" : ",", a);
                first = 0;
            }
        }
        regret_buffer_append_char(t, ']');
    }
}

/* What the families split by chance besides; one that does it speaks for all that do it alike. */
struct chance_splits {
    struct regret_folds *obs, *exp; /* that cross-fit the OBS baseline, and members; or NULL */
    uint32_t *held;                 /* EXP rows that a family tunes on, or NULL */
};

static int take_splits(struct chance_splits *out, const struct replicate *r)
{
    const struct regret_estimate_options *options = &r->setting.config.estimate;
    const struct regret_problem problem =
        replicate_problem(&r->setting, &r->draws, &r->features, &r->proxy, &r->estimates);
    for (size_t i = 0; i < r->estimates.n; i++) {
        const struct regret_family *family =
            regret_family_list_built_in(&r->setting.config.families, i);
        if (family == NULL) {
            continue;
        }
        if (family->split_obs != NULL && out->obs == NULL) {
            TRY(family->split_obs(&out->obs, &problem, options));
        }
        if (family->split_exp != NULL && out->exp == NULL) {
            TRY(family->split_exp(&out->exp, &problem));
        }
        if (family->hold_out != NULL && out->held == NULL) {
            TRY(family->hold_out(&out->held, &problem, options));
        }
    }
    return REGRET_OK;
}

static void export_holdout(struct regret_buffer *t, const struct replicate *r, const uint32_t *held)
{
    const char *separator = "";
    regret_buffer_append(t, ",\n\"holdout\":[");
    for (size_t i = 0; i < r->draws.exp.n; i++) {
        if (held[i]) {
            regret_buffer_printf(t, "%s%zu", separator, i);
            separator = ",";
        }
    }
    regret_buffer_append(t, "]");
}

static void split_rows(struct regret_buffer *t, const char *name, const struct regret_folds *folds)
{
    if (folds != NULL) {
        regret_buffer_printf(t, ",\n\"%s\":{\"rows\":[", name);
        fold_rows(t, folds);
        regret_buffer_append(t, "]}");
    }
}

static void export_splits(struct regret_buffer *t, const struct replicate *r)
{
    struct chance_splits splits = {NULL, NULL, NULL};
    int rc = take_splits(&splits, r);
    if (rc != REGRET_OK) {
        regret_buffer_fail(t, rc);
    }
    split_rows(t, "obs", splits.obs);
    split_rows(t, "exp", splits.exp);
    if (splits.held != NULL) {
        export_holdout(t, r, splits.held);
    }
    regret_folds_free(splits.obs);
    regret_folds_free(splits.exp);
    regret_free(splits.held);
}

static void export_folds(struct regret_buffer *t, const struct replicate *r)
{
    const struct regret_folds *cv = r->estimates.cv, *dr = r->estimates.dr;
    regret_buffer_printf(t, "{\"cv\":{\"mode\":\"%s\",\"agents\":[",
                         regret_fold_mode_name(cv->mode));
    fold_agents(t, r);
    regret_buffer_append(t, "],\"rows\":[");
    fold_rows(t, cv);
    regret_buffer_printf(t, "]},\n\"dr\":{\"mode\":\"%s\",\"rows\":[",
                         regret_fold_mode_name(dr->mode));
    fold_rows(t, dr);
    regret_buffer_append(t, "]}");
    if (r->estimates.obs_cv != NULL) {
        regret_buffer_printf(t, ",\n\"obs_cv\":{\"mode\":\"%s\",\"rows\":[",
                             regret_fold_mode_name(r->estimates.obs_cv->mode));
        fold_rows(t, r->estimates.obs_cv);
        regret_buffer_append(t, "]}");
    }
    export_splits(t, r);
    regret_buffer_append(t, "}\n");
}

/* The name of the i-th family of the replicate. Static. */
static const char *export_family(const struct replicate *r, size_t i)
{
    return r->measures.family[i].family;
}

static void export_predictions(struct regret_buffer *t, const struct replicate *r)
{
    regret_buffer_append(t, "pair");
    for (size_t i = 0; i < r->estimates.n; i++) {
        regret_buffer_printf(t, ",%s", export_family(r, i));
    }
    regret_buffer_append_char(t, '\n');
    for (size_t p = 0; p < r->setting.features->pairs; p++) {
        regret_buffer_printf(t, "%zu", p);
        for (size_t i = 0; i < r->estimates.n; i++) {
            regret_buffer_append_char(t, ',');
            export_number(t, r->estimates.family[i]->prediction[p]);
        }
        regret_buffer_append_char(t, '\n');
    }
}

static const char *agent_id(const struct replicate *r, size_t a)
{
    const struct regret_grid *g = r->setting.features->grid;
    return g->pool->agents[g->agents[a]].id;
}

static void put_interval(struct regret_buffer *t, const struct regret_interval *interval)
{
    regret_buffer_append_char(t, ',');
    export_number(t, interval->low);
    regret_buffer_append_char(t, ',');
    export_number(t, interval->high);
    regret_buffer_append_char(t, '\n');
}

static void put_family(struct regret_buffer *values, struct regret_buffer *differences,
                       const struct replicate *r, size_t family,
                       const struct regret_interval *interval,
                       const struct regret_interval *difference)
{
    static const char *const kinds[] = {"dm", "dr", "sndr"};
    size_t n = r->setting.task->n_agents, n_kinds = r->setting.config.values ? REGRET_N_VALUES : 1;
    for (size_t kind = 0; kind < n_kinds; kind++) {
        for (size_t a = 0; a < n; a++) {
            regret_buffer_printf(values, "%s,%s,", export_family(r, family), kinds[kind]);
            csv_field(values, agent_id(r, a));
            put_interval(values, &interval[kind * n + a]);
            for (size_t b = a + 1; b < n; b++) {
                regret_buffer_printf(differences, "%s,%s,", export_family(r, family), kinds[kind]);
                csv_field(differences, agent_id(r, a));
                regret_buffer_append_char(differences, ',');
                csv_field(differences, agent_id(r, b));
                put_interval(differences, &difference[(kind * n + a) * n + b]);
            }
        }
    }
}

/* intervals.csv and differences.csv: bootstrap intervals (95 %, 2,000 resamples) of the values and
 * of the differences V(a) - V(b) between agents. */
static int export_intervals(struct regret_buffer *values, struct regret_buffer *differences,
                            const struct replicate *r)
{
    const struct regret_grid *g = r->setting.features->grid;
    const struct regret_value_bootstrap options = {2000, 0.95, r->setting.seed};
    FREED struct regret_interval *interval = NULL, *difference = NULL;
    size_t n = REGRET_N_VALUES * g->n_agents;
    TRY(REGRET_NEW(&interval, n));
    TRY(REGRET_NEW(&difference, n * g->n_agents));
    regret_buffer_append(values, "family,kind,agent,low,high\n");
    regret_buffer_append(differences, "family,kind,agent_a,agent_b,low,high\n");
    for (size_t i = 0; i < r->estimates.n; i++) {
        const struct regret_value_problem problem =
            replicate_value_problem(r, r->estimates.family[i]);
        TRY(regret_value_intervals(interval, difference, &problem, &options));
        put_family(values, differences, r, i, interval, difference);
    }
    return REGRET_OK;
}

static int write_intervals(const char *folder, const struct replicate *r)
{
    FREED_BY(regret_buffer_free) struct regret_buffer intervals = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer differences = REGRET_BUFFER_INIT;
    TRY(export_intervals(&intervals, &differences, r));
    TRY(regret_file_write_text(folder, "intervals.csv", &intervals));
    return regret_file_write_text(folder, "differences.csv", &differences);
}

/* values.csv: family, agent, truth, dm, dr, sndr. */
static void export_values(struct regret_buffer *t, const struct replicate *r)
{
    regret_buffer_append(t, "family,agent,truth,dm,dr,sndr\n");
    for (size_t i = 0; i < r->estimates.n; i++) {
        const struct agent_values *v = &r->values.family[i];
        for (size_t a = 0; a < r->setting.task->n_agents; a++) {
            regret_buffer_printf(t, "%s,", export_family(r, i));
            csv_field(t, agent_id(r, a));
            const double columns[] = {r->values.truth[a], v->dm[a], v->dr != NULL ? v->dr[a] : NAN,
                                      v->sndr != NULL ? v->sndr[a] : NAN};
            for (size_t j = 0; j < 4; j++) {
                regret_buffer_append_char(t, ',');
                export_number(t, columns[j]);
            }
            regret_buffer_append_char(t, '\n');
        }
    }
}

/* φ of the pairs that a fit or a measure of this replicate looks at. */
static int used_rows(struct regret_csr **out, const struct replicate *r)
{
    const struct feature_set *f = r->setting.features;
    const struct regret_design phi = regret_design_sparse(f->phi, f->phi_context, f->context);
    FREED unsigned char *used = NULL;
    TRY(REGRET_NEW(&used, f->pairs));
    for (size_t p = 0; p < f->pairs; p++) {
        used[p] = r->setting.split.test[p] || r->setting.split.reference[p];
    }
    draws_mark(used, &r->draws);
    return design_join(out, &phi, used);
}

/* phi.mtx, pairs × D. Of a sparse feature set only the pairs in use, those of OBS, EXP and test contexts:
 * the rows of the others are empty, and cell.json says so. */
static void export_phi(struct regret_buffer *t, const struct replicate *r)
{
    struct regret_csr *joined = NULL;
    if (!r->setting.features->sparse) {
        regret_csr_matrix_market(t, r->setting.features->phi);
        return;
    }
    int rc = used_rows(&joined, r);
    if (rc != REGRET_OK) {
        regret_buffer_fail(t, rc);
        return;
    }
    regret_csr_matrix_market(t, joined);
    regret_csr_free(joined);
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

/* words.csv and own.csv: w(x) and k(x) of every context, where a family crosses them with agents. */
static int export_words(const char *folder, const struct replicate *r)
{
    const struct feature_set *f = r->setting.features;
    size_t n = f->grid->n_contexts;
    TRY(export_directions(folder, "words.csv", 'w', f->words, f->words_rank, n));
    return export_directions(folder, "own.csv", 'k', f->own, f->own_rank, n);
}

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

/* hyper.json: what every family chose; of family mixed its variances, of the stack its members' weights and
 * variances, and its libraries. */
static void export_hyper(struct regret_buffer *t, const struct replicate *r)
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

static int write_files(const char *folder, const struct replicate *r)
{
    char z_name[64];
    snprintf(z_name, sizeof z_name, "z-%s.csv",
             regret_proxy_kind_name(r->setting.config.proxy.kind));
    const struct {
        const char *name;
        void (*fill)(struct regret_buffer *, const struct replicate *);
    } files[] = {{"cell.json", export_cell},
                 {"phi.mtx", export_phi},
                 {z_name, export_z},
                 {"obs.csv", export_obs},
                 {"exp.csv", export_exp},
                 {"target.csv", export_target},
                 {"folds.json", export_folds},
                 {"predictions.csv", export_predictions},
                 {"values.csv", export_values},
                 {"hyper.json", export_hyper}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct regret_buffer t = REGRET_BUFFER_INIT;
        files[i].fill(&t, r);
        int rc = regret_file_write_text(folder, files[i].name, &t);
        regret_buffer_free(&t);
        TRY(rc);
    }
    TRY(export_words(folder, r));
    return write_intervals(folder, r);
}

static int check_fold(const struct regret_config *config, const struct regret_grid *grid,
                      const struct replicate_place *at)
{
    if (at->fold < context_folds(config, grid)) {
        return REGRET_OK;
    }
    return !is_folded(config)
               ? regret_fail(REGRET_E_INPUT,
                             "fold %zu of cell %zu, which has one split; --set contexts.folds=K "
                             "makes folds",
                             at->fold, at->cell)
               : regret_fail(REGRET_E_INPUT, "cell %zu has folds 0 to %zu, not %zu", at->cell,
                             context_folds(config, grid) - 1, at->fold);
}

/* Every number of the replicate is to be written. */
static int check_fits(const struct replicate *r)
{
    for (size_t i = 0; i < r->estimates.n; i++) {
        const struct external_failure *failure = &r->estimates.failure[i];
        if (failure->word != NULL) {
            return regret_fail(REGRET_E_INPUT, "family \"%s\" has no fit (%s): %s",
                               export_family(r, i), failure->word, failure->detail);
        }
    }
    return REGRET_OK;
}

int regret_export_cell(const char *folder, const char *config_path, const char *const *sets,
                       size_t n_sets, size_t cell, uint64_t seed, size_t fold, int force,
                       const struct regret_command_options *commands)
{
    struct regret_run_plan *plan = NULL;
    struct regret_pool *pool = NULL;
    struct run_inputs *inputs = NULL;
    struct replicate *r = NULL;
    struct regret_staging staging = REGRET_STAGING_INIT;
    struct regret_config config;
    int rc;
    TRY(regret_blas_check_threads(1));
    TRY(regret_run_plan_read(&plan, config_path, sets, n_sets));
    int blas_threads = regret_blas_set_threads(1);
    size_t cells = regret_run_plan_cells(plan);
    if (cell >= cells) {
        rc = regret_fail(REGRET_E_INPUT, "%s has cells 0 to %zu, not %zu", config_path, cells - 1,
                         cell);
        goto cleanup;
    }
    regret_run_plan_cell(&config, plan, cell);
    const struct replicate_place at = {cell, seed, fold, .all_losses = 1};
    TRY_CLEANUP(pool_source_open(&pool, &config));
    TRY_CLEANUP(run_open_inputs(&inputs, plan, pool, config_path, commands, NULL, NULL));
    const struct regret_stop stop = {commands != NULL ? commands->cancelled : NULL,
                                     commands != NULL ? commands->context : NULL};
    const struct replicate_source from = {plan, inputs, NULL, &stop};
    TRY_CLEANUP(check_fold(&config, run_inputs_features(inputs, cell)->grid, &at));
    TRY_CLEANUP(replicate_run(&r, &from, &at));
    TRY_CLEANUP(check_fits(r));
    TRY_CLEANUP(regret_staging_begin(
        &staging, folder, force,
        "cell.json phi.mtx z-*.csv obs.csv exp.csv target.csv folds.json predictions.csv "
        "values.csv hyper.json words.csv own.csv intervals.csv differences.csv"));
    TRY_CLEANUP(write_files(staging.partial, r));
    rc = regret_staging_commit(&staging);
cleanup:
    regret_staging_abandon(&staging);
    replicate_free(r);
    run_inputs_free(inputs);
    regret_pool_free(pool);
    regret_run_plan_free(plan);
    regret_blas_set_threads(blas_threads);
    return rc;
}
