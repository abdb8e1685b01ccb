/* `plan`: how large the next trial should be. */
#include <cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/json.h"
#include "base/status.h"
#include "base/text.h"
#include "cli/internal.h"
#include "experiment/run_cost.h"
#include "recommend/recommend.h"
#include "regret/buffer.h"
#include "regret/estimate.h"
#include "regret/report.h"
#include "regret/status.h"

/* `regret plan` of a trial. */

/* What is asked. Lists are numbers and names as they were given. */
struct plan_trial_call {
    const char *config, *incumbent;
    size_t rows;
    double half_width; /* NaN: not wanted */
    struct cli_list grid, agents;
};
FREED_POINTER(struct regret_log, regret_log_free)
FREED_POINTER(struct regret_trial_plan, regret_trial_plan_free)
FREED_POINTER(cJSON, cJSON_Delete)

enum { USUAL_ROWS = 1000 };

static int plan_trial_is_asked(const struct plan_trial_call *call)
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

enum { PILOT_SEEDS = 5, PILOT_FOLDS = 5 };

/* What is asked. */
struct plan_call {
    const char *config, *pilot, *keep;
    struct cli_list sets; /* with room for those of a pilot */
    size_t pilot_seeds, folds, threads;
    double difference;
    enum regret_format format;
};

/* The pilots of a call and what they are told by. */
struct pilots {
    struct regret_results *results[2];
    char name[2][64];
    char base[REGRET_PATH_SIZE]; /* folder of their runs */
    struct regret_power_plan plan;
};

static struct regret_run_options run_options(const struct plan_call *call)
{
    struct regret_run_options o = REGRET_RUN_OPTIONS_INIT;
    find_set_config(&o, call->config);
    o.sets = call->sets.items;
    o.n_sets = call->sets.count;
    o.threads = call->threads;
    return o;
}

/* The same with overrides more. */
static int with_set(struct plan_call *call, const char *set)
{
    if (call->sets.count == sizeof call->sets.items / sizeof *call->sets.items) {
        return regret_fail(REGRET_E_INPUT, "--set is given too often");
    }
    call->sets.items[call->sets.count++] = set;
    return REGRET_OK;
}

static int on_progress(void *context, const struct regret_progress *p)
{
    (void)context;
    (void)p;
    return cli_interrupted();
}

/* Runs a pilot into the folder and reads it. Its cost was measured: the call says how long it takes. */
static int run_pilot(struct regret_results **out, const struct plan_call *call,
                     const struct regret_run_cost *cost, const char *name, const char *folder)
{
    struct regret_run_summary summary;
    struct regret_run_options o = run_options(call);
    size_t replicates = cost->cells * call->pilot_seeds;
    cli_say("pilot, %s: %zu cells x %zu seeds, about %.0f s on %zu thread%s", name, cost->cells,
            call->pilot_seeds,
            cost->setup_seconds +
                (double)replicates * cost->replicate_seconds / (double)call->threads,
            call->threads, plural(call->threads));
    o.out = folder;
    o.progress = on_progress;
    TRY(regret_run(&summary, &o));
    return regret_results_read(out, folder);
}

static void name_scheme(char *out, size_t size, size_t folds)
{
    if (folds == 0) {
        snprintf(out, size, "single split");
    } else {
        snprintf(out, size, "%zu folds of contexts", folds);
    }
}

/* One scheme more, by a pilot that is run with the overrides of the call. */
static int add_pilot(struct pilots *p, const struct plan_call *call, size_t folds,
                     const struct regret_run_cost *cost)
{
    char folder[REGRET_PATH_SIZE + 16];
    size_t k = p->plan.n_schemes;
    name_scheme(p->name[k], sizeof p->name[k], folds);
    snprintf(folder, sizeof folder, "%s/%s", p->base, k == 0 ? "pilot" : "pilot-folds");
    TRY(run_pilot(&p->results[k], call, cost, p->name[k], folder));
    p->plan.scheme[k] =
        (struct regret_power_scheme){p->results[k], p->name[k], cost->replicate_seconds};
    p->plan.n_schemes++;
    return REGRET_OK;
}

static int make_base(struct pilots *p, const struct plan_call *call)
{
    const char *temporary = getenv("TMPDIR");
    if (call->keep != NULL) {
        snprintf(p->base, sizeof p->base, "%s", call->keep);
        if (input_is_absent(p->base) || regret_folder_is_empty(p->base)) {
            return regret_folder_create(p->base);
        }
        return regret_fail(REGRET_E_INPUT,
                           "%s exists and is not empty; name another folder to "
                           "keep the pilot in",
                           p->base);
    }
    snprintf(p->base, sizeof p->base, "%s/regret-plan-XXXXXX",
             temporary != NULL && temporary[0] != '\0' ? temporary : "/tmp");
    if (mkdtemp(p->base) == NULL) {
        int rc = regret_fail(REGRET_E_IO,
                             "%s: cannot make a folder for the pilot: %s; --keep DIR "
                             "names one",
                             p->base, strerror(errno));
        p->base[0] = '\0';
        return rc;
    }
    return REGRET_OK;
}

/* The override that makes the pilot of folds, and what that will take; first of all, since not every
 * configuration has as many contexts. */
static int probe_folds(struct regret_run_cost *out, char *set, size_t size,
                       const struct plan_call *given)
{
    struct plan_call call = *given;
    snprintf(set, size, "contexts.folds=%zu", call.folds);
    TRY(with_set(&call, set));
    const struct regret_run_options o = run_options(&call);
    int rc = regret_run_cost(out, &o);
    return rc != REGRET_OK
               ? regret_fail_prefix(rc, "the pilot with folds (--folds 0 leaves it out)")
               : rc;
}

/* The pilot of the configuration as it is and, where that has a single split, one of folds. */
static int run_pilots(struct pilots *p, const struct plan_call *given,
                      const struct regret_run_cost *cost, size_t own_folds)
{
    struct plan_call call = *given;
    struct regret_run_cost of_folds = {0};
    int with_folds = own_folds == 0 && call.folds > 0;
    char seeds[40], folds[48];
    if (with_folds) {
        TRY(probe_folds(&of_folds, folds, sizeof folds, &call));
    }
    TRY(make_base(p, &call));
    snprintf(seeds, sizeof seeds, "seeds=%zu", call.pilot_seeds);
    TRY(with_set(&call, seeds));
    TRY(add_pilot(p, &call, own_folds, cost));
    if (!with_folds) {
        return REGRET_OK;
    }
    TRY(with_set(&call, folds));
    return add_pilot(p, &call, call.folds, &of_folds);
}

/* contexts.folds of a run, 0 where it does not say. */
static size_t folds_of_run(const struct regret_results *r)
{
    const cJSON *folds = cJSON_GetObjectItemCaseSensitive(r->run.config, "contexts.folds");
    return cJSON_IsNumber(folds) && folds->valuedouble > 0.0 ? (size_t)folds->valuedouble : 0;
}

/* Every family of the configuration must have rows in the pilot. */
static int check_families(const struct regret_results *r, const struct regret_config *c,
                          const struct plan_call *call)
{
    for (size_t i = 0; i < c->families.n; i++) {
        const char *name = regret_family_at(c->families.index[i])->name;
        if (regret_results_subject(r, REGRET_ROW_FAMILY, name) == REGRET_NO_ROW) {
            return regret_fail(REGRET_E_INPUT,
                               "the pilot %s has no family \"%s\", which %s fits; run a pilot of "
                               "it with --pilot-seeds N",
                               call->pilot, name, call->config);
        }
    }
    return REGRET_OK;
}

/* Says in which keys the pilot's run is not the planned one: its variance is that of its own. */
static int say_differences(const struct regret_results *r, const struct regret_run_plan *plan,
                           const struct plan_call *call)
{
    static const char *const may_differ[] = {"title", "pool", "seeds", "first_seed"};
    FREED_BY(regret_buffer_free) struct regret_buffer json = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer names = REGRET_BUFFER_INIT;
    const struct regret_place at = {call->config, 0};
    FREED_BY(cJSON_Delete_at) cJSON *own = NULL;
    regret_run_plan_json(&json, plan);
    TRY(regret_buffer_status(&json));
    TRY(regret_json_parse(&own, regret_buffer_get(&json), json.length, at));
    for (const cJSON *v = own->child; v != NULL; v = v->next) {
        const cJSON *other = cJSON_GetObjectItemCaseSensitive(r->run.config, v->string);
        int skipped = other == NULL && strcmp(v->string, "sweep") != 0; /* an older run */
        for (size_t i = 0; i < sizeof may_differ / sizeof *may_differ; i++) {
            skipped |= strcmp(v->string, may_differ[i]) == 0;
        }
        if (!skipped && !(other != NULL && cJSON_Compare(v, other, 1))) {
            regret_buffer_printf(&names, "%s%s", names.length > 0 ? ", " : "", v->string);
        }
    }
    const char *sweep = "sweep";
    if (cJSON_GetObjectItemCaseSensitive(own, sweep) == NULL &&
        cJSON_GetObjectItemCaseSensitive(r->run.config, sweep) != NULL) {
        regret_buffer_printf(&names, "%s%s", names.length > 0 ? ", " : "", sweep);
    }
    TRY(regret_buffer_status(&names));
    if (names.length > 0) {
        cli_say("the pilot differs from %s in %s: its variance is that of its own settings",
                call->config, regret_buffer_get(&names));
    }
    return REGRET_OK;
}

static int read_pilot(struct pilots *p, const struct plan_call *call,
                      const struct regret_run_cost *cost, const struct regret_run_plan *plan)
{
    struct regret_config first;
    regret_run_plan_cell(&first, plan, 0);
    TRY(regret_results_read(&p->results[0], call->pilot));
    TRY(check_families(p->results[0], &first, call));
    TRY(say_differences(p->results[0], plan, call));
    size_t folds = folds_of_run(p->results[0]);
    name_scheme(p->name[0], sizeof p->name[0], folds);
    double seconds = folds == first.context_folds ? cost->replicate_seconds : NAN;
    p->plan.scheme[0] = (struct regret_power_scheme){p->results[0], p->name[0], seconds};
    p->plan.n_schemes = 1;
    return REGRET_OK;
}

static void pilots_clear(struct pilots *p, const struct plan_call *call)
{
    for (size_t k = 0; k < 2; k++) {
        regret_results_free(p->results[k]);
    }
    if (p->base[0] != '\0' && call->keep == NULL) {
        regret_folder_remove(p->base);
    }
}

static int make_plan(struct regret_buffer *out, const struct plan_call *call)
{
    struct pilots p = {.plan = {.config = call->config, .difference = call->difference}};
    struct regret_run_plan *plan = NULL;
    struct regret_config first;
    struct regret_run_cost cost;
    const struct regret_run_options o = run_options(call);
    int rc;
    TRY_CLEANUP(find_plan(&plan, call->config, &call->sets));
    regret_run_plan_cell(&first, plan, 0);
    TRY_CLEANUP(regret_run_cost(&cost, &o));
    p.plan.cells = cost.cells;
    p.plan.seeds = cost.seeds;
    p.plan.setup_seconds = cost.setup_seconds;
    TRY_CLEANUP(call->pilot != NULL ? read_pilot(&p, call, &cost, plan)
                                    : run_pilots(&p, call, &cost, first.context_folds));
    rc = regret_report_power(out, &p.plan, call->format);
cleanup:
    pilots_clear(&p, call);
    regret_run_plan_free(plan);
    return rc;
}

/* What contradicts itself, or asks for nothing. */
static int check_call(const struct plan_call *call, int given)
{
    if (!isnan(call->difference) && !(call->difference > 0.0)) {
        return cli_usage_error("--difference wants a difference of regret above 0, for example "
                               "0.002, not %g",
                               call->difference);
    }
    if (call->pilot != NULL && given) {
        return cli_usage_error("--pilot RUN is a pilot that there is; --pilot-seeds, --folds and "
                               "--keep are of one that is to be run");
    }
    if (call->pilot_seeds == 1) {
        return cli_usage_error("a pilot of one seed tells nothing of how differences scatter; give "
                               "it two at least, better five or more");
    }
    return call->folds == 1 ? cli_usage_error("--folds wants 2 or more, or 0 for no pilot of folds")
                            : 0;
}

/* Of a trial; what is of runs alone is refused. */
static int plan_trial(const struct plan_trial_call *call, int is_of_run, const char *format)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    enum regret_format as;
    int rc;
    if (is_of_run) {
        return cli_usage_error(
            "%s is for `regret recommend`, and a trial is planned from it: "
            "--difference, --pilot, --pilot-seeds, --folds, --keep and --set are of runs; "
            "see --rows and --half-width",
            call->config);
    }
    if (!isnan(call->half_width) && !(call->half_width > 0.0)) {
        return cli_usage_error("--half-width wants a number above 0, for example 0.05, not %g",
                               call->half_width);
    }
    TRY_CLEANUP(regret_format_parse(&as, format));
    rc = make(&text, call, as);
cleanup:
    return cli_print(&text, rc);
}

static int run_plan(const struct cli_command *self, int argc, char **argv)
{
    struct plan_trial_call trial = {.half_width = NAN};
    struct plan_call call = {.difference = NAN, .threads = regret_processor_count()};
    struct cli_arguments rest;
    const char *format = "text";
    size_t none = (size_t)-1;
    int code = 0;
    call.pilot_seeds = call.folds = none;
    const struct cli_option options[] = {
        CLI_OPTION("difference", 'd', CLI_DOUBLE, &call.difference, "D",
                   "how large a difference of regret shall be found"),
        CLI_OPTION("pilot", 0, CLI_STRING, &call.pilot, "RUN", "take the variance from this run"),
        {"pilot-seeds", 0, CLI_SIZE, &call.pilot_seeds, "N",
         "seeds of the pilot that is run else (default 5)", 1, REGRET_MAX_SEEDS},
        {"folds", 0, CLI_SIZE, &call.folds, "K",
         "and one with contexts.folds=K; 0: none (default 5)", 0, REGRET_MAX_CONTEXT_FOLDS},
        CLI_OPTION("keep", 0, CLI_STRING, &call.keep, "DIR",
                   "keep the pilot's runs in this folder"),
        {"rows", 'n', CLI_SIZE, &trial.rows, "N", "of the trial that is planned (default 1000)", 2,
         1e12},
        CLI_OPTION("at", 0, CLI_LIST, &trial.grid, "N",
                   "tell of so many rows, too; may be given many times"),
        CLI_OPTION("agent", 0, CLI_LIST, &trial.agents, "NAME",
                   "an agent that takes part (default: all)"),
        CLI_OPTION("incumbent", 0, CLI_STRING, &trial.incumbent, "NAME",
                   "the agent that others are held against"),
        CLI_OPTION("half-width", 'w', CLI_DOUBLE, &trial.half_width, "W",
                   "how sure differences to the incumbent shall be, +-W"),
        CLI_SET(&call.sets),
        {"threads", 'j', CLI_THREADS, &call.threads, "N", "threads (default: processors available)",
         1, 1024},
        CLI_OPTION("format", 'f', CLI_STRING, &format, "text|md|csv|tex|html|json",
                   "what is printed (default text)"),
        {0}};
    if (cli_parse(&rest, &code, self, options, 1, 1, argc, argv)) {
        return code;
    }
    int given = call.pilot_seeds != none || call.folds != none || call.keep != NULL;
    int is_of_trial = 0;
    code = cli_report(data_is_log_config(&is_of_trial, rest.items[0]));
    if (code != CLI_OK) {
        return code;
    }
    if (is_of_trial) {
        trial.config = rest.items[0];
        return plan_trial(
            &trial, given || call.pilot != NULL || !isnan(call.difference) || call.sets.count > 0,
            format);
    }
    if (plan_trial_is_asked(&trial)) {
        return cli_usage_error(
            "%s is no configuration of `regret recommend` (it has neither \"obs\" nor \"exp\"), "
            "and "
            "--rows, --at, --agent, --incumbent and --half-width are of a trial that is planned "
            "from one",
            rest.items[0]);
    }
    call.pilot_seeds = call.pilot_seeds == none ? PILOT_SEEDS : call.pilot_seeds;
    call.folds = call.folds == none ? PILOT_FOLDS : call.folds;
    call.config = rest.items[0];
    struct find_inputs found;
    code = check_call(&call, given);
    if (code != 0 || (code = find_inputs(&found, &call.config, &call.sets, 1)) != 0) {
        return code;
    }
    struct regret_buffer text = REGRET_BUFFER_INIT;
    int rc;
    call.difference = isnan(call.difference) ? 0.0 : call.difference;
    TRY_CLEANUP(regret_format_parse(&call.format, format));
    cli_catch_interrupts();
    rc = make_plan(&text, &call);
cleanup:
    return cli_print(&text, rc);
}

const struct cli_command cmd_plan = {
    .name = "plan",
    .synopsis = "CONFIG [--difference D | --rows N] [--pilot RUN | --pilot-seeds N] [options]",
    .summary = "how many seeds a difference needs, or how many rows a trial",
    .detail =
        "Runs a pilot of a few seeds, unless it is given a run, and says for every pair of "
        "families\n"
        "how much their difference scatters over seeds, what the planned seeds can detect "
        "(two-sided\n"
        "test at 5 %, power 80 %), how many a difference of D needs, and how long that takes. A\n"
        "second pilot with contexts.folds says whether an hour buys more by folds or by seeds. "
        "Says\n"
        "first, on stderr, how long the pilots take.\n"
        "\n"
        "Of a configuration of `regret recommend` it plans the next trial from the log and the "
        "trial "
        "that\n"
        "there are: how sure values and differences will be with N rows, how many find a "
        "difference,\n"
        "and how to divide rows among agents.",
    .examples = "regret plan configs/smoke.json --difference 0.01\n"
                "regret plan configs/main.json --pilot runs/main -d 0.002\n"
                "regret plan configs/main.json --pilot-seeds 8 --folds 0 --keep runs/pilot\n"
                "regret plan evaluate.json --rows 2000 --half-width 0.05",
    .run = run_plan,
};
