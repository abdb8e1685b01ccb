/* regret evaluate: from a log and a trial to an answer. */
#include <string.h>

#include "base/core/try.h"
#include "cli/terminal/cli.h"
#include "cli/terminal/progress.h"
#include "regret/alloc.h"
#include "regret/blas.h"
#include "regret/evaluate.h"
#include "regret/file.h"
#include "regret/log.h"
#include "regret/parallel.h"

FREED_POINTER(struct regret_log, regret_log_free)
FREED_POINTER(struct regret_evaluation, regret_evaluation_free)

struct wanted {
    const char *config, *folder;
    char *model, *reason; /* where it is; of none, where it can tell; owned */
    int json;
    size_t threads;
    struct regret_evaluation_files files;
    struct progress progress;
};

static void on_step(void *context, const char *step, size_t done, size_t total)
{
    struct wanted *w = context;
    progress_step(&w->progress, step, done, total);
}

static int evaluate(struct regret_buffer *text, enum regret_verdict *verdict, struct wanted *w)
{
    const struct regret_family *families[REGRET_MAX_FAMILIES];
    struct regret_evaluate_options options;
    FREED_BY(regret_evaluation_free_at) struct regret_evaluation *e = NULL;
    FREED_BY(regret_log_free_at) struct regret_log *log = NULL;
    if (w->folder != NULL) {
        TRY(regret_staging_check(w->folder, w->files.replace, REGRET_EVALUATION_FILES));
        TRY(regret_path_join(&w->model, w->folder, "model.regret"));
    }
    TRY(regret_evaluate_options_read(&options, families, w->config));
    options.threads = w->threads > 0 ? w->threads : regret_processor_count();
    TRY(regret_blas_check_threads(options.threads)); /* before any work */
    options.step = on_step;
    options.step_context = w;
    on_step(w, "reading the tables", 0, 0);
    TRY(regret_log_read(&log, w->config));
    TRY(regret_evaluate(&e, log, &options));
    if (w->folder != NULL) {
        TRY(regret_evaluation_write(w->folder, e, log, &options, &w->files));
        TRY(regret_strdup(&w->reason, regret_error_message()));
    }
    (w->json ? regret_evaluation_json : regret_evaluation_describe)(text, e, log);
    *verdict = e->verdict;
    return REGRET_OK;
}

/* What the folder has, and why no model where it has none: the next line of the guide wants one. */
static void say_written(const struct wanted *w, enum regret_verdict verdict)
{
    if (regret_file_exists(w->model)) {
        cli_say("wrote %s; new requests: regret recommend --model %s --new FILE", w->folder,
                w->model);
    } else if (verdict == REGRET_VERDICT_CANNOT_TELL) {
        cli_say("wrote %s, without a model.regret: where it cannot be told who is better new "
                "requests stay with the incumbent",
                w->folder);
    } else {
        cli_say("wrote %s, without a model.regret: %s", w->folder, w->reason);
    }
}

static int run_evaluate(const struct cli_command *self, int argc, char **argv)
{
    struct wanted w = {0};
    const char *word = NULL;
    int quiet = 0;
    const struct cli_option options[] = {
        {"out", 'o', CLI_STRING, &w.folder, "DIR", "write tables, result.json and model.regret", 0,
         0},
        {"force", 0, CLI_FLAG, &w.files.replace, NULL, "replace an earlier evaluation at DIR", 0,
         0},
        {"format", 'f', CLI_STRING, &word, "text|json",
         "what is printed: the screen, or result.json (default text)", 0, 0},
        CLI_JSON(w.json),
        {"quiet", 'q', CLI_FLAG, &quiet, NULL, "no progress", 0, 0},
        {"details", 0, CLI_FLAG, &w.files.details, NULL,
         "also write rows.csv: what every number was made of", 0, 0},
        CLI_SAFE_CSV(w.files.safe_csv),
        {"threads", 't', CLI_THREADS, &w.threads, "N", "threads (default: all processors)", 1,
         4096},
        {0}};
    struct cli_arguments rest;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    enum regret_verdict verdict = REGRET_VERDICT_CANNOT_TELL;
    int code = 0;
    if (cli_parse(&rest, &code, self, options, 1, 1, argc, argv)) {
        return code;
    }
    word = cli_format(word, w.json);
    if (word == NULL) {
        return CLI_USAGE;
    }
    w.json = strcmp(word, "json") == 0;
    w.config = rest.items[0];
    progress_begin(&w.progress, !quiet, w.threads);
    w.progress.steps = w.folder != NULL ? 5 : 4;
    int rc = evaluate(&text, &verdict, &w);
    progress_end(&w.progress);
    code = cli_print(&text, rc);
    if (code == CLI_OK && w.folder != NULL) {
        say_written(&w, verdict);
    }
    regret_free(w.model);
    regret_free(w.reason);
    return code == CLI_OK && !w.json && verdict == REGRET_VERDICT_CANNOT_TELL ? CLI_CANNOT_TELL
                                                                              : code;
}

const struct cli_command cmd_evaluate = {
    .name = "evaluate",
    .synopsis =
        "CONFIG [-o DIR] [--force] [--format text|json] [--details] [--safe-csv] [--threads N]",
    .summary = "which agent a real log and a real trial say to use, and whether that can be told",
    .detail =
        "CONFIG (evaluate.json) names a log in which users or a router chose (obs), a trial in\n"
        "which chance did (exp), or both, and their columns; `regret init --obs LOG --exp TRIAL`\n"
        "guesses it. First comes what says no: whether the log lies, whether the trial is one.\n"
        "Then the answer: one agent, one by tag, one by request, or that it cannot be told, with\n"
        "the size of a trial that would tell; then values of agents with intervals for new\n"
        "requests, differences to the incumbent that hold for all agents at once, and what\n"
        "choosing by tag or by request is worth beside the best single agent.\n"
        "Values rest on the trial; the log sharpens what corrects them, and cannot make them\n"
        "wrong. A log alone is valued as if nothing unmeasured moved both choice and outcome,\n"
        "and told to be unable to tell.\n"
        "DIR gets agents.csv, tags.csv, policies.csv, recommendations.csv, diagnostics.csv,\n"
        "result.json, and where it can tell model.regret for\n"
        "`regret recommend --model DIR/model.regret --new`.\n"
        "Exits with 3 where it cannot tell (with --json: 0).",
    .examples = "regret evaluate evaluate.json -o answer\n"
                "regret evaluate evaluate.json --json\n"
                "regret evaluate evaluate.json -o answer --force --details\n"
                "regret recommend --model answer/model.regret --new prompts.csv > who.csv",
    .run = run_evaluate,
};
