#include <string.h>

#include "base/buffer.h"
#include "base/status.h"
#include "import/script_parts.h"
#include "regret/buffer.h"
#include "regret/status.h"

/* What a script makes of a log and a trial: obs.csv, exp.csv and evaluate.json, which it puts into the table `written`. */

enum { OBS, EXP, CONFIG, MADE };
static const char *const NAMES[MADE] = {
    [OBS] = "obs.csv", [EXP] = "exp.csv", [CONFIG] = "evaluate.json"};

struct made {
    struct regret_buffer text[MADE];
};

static void made_free(struct made *m)
{
    for (size_t i = 0; i < MADE; i++) {
        regret_buffer_free(&m->text[i]);
    }
}

static int take_line(void *context, sqlite3_stmt *row)
{
    struct made *m = context;
    const char *name = (const char *)sqlite3_column_text(row, 0);
    const char *text = (const char *)sqlite3_column_text(row, 1);
    for (size_t i = 0; i < MADE && name != NULL && text != NULL; i++) {
        if (strcmp(name, NAMES[i]) == 0) {
            regret_buffer_append(&m->text[i], text);
            regret_buffer_append_char(&m->text[i], '\n');
        }
    }
    return REGRET_OK;
}

/* The rows below the header. */
static size_t rows_of(struct regret_buffer *text)
{
    size_t n = 0;
    for (const char *p = strchr(regret_buffer_get(text), '\n'); p != NULL;
         p = strchr(p + 1, '\n')) {
        n++;
    }
    return n > 0 ? n - 1 : 0;
}

/* The three files, in a folder that appears whole. */
static int write_files(int *edited, struct made *m, const struct importer_call *call)
{
    FREED_BY(regret_staging_abandon) struct regret_staging staging = REGRET_STAGING_INIT;
    TRY(regret_staging_begin(&staging, call->to, call->replace, "evaluate.json obs.csv exp.csv"));
    TRY(regret_file_write_text(staging.partial, NAMES[OBS], &m->text[OBS]));
    TRY(regret_file_write_text(staging.partial, NAMES[EXP], &m->text[EXP]));
    TRY(kept_config_differs(edited, call->to, NAMES[CONFIG], &m->text[CONFIG]));
    TRY(kept_config_write(staging.partial, NAMES[CONFIG], &m->text[CONFIG], call->to, *edited));
    return regret_staging_commit(&staging);
}

int script_write_log(struct sql *sql, const struct importer_call *call)
{
    FREED_BY(made_free)
    struct made m = {{REGRET_BUFFER_INIT, REGRET_BUFFER_INIT, REGRET_BUFFER_INIT}};
    FREED_BY(regret_buffer_free) struct regret_buffer path = REGRET_BUFFER_INIT;
    int edited = 0;
    TRY(sql_each(sql, take_line, &m, "SELECT name, text FROM written ORDER BY n"));
    for (size_t i = 0; i < MADE; i++) {
        TRY(regret_buffer_status(&m.text[i]));
    }
    size_t n_obs = rows_of(&m.text[OBS]), n_exp = rows_of(&m.text[EXP]);
    if (n_obs == 0 || n_exp == 0) {
        return regret_fail(REGRET_E_INPUT, "%s has no %s; give the folder as published", call->from,
                           n_obs == 0 ? "ratings that were chosen" : "random ratings");
    }
    TRY(write_files(&edited, &m, call));
    regret_buffer_printf(call->report,
                         "%s holds obs.csv, %zu ratings that were chosen, exp.csv, %zu drawn at "
                         "random, and evaluate.json; regret evaluate ",
                         call->to, n_obs, n_exp);
    regret_buffer_printf(&path, "%s/evaluate.json", call->to);
    shell_word(call->report, regret_buffer_get(&path));
    regret_buffer_append(call->report, " -o evaluated\n");
    if (edited) {
        kept_config_say(call->report, call->to, NAMES[CONFIG]);
    }
    return regret_buffer_status(call->report);
}
