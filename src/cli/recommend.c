/* Which agent is best: `recommend` and `evaluate`. */
#include <cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/input.h"
#include "base/json.h"
#include "base/status.h"
#include "base/text.h"
#include "cli/internal.h"
#include "model/model.h"
#include "regret/buffer.h"
#include "regret/evaluate.h"
#include "regret/pool.h"
#include "regret/status.h"
#include "regret/synth.h"

FREED_POINTER(struct regret_pool, regret_pool_free)
FREED_POINTER(struct regret_model, regret_model_free)
FREED_POINTER(cJSON, cJSON_Delete)

/* `regret recommend`: who should answer requests that no agent has answered. */

struct recommend_call {
    const char *pool;            /* NULL: none was given */
    const char *from;            /* a table of new requests, or "-" */
    const char *model, *save;    /* files of models */
    const char *text, *id, *tag; /* columns */
    const char *input;           /* the table's format; NULL: by its name */
    const char *word;            /* the value of --format; NULL: none was given */
    int json, safe_csv;
    size_t threads; /* 0: as many as there are processors */
};

/* Words about a model, for people. */
static int say_model(const struct regret_model *model)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_model_describe(&text, model);
    TRY(regret_buffer_status(&text));
    fputs(regret_buffer_get(&text), stdout);
    return REGRET_OK;
}

/* Whoever gives a run is told of its pool; one that is generated when a run starts lies in no folder. */
static int refuse_run(const char *folder, const char *path)
{
    FREED_BY(regret_buffer_free) struct regret_buffer command = REGRET_BUFFER_INIT;
    FREED_BY(cJSON_Delete_at) cJSON *run = NULL;
    TRY(regret_json_read_file(&run, path));
    const cJSON *config = cJSON_GetObjectItemCaseSensitive(run, "config");
    const char *pool = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(config, "pool"));
    int is_there =
        pool != NULL && strncmp(pool, REGRET_SYNTH_PREFIX, strlen(REGRET_SYNTH_PREFIX)) != 0;
    shell_path(&command, "regret recommend ", is_there ? pool : "POOL", "");
    TRY(regret_buffer_status(&command));
    return regret_fail(REGRET_E_INPUT,
                       "%s is a run, which tells of families and regret; recommend takes the data "
                       "that it was made of: %s",
                       folder, regret_buffer_get(&command));
}

static int make_model(struct regret_model **out, const struct recommend_call *call)
{
    FREED_BY(regret_pool_free_at) struct regret_pool *pool = NULL;
    FREED char *run = NULL;
    TRY(regret_path_join(&run, call->pool, "run.json"));
    TRY(input_is_absent(run) ? REGRET_OK : refuse_run(call->pool, run));
    if (call->from == NULL && call->save == NULL) {
        return regret_fail(REGRET_E_INPUT,
                           "not yet: recommend answers new requests alone; give --new FILE");
    }
    TRY(regret_pool_read(&pool, call->pool));
    cli_say("making the model of new requests of %s", call->pool);
    return regret_model_of_pool(out, pool, REGRET_MODEL_ALL_COMPONENTS, call->threads);
}

/* A folder of `evaluate` has no model where it cannot tell: that says more than that there is no such file. */
static int check_model(const char *path)
{
    char *result = NULL;
    int rc = REGRET_OK;
    TRY(path_beside(&result, path, "result.json"));
    if (input_is_absent(path) && regret_file_exists(result)) {
        rc = regret_fail(
            REGRET_E_INPUT,
            "there is no %s: 'regret evaluate' makes none where it cannot tell who is "
            "better than the incumbent, or where requests are too few (its verdict: %s)",
            path, result);
    }
    regret_free(result);
    return rc;
}

static int open_model(struct regret_model **out, const struct recommend_call *call)
{
    if (call->model == NULL) {
        return make_model(out, call);
    }
    TRY(check_model(call->model));
    return regret_model_read(out, call->model);
}

static int write_out(void *context, const char *text, size_t length)
{
    (void)context;
    TRY(cli_write(text, length));
    return fflush(stdout) == 0 && !ferror(stdout)
               ? REGRET_OK
               : regret_fail(REGRET_E_IO, "cannot write the recommendations: %s", strerror(errno));
}

/* What nobody has seen is answered by what holds elsewhere. */
static void say_told(const struct regret_requests_told *told, const struct regret_model *model)
{
    for (size_t j = 0; j < regret_model_columns(model); j++) {
        if (told->unknown[j] > 0) {
            cli_say("%zu of %zu requests do not tell the column %s, or a word of it that the model "
                    "never "
                    "saw (note unknown-column): they are answered as at its mean",
                    told->unknown[j], told->n, regret_model_column(model, j));
        }
        if (told->far[j] > 0) {
            cli_say(
                "%zu of %zu requests have the column %s beyond all that the model has seen (note "
                "far-column): they are answered as at the nearest",
                told->far[j], told->n, regret_model_column(model, j));
        }
    }
    if (told->unknown_tag > 0) {
        cli_say("%zu of %zu requests have no tag, or one that the model never saw (note "
                "unknown-tag): they are answered as of any tag",
                told->unknown_tag, told->n);
    }
    if (told->unseen_agent > 0) {
        cli_say("%zu of %zu requests go to an agent that has never answered their tag (note "
                "unseen-agent): score some of its answers there before",
                told->unseen_agent, told->n);
    }
}

static int answer(const struct regret_model *model, const struct recommend_call *call)
{
    const struct regret_requests_options options = {
        .path = call->from,
        .is_json = call->input == NULL ? -1 : call->input[0] == 'j',
        .separator = call->input != NULL && call->input[0] == 't' ? '\t' : '\0',
        .text = call->text,
        .id = call->id,
        .tag = call->tag,
        .json_out = call->json || (call->word != NULL && call->word[0] == 'j'),
        .safe_csv = call->safe_csv,
        .threads = call->threads};
    struct regret_requests_told told = {0};
    TRY(regret_requests_answer(&told, model, &options, write_out, NULL));
    cli_say("values are from 0, the worst outcome, to 1, the best, whatever the scale of the data "
            "was");
    say_told(&told, model);
    return REGRET_OK;
}

static int check_usage(const struct recommend_call *call)
{
    if ((call->pool == NULL) == (call->model == NULL)) {
        return cli_usage_error(
            "recommend: give a POOL, or a model of new requests by --model PATH");
    }
    if (call->pool != NULL && regret_file_exists(call->pool) && !regret_is_folder(call->pool)) {
        return cli_usage_error("recommend: %s is a file, and POOL is a folder; a model of new "
                               "requests is given by --model PATH",
                               call->pool);
    }
    return call->json && call->word != NULL ? cli_usage_error("give --json or --format, not both")
                                            : CLI_OK;
}

static int recommend(const struct recommend_call *call)
{
    FREED_BY(regret_model_free_at) struct regret_model *model = NULL;
    TRY(open_model(&model, call));
    TRY(call->save != NULL ? regret_model_write(model, call->save) : REGRET_OK);
    if (call->from == NULL) {
        return say_model(model);
    }
    if (regret_model_told(model) == 0) {
        cli_say("CANNOT TELL: what the model was made of tells no agent from another, so these may "
                "be as good as any");
    }
    return answer(model, call);
}

static int run_recommend(const struct cli_command *self, int argc, char **argv)
{
    struct recommend_call call = {0};
    const struct cli_option options[] = {
        {"new", 0, CLI_STRING, &call.from, "FILE",
         "recommend for the new requests of this table (- standard input)", 0, 0},
        {"new-format", 0, CLI_STRING, &call.input, "csv|tsv|jsonl",
         "what FILE is (default by its name; csv of standard input)", 0, 0},
        {"new-text", 0, CLI_STRING, &call.text, "COLUMN",
         "the column of texts in FILE (default by its name)", 0, 0},
        {"new-id", 0, CLI_STRING, &call.id, "COLUMN", "that of ids", 0, 0},
        {"new-tag", 0, CLI_STRING, &call.tag, "COLUMN", "that of tags", 0, 0},
        {"model", 0, CLI_STRING, &call.model, "PATH", "by this model, made before, without a POOL",
         0, 0},
        {"save-model", 0, CLI_STRING, &call.save, "PATH", "keep the model of new requests here", 0,
         0},
        {"format", 'f', CLI_STRING, &call.word, "csv|json",
         "of answers to new requests (default csv)", 0, 0},
        CLI_JSON(call.json),
        CLI_SAFE_CSV(call.safe_csv),
        {"threads", 't', CLI_THREADS, &call.threads, "N",
         "threads that new requests may use (default all)", 1, 1024},
        {0}};
    struct cli_arguments rest;
    int code = 0;
    if (cli_parse(&rest, &code, self, options, 0, 1, argc, argv)) {
        return code;
    }
    call.pool = rest.count > 0 ? rest.items[0] : NULL;
    code = check_usage(&call);
    if (code != CLI_OK) {
        return code;
    }
    call.threads = call.threads == 0 ? regret_processor_count() : call.threads;
    return cli_report(recommend(&call));
}

const struct cli_command cmd_recommend = {
    .name = "recommend",
    .synopsis = "POOL [--new FILE] [--model PATH] [--save-model PATH] [--format csv|json]\n"
                "[--safe-csv]",
    .summary = "which agent should answer new requests",
    .detail =
        "--new FILE recommends for requests that no agent has answered (columns text or prompt;\n"
        "id, tag and own columns of the pool's table where there are), a line each: agent, value\n"
        "and its 95 % interval, margin over the best single agent. A model of tag, words and\n"
        "own columns is made of the scores of POOL, the mean of their components from 0 to 1;\n"
        "outputs that are not there are not known, and count as nothing. --save-model keeps it,\n"
        "and with --model PATH no pool is needed; without --new it is described. Where it is not\n"
        "separably better than the best single agent, that one is recommended.",
    .examples = "regret recommend my/pool --new prompts.csv > who.csv\n"
                "regret recommend my/pool --save-model my/model.regret\n"
                "regret recommend --model my/model.regret --new - --format json < prompts.csv",
    .run = run_recommend,
};

/* regret evaluate: from a log and a trial to an answer. */

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
