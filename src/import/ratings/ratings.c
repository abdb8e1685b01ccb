#include "import/ratings/ratings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "base/text/escape.h"
#include "import/build/kept_config.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/json.h"

enum { MOST_BYTES = 256 << 20, SHOWN = 20 };
static const char BLANKS[] = " \t\r";

int ratings_text_open(struct ratings_text *out, const char *path)
{
    size_t length = 0;
    *out = (struct ratings_text){.path = path};
    TRY(regret_file_read(&out->text, &length, path, MOST_BYTES));
    out->at = out->text;
    return strlen(out->text) == length
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT, "%s holds a zero byte; give the text as published",
                             path);
}

void ratings_text_close(struct ratings_text *t)
{
    regret_free(t->text);
    *t = (struct ratings_text){0};
}

int ratings_text_next(struct ratings_text *t)
{
    while (*t->at != '\0') {
        t->row = t->at;
        char *end = strchr(t->at, '\n');
        t->at = end != NULL ? end + 1 : t->at + strlen(t->at);
        if (end != NULL) {
            *end = '\0';
        }
        t->line++;
        if (t->row[strspn(t->row, BLANKS)] != '\0') {
            return 1;
        }
    }
    return 0;
}

int ratings_text_number(int *out, int *more, struct ratings_text *t, int least, int most)
{
    char *end = NULL;
    t->row += strspn(t->row, BLANKS);
    *more = *t->row != '\0';
    if (!*more) {
        return REGRET_OK;
    }
    size_t n = strcspn(t->row, BLANKS);
    errno = 0;
    long x = strtol(t->row, &end, 10);
    if (end != t->row + n || errno != 0 || x < least || x > most) {
        return regret_json_error((struct regret_place){t->path, t->line},
                                 "\"%.*s\" is no whole number from %d to %d",
                                 (int)(n < SHOWN ? n : SHOWN), t->row, least, most);
    }
    t->row = end;
    *out = (int)x;
    return REGRET_OK;
}

void ratings_log_free(struct ratings_log *log)
{
    regret_buffer_free(&log->obs);
    regret_buffer_free(&log->exp);
    regret_buffer_free(&log->config);
}

int ratings_log_write(const struct ratings_log *log, const struct importer_call *call)
{
    struct regret_staging staging = REGRET_STAGING_INIT;
    int rc, edited = 0;
    if (log->n_obs == 0 || log->n_exp == 0) {
        return regret_fail(REGRET_E_INPUT, "%s has no %s; give the folder as published", call->from,
                           log->n_obs == 0 ? "ratings that were chosen" : "random ratings");
    }
    TRY_CLEANUP(
        regret_staging_begin(&staging, call->to, call->replace, "evaluate.json obs.csv exp.csv"));
    TRY_CLEANUP(regret_file_write_text(staging.partial, "obs.csv", &log->obs));
    TRY_CLEANUP(regret_file_write_text(staging.partial, "exp.csv", &log->exp));
    TRY_CLEANUP(kept_config_differs(&edited, call->to, "evaluate.json", &log->config));
    TRY_CLEANUP(
        kept_config_write(staging.partial, "evaluate.json", &log->config, call->to, edited));
    TRY_CLEANUP(regret_staging_commit(&staging));
    regret_buffer_printf(call->report,
                         "%s holds obs.csv, %zu ratings that were chosen, exp.csv, %zu drawn at "
                         "random, and evaluate.json; regret evaluate ",
                         call->to, log->n_obs, log->n_exp);
    struct regret_buffer path = REGRET_BUFFER_INIT;
    regret_buffer_printf(&path, "%s/evaluate.json", call->to);
    shell_word(call->report, regret_buffer_get(&path));
    regret_buffer_free_into(call->report, &path);
    regret_buffer_append(call->report, " -o evaluated\n");
    if (edited) {
        kept_config_say(call->report, call->to, "evaluate.json");
    }
    rc = regret_buffer_status(call->report);
cleanup:
    regret_staging_abandon(&staging);
    return rc;
}
