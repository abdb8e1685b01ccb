#define _GNU_SOURCE /* realpath */
/* HELM's runs: going through their files, and the command line. */
#include "import/helm/helm.h"

#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "base/text/path.h"
#include "regret/alloc.h"

static const char CARD[] = "Contexts are instances that nobody perturbed, tagged by their scenario "
                           "with its arguments; agents\n"
                           "are models. Trials with other examples in the prompt are draws. The "
                           "main metric is the one that\n"
                           "HELM's tables show of the scenario. The cost of an agent is the mean "
                           "of its answers' tokens, or of\n"
                           "what they cost where prices were given.\n";

static const char STATES[] = "scenario_state.json", STATS[] = "per_instance_stats.json";

struct import {
    const struct helm_options *options;
    const char *path;
    struct harness *harness;
    struct prices prices;
    struct helm_run *run; /* owned */
    size_t n, capacity;
    size_t progress; /* files read in the present round */
};

/* ---- Runs ---- */

/* The name of a run is that of the folder that its files are in; of the one given it may be ".". */
static int name_run(char **task, const char *folder, const char *path)
{
    char *real = folder[0] == '\0' ? realpath(path, NULL) : NULL;
    const char *of = real != NULL ? real : folder[0] != '\0' ? folder : path;
    int rc = helm_task(task, path_last(of));
    free(real);
    return rc;
}

/* The run that a file is of, by its folder: one that is new to us is entered. */
static int enter_run(struct helm_run **out, struct import *s, const char *name)
{
    const char *last = path_last(name);
    size_t n = last > name ? (size_t)(last - name) - 1 : 0;
    for (size_t i = s->n; i-- > 0;) {
        *out = &s->run[i];
        if (strncmp((*out)->folder, name, n) == 0 && (*out)->folder[n] == '\0') {
            return REGRET_OK;
        }
    }
    TRY(regret_grow((void **)&s->run, &s->capacity, s->n, sizeof *s->run, "runs"));
    *out = &s->run[s->n++];
    **out = (struct helm_run){.state = HELM_NO_STATS};
    TRY(regret_strndup(&(*out)->folder, name, n));
    return name_run(&(*out)->task, (*out)->folder, s->path);
}

/* The model is known once the requests are read. */
static int wants(const struct import *s, const struct helm_run *run)
{
    const struct importer_list *tasks = &s->options->harness.tasks;
    return tasks->n == 0 || name_matches(tasks->items, tasks->n, run->task);
}

static int read_member(void *context, struct source *source, const char *name)
{
    struct import *s = context;
    struct helm_run *run = NULL;
    TRY(harness_own(s->harness, source));
    TRY(enter_run(&run, s, name));
    const char *base = path_last(name);
    if (!wants(s, run) || run->state == HELM_DONE) {
        return REGRET_OK;
    }
    if (strcmp(base, STATS) == 0) {
        if (run->state == HELM_NO_STATS) {
            TRY(helm_read_stats(&run->stats, source));
            run->state = HELM_HAS_STATS;
            s->progress++;
        }
        return REGRET_OK;
    }
    if (run->state == HELM_HAS_STATS) {
        const struct harness_options *o = &s->options->harness;
        TRY(helm_read_states(s->harness, run, &s->prices, o->metrics.n + o->lower.n > 0, source));
        helm_free_stats(&run->stats);
        run->state = HELM_DONE;
        s->progress++;
    }
    return REGRET_OK;
}

/* ---- Files ---- */

/* A run that is wanted and lacks one of its files, so far; NULL: none. */
static const struct helm_run *pending(const struct import *s)
{
    for (size_t i = 0; i < s->n; i++) {
        if (s->run[i].state != HELM_DONE && wants(s, &s->run[i])) {
            return &s->run[i];
        }
    }
    return NULL;
}

/* The requests of a run are read once its statistics are there: in a folder, where names come in order, at once; in an archive,
 * whose order is any, perhaps in a second round. */
static int read_runs(struct import *s)
{
    static const char *const PATTERNS[] = {STATES, STATS};
    TRY(prices_read(&s->prices, s->options->prices));
    do {
        s->progress = 0;
        TRY(harness_each(s->harness, s->path, PATTERNS, 2, read_member, s));
    } while (s->progress > 0 && pending(s) != NULL);
    const struct helm_run *run = pending(s);
    if (run != NULL) {
        return regret_fail(REGRET_E_INPUT,
                           "%s%s%s has no %s; let HELM finish the run, or take it away", s->path,
                           run->folder[0] != '\0' ? "/" : "", run->folder,
                           run->state == HELM_NO_STATS ? STATS : STATES);
    }
    return s->n > 0
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT, "%s holds no run of HELM: a folder with %s and %s",
                             s->path, STATES, STATS);
}

static int run(const struct importer_call *call)
{
    struct import s = {.options = call->options, .path = call->from};
    int rc;
    TRY_CLEANUP(harness_begin(&s.harness, &s.options->harness));
    TRY_CLEANUP(read_runs(&s));
    rc = harness_finish(s.harness, call, "helm", "Answers from runs of HELM", CARD);
cleanup:
    for (size_t i = 0; i < s.n; i++) {
        regret_free(s.run[i].folder);
        regret_free(s.run[i].task);
        helm_free_stats(&s.run[i].stats);
    }
    regret_free(s.run);
    prices_free(&s.prices);
    harness_free(s.harness);
    return rc;
}

static const struct helm_options defaults = {0};

static const struct importer_option options[] = {PRICES_OPTION(struct helm_options, prices),
                                                 HARNESS_OPTIONS};

const struct importer importer_helm = {
    .name = "import helm",
    .synopsis = "FOLDER -o POOL [options]",
    .summary = "runs of HELM: folders with scenario_state.json and per_instance_stats.json",
    .detail =
        "An instance is a context, its scenario the tag, a model an agent, trials with other\n"
        "examples are draws. Perturbed instances are left out. The main metric is the one that\n"
        "HELM's tables show of the scenario; of a scenario that is not known it has to be\n"
        "named. The cost of an answer is its tokens, times their prices where these are given.",
    .examples = "regret import helm benchmark_output/runs/v1 -o helm --dry-run\n"
                "regret import helm benchmark_output/runs/v1 -o mmlu -t 'mmlu:*' -m exact_match",
    .run = run,
    .can_dry_run = 1,
    IMPORTER_OPTIONS(options, defaults),
};
