/* Inspect's logs: reading their samples, and the command line. */
#include "import/inspect/inspect.h"

#include <stdio.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "base/json/json_array.h"
#include "base/json/json_pick.h"
#include "regret/alloc.h"

FREED_POINTER(cJSON, cJSON_Delete)

static const char CARD[] = "Contexts are samples, tagged by their task; agents are models, with "
                           "solver and settings where a\n"
                           "model answered one task with several. Scores are scorers': C, I, P and "
                           "N are 1, 0, 1/2 and 0,\n"
                           "keys of a score are scores of their own. Epochs are draws. The cost of "
                           "an agent is the mean of\n"
                           "its answers' tokens, or of what they cost where prices were given or "
                           "the log's were asked for.\n";

struct import {
    const struct inspect_options *options;
    const char *path;
    struct harness *harness;
    struct inspect_logs logs;
    struct inspect_log *log; /* of the document at hand */
    struct prices prices;
};

static int add(struct import *s, struct inspect_log *log, const cJSON *sample,
               struct regret_place at)
{
    log->samples++;
    return inspect_add_sample(s->harness, log, sample, &s->prices, s->options, at);
}

static int read_sample(struct import *s, struct inspect_log *log, struct source *source)
{
    const struct regret_place at = {source_where(source), 0};
    FREED char *text = NULL;
    size_t length = 0;
    FREED_BY(cJSON_Delete_at) cJSON *sample = NULL;
    TRY(source_text(source, &text, &length, REGRET_JSON_MAX_BYTES));
    TRY(json_pick(&sample, text, length, at, 1, INSPECT_SAMPLE_FIELDS, INSPECT_N_SAMPLE_FIELDS));
    return add(s, log, sample, at);
}

static int see_sample(void *context, const cJSON *sample, struct regret_place at)
{
    struct import *s = context;
    return add(s, s->log, sample, at);
}

static int read_document(struct import *s, struct inspect_log *log, struct source *source)
{
    struct json_array array;
    cJSON *before = NULL;
    int found = 0;
    int rc = inspect_open_document(&array, &found, &before, source);
    cJSON_Delete(before);
    TRY(rc);
    s->log = log;
    return found ? json_array_each(&array, see_sample, s) : REGRET_OK;
}

static int read_member(void *context, struct source *source, const char *name)
{
    struct import *s = context;
    size_t prefix = 0;
    int wants = 0;
    enum inspect_part part = inspect_part_of(name, s->path, &prefix);
    struct inspect_log *log = inspect_find_log(&s->logs, name, prefix);
    if (part == INSPECT_SAMPLE && log == NULL) {
        return regret_fail(REGRET_E_INPUT,
                           "%s is a sample of a log that has neither header.json nor "
                           "_journal/start.json: which model it is of is not said",
                           source_where(source));
    }
    TRY(log != NULL || part == INSPECT_OTHER ? harness_own(s->harness, source) : REGRET_OK);
    TRY(log != NULL ? harness_wants(&wants, s->harness, log->task, log->agent) : REGRET_OK);
    if (!wants) {
        return REGRET_OK;
    }
    TRY(harness_file(s->harness, source));
    return part == INSPECT_SAMPLE     ? read_sample(s, log, source)
           : part == INSPECT_DOCUMENT ? read_document(s, log, source)
                                      : REGRET_OK;
}

/* The model of a log without samples would vanish unnoticed. */
static int tell_empty(const struct import *s)
{
    char what[80];
    for (size_t i = 0; i < s->logs.n; i++) {
        const struct inspect_log *log = &s->logs.log[i];
        snprintf(what, sizeof what, "logs without samples (status %.20s)", log->status);
        int wants = 0;
        TRY(harness_wants(&wants, s->harness, log->task, log->agent));
        TRY(log->samples == 0 && wants
                ? harness_left_out_at(s->harness, what, log->name[0] != '\0' ? log->name : s->path)
                : REGRET_OK);
    }
    return REGRET_OK;
}

static int read_logs(struct import *s)
{
    int rc = inspect_read_logs(&s->logs, s->harness, s->path);
    TRY(rc != REGRET_OK && s->logs.n == 0 ? harness_tell(s->harness, rc) : rc);
    TRY(harness_each(s->harness, s->path, INSPECT_FILES, 1, read_member, s));
    return tell_empty(s);
}

static int run(const struct importer_call *call)
{
    struct import s = {.options = call->options, .path = call->from};
    int rc;
    TRY_CLEANUP(prices_read(&s.prices, s.options->prices));
    TRY_CLEANUP(harness_begin(&s.harness, &s.options->harness));
    TRY_CLEANUP(read_logs(&s));
    rc = harness_finish(s.harness, call, "inspect", "Answers from logs of Inspect", CARD);
cleanup:
    harness_free(s.harness);
    inspect_free_logs(&s.logs);
    prices_free(&s.prices);
    return rc;
}

static const struct inspect_options defaults = {0};
static const char *const COSTS[] = {"tokens", "recorded", NULL};

static const struct importer_option options[] = {
    PRICES_OPTION(struct inspect_options, prices),
    {"cost", 0, IMPORTER_WORD, offsetof(struct inspect_options, cost), "RULE",
     "without prices: tokens (default), or recorded: the dollars that the log has", 0, 0, COSTS,
     NULL},
    HARNESS_OPTIONS};

const struct importer importer_inspect = {
    .name = "import inspect",
    .synopsis = "LOG|FOLDER -o POOL [options]",
    .summary = "logs of Inspect: .eval archives and JSON, or a folder of them",
    .detail =
        "A sample is a context, its task the tag, a model an agent, epochs are draws. Scores are\n"
        "scorers'; C, I, P and N are 1, 0, 1/2 and 0. The cost of an answer is its tokens, times\n"
        "their prices where a table of these is given. Which log is of which model is read in\n"
        "the log, not from its name.",
    .examples = "regret import inspect logs -o mine --dry-run\n"
                "regret import inspect logs -o mine --prices prices.csv --runs last",
    .run = run,
    .can_dry_run = 1,
    IMPORTER_OPTIONS(options, defaults),
};
