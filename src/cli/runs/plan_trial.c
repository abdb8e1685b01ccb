#include "cli/runs/plan_trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "base/text/name.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/json.h"
#include "regret/report.h"

FREED_POINTER(struct regret_log, regret_log_free)
FREED_POINTER(struct regret_trial_plan, regret_trial_plan_free)
FREED_POINTER(cJSON, cJSON_Delete)

enum { USUAL_ROWS = 1000 };

int plan_trial_is_config(int *is_one, const char *path)
{
    cJSON *root = NULL;
    int rc = regret_file_exists(path) ? regret_json_read_file(&root, path) : REGRET_E_INPUT;
    *is_one = cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(root, "obs")) ||
              cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(root, "exp"));
    cJSON_Delete(root);
    return rc == REGRET_E_NOMEM ? rc : REGRET_OK;
}

int plan_trial_is_asked(const struct plan_trial_call *call)
{
    return call->rows > 0 || !isnan(call->half_width) || call->grid.count > 0 ||
           call->agents.count > 0 || call->incumbent != NULL;
}

static int find_agent(size_t *out, const struct regret_log *log, const char *name)
{
    for (size_t a = 0; a < log->n_agents; a++) {
        if (strcmp(log->agent[a], name) == 0) {
            *out = a;
            return REGRET_OK;
        }
    }
    const char *near = name_nearest(name, (const char *const *)log->agent, log->n_agents);
    return near != NULL
               ? regret_fail(REGRET_E_INPUT, "there is no agent \"%.60s\"; did you mean \"%.60s\"?",
                             name, near)
               : regret_fail(REGRET_E_INPUT, "there is no agent \"%.60s\" in OBS or EXP", name);
}

static int read_rows(size_t *out, const char *word)
{
    char *end;
    double n = strtod(word, &end);
    if (end == word || *end != '\0' || !(n >= 2.0 && n <= 1e12) || n != floor(n)) {
        return regret_fail(REGRET_E_INPUT, "--at wants a number of rows from 2 on, not %.40s",
                           word);
    }
    *out = (size_t)n;
    return REGRET_OK;
}

/* "level" of the configuration; checked there by whoever estimates. */
static int read_level(double *out, const char *path)
{
    FREED_BY(cJSON_Delete_at) cJSON *root = NULL;
    const struct regret_place at = {path, 0};
    *out = 0.95;
    TRY(regret_json_read_file(&root, path));
    return regret_json_optional_number(out, root, "level", at);
}

/* The call in the log's numbers. */
struct asked {
    struct regret_trial_plan_options options;
    size_t grid[sizeof((struct cli_list *)0)->items / sizeof(const char *)];
    uint32_t *agent;
};

FREED_FIELDS(asked, of->agent)

static int understand(struct asked *out, const struct plan_trial_call *call,
                      const struct regret_log *log)
{
    struct regret_trial_plan_options *o = &out->options;
    double scale = log->high - log->low;
    TRY(read_level(&o->level, call->config));
    o->n = call->rows > 0 ? call->rows : USUAL_ROWS;
    o->half_width = call->half_width / scale;
    for (size_t i = 0; i < call->grid.count; i++) {
        TRY(read_rows(&out->grid[i], call->grid.items[i]));
    }
    o->grid = call->grid.count > 0 ? out->grid : NULL;
    o->n_grid = call->grid.count;
    if (call->incumbent != NULL) {
        TRY(find_agent(&o->incumbent, log, call->incumbent));
    }
    if (call->agents.count > 0) {
        TRY(REGRET_NEW(&out->agent, call->agents.count));
        o->agent = out->agent;
        o->n_agents = call->agents.count;
    }
    for (size_t i = 0; i < call->agents.count; i++) {
        size_t a = 0;
        TRY(find_agent(&a, log, call->agents.items[i]));
        out->agent[i] = (uint32_t)a;
    }
    return REGRET_OK;
}

static int make(struct regret_buffer *text, const struct plan_trial_call *call,
                enum regret_format format)
{
    FREED_BY(asked_fields) struct asked asked = {.options = REGRET_TRIAL_PLAN_OPTIONS_INIT};
    FREED_BY(regret_trial_plan_free_at) struct regret_trial_plan *plan = NULL;
    FREED_BY(regret_log_free_at) struct regret_log *log = NULL;
    TRY(regret_log_read(&log, call->config));
    for (size_t i = 0; i < log->n_notes; i++) {
        cli_say("%s", log->note[i]);
    }
    TRY(understand(&asked, call, log));
    TRY(regret_trial_plan(&plan, log, &asked.options));
    return regret_report_trial_plan(text, plan, log, call->config, format);
}

int plan_trial(const struct plan_trial_call *call, enum regret_format format)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    if (!isnan(call->half_width) && !(call->half_width > 0.0)) {
        return cli_usage_error("--half-width wants a number above 0, for example 0.05, not %g",
                               call->half_width);
    }
    return cli_print(&text, make(&text, call, format));
}
