#include <string.h>

#include "base/core/try.h"
#include "evaluate/answer/answer.h"
#include "regret/alloc.h"
#include "regret/csv.h"
#include "regret/file.h"
#include "regret/model.h"

FREED_POINTER(struct regret_model, regret_model_free)

static const char RESULT[] = "result.json", MODEL[] = "model.regret";

struct writing {
    const char *folder;
    const struct regret_evaluation *e;
    const struct regret_log *log;
    const struct regret_evaluation_files *files;
};

static int put_csv(const struct writing *w, const char *name, struct regret_buffer *text)
{
    struct regret_buffer guarded = REGRET_BUFFER_INIT;
    int rc;
    TRY_CLEANUP(regret_buffer_status(text));
    if (w->files->safe_csv) {
        regret_csv_guard(&guarded, regret_buffer_get(text), text->length);
        rc = regret_file_write_text(w->folder, name, &guarded);
    } else {
        rc = regret_file_write_text(w->folder, name, text);
    }
cleanup:
    regret_buffer_free(&guarded);
    regret_buffer_clear(text);
    return rc;
}

static void diagnostics_of(struct regret_buffer *out, const struct regret_evaluation *e,
                           const struct regret_log *log)
{
    (void)log;
    table_diagnostics(out, e);
}

static const struct {
    const char *name;
    void (*make)(struct regret_buffer *out, const struct regret_evaluation *e,
                 const struct regret_log *log);
    int is_detail;
} tables[] = {
    {"agents.csv", table_agents, 0},        {"tags.csv", table_tags, 0},
    {"policies.csv", table_policies, 0},    {"recommendations.csv", table_recommendations, 0},
    {"diagnostics.csv", diagnostics_of, 0}, {"rows.csv", table_rows, 1},
};

static int write_tables(const struct writing *w)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (!tables[i].is_detail || w->files->details) {
            tables[i].make(&text, w->e, w->log);
            TRY(put_csv(w, tables[i].name, &text));
        }
    }
    regret_evaluation_json(&text, w->e, w->log);
    return regret_file_write_text(w->folder, RESULT, &text);
}

/* A model that cannot be fitted to so little is no reason to fail. Where it cannot be told who is better requests stay with the incumbent: a
 * model that names others would be believed. */
static int write_model(const struct writing *w, const struct regret_evaluate_options *options)
{
    FREED_BY(regret_model_free_at) struct regret_model *model = NULL;
    FREED char *path = NULL;
    if (w->e->verdict == REGRET_VERDICT_CANNOT_TELL) {
        return REGRET_OK;
    }
    evaluate_tell(options, "fitting the model of new requests");
    int fitted = answer_model(&model, w->e, w->log, options);
    if (fitted == REGRET_E_INPUT) {
        return REGRET_OK;
    }
    TRY(fitted);
    TRY(regret_path_join(&path, w->folder, MODEL));
    return regret_model_write(model, path);
}

int regret_evaluation_write(const char *folder, const struct regret_evaluation *evaluation,
                            const struct regret_log *log,
                            const struct regret_evaluate_options *options,
                            const struct regret_evaluation_files *files)
{
    struct regret_staging staging = REGRET_STAGING_INIT;
    int rc;
    TRY(regret_staging_begin(&staging, folder, files->replace, REGRET_EVALUATION_FILES));
    const struct writing w = {staging.partial, evaluation, log, files};
    TRY_CLEANUP(write_tables(&w));
    TRY_CLEANUP(write_model(&w, options));
    rc = regret_staging_commit(&staging);
cleanup:
    regret_staging_abandon(&staging);
    return rc;
}
