/* Which agent is best: `recommend` and `evaluate`. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/input.h"
#include "base/status.h"
#include "base/text.h"
#include "cli/internal.h"
#include "model/model.h"
#include "regret/buffer.h"
#include "regret/evaluate.h"
#include "regret/report.h"
#include "regret/results.h"
#include "regret/status.h"

/* `regret recommend --new`: who should answer requests that no agent has answered. */

struct new_requests {
    const char *from;            /* a table of them, or "-" */
    const char *model, *save;    /* files of models */
    const char *text, *id, *tag; /* columns */
    const char *input;           /* the table's format; NULL: by its name */
    size_t threads;              /* 0: as many as there are processors */
    int refit;
};

/* The options of a command that takes new requests. */
#define CLI_NEW_REQUESTS(n)                                                                        \
    {"new",     0,      CLI_STRING,                                                                \
     &(n).from, "FILE", "recommend for the new requests of this table (- standard input)",         \
     0,         0},                                                                                \
        {"new-format",                                                                             \
         0,                                                                                        \
         CLI_STRING,                                                                               \
         &(n).input,                                                                               \
         "csv|tsv|jsonl",                                                                          \
         "what FILE is (default by its name; csv of standard input)",                              \
         0,                                                                                        \
         0},                                                                                       \
        {"new-text", 0,        CLI_STRING,                                                         \
         &(n).text,  "COLUMN", "the column of texts in FILE (default by its name)",                \
         0,          0},                                                                           \
        {"new-id", 0, CLI_STRING, &(n).id, "COLUMN", "that of ids", 0, 0},                         \
        {"new-tag", 0, CLI_STRING, &(n).tag, "COLUMN", "that of tags", 0, 0},                      \
        {"model",    0,      CLI_STRING,                                                           \
         &(n).model, "PATH", "by this model, made before; RUN may be left out",                    \
         0,          0},                                                                           \
        {"save-model",                                                                             \
         0,                                                                                        \
         CLI_STRING,                                                                               \
         &(n).save,                                                                                \
         "PATH",                                                                                   \
         "keep the model of new requests here, too",                                               \
         0,                                                                                        \
         0},                                                                                       \
        {"refit", 0, CLI_FLAG, &(n).refit, NULL, "make the model of new requests anew", 0, 0},     \
    {                                                                                              \
        "threads", 't', CLI_THREADS, &(n).threads, "N",                                            \
            "threads that new requests may use (default all)", 1, 1024                             \
    }

/* What the command's other options say of them. */
struct new_requests_output {
    size_t cell;      /* REGRET_NO_ROW: none is named */
    const char *word; /* the value of --format; NULL: none was given */
    int json, safe_csv;
};

/* 1 where one of these options asks for a model of new requests. */
static int new_requests_are_wanted(const struct new_requests *n)
{
    return n->from != NULL || n->model != NULL || n->save != NULL;
}

/* Words about a model, for people. */
static int say_model(FILE *to, const struct regret_model *model)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_model_describe(&text, model);
    TRY(regret_buffer_status(&text));
    fputs(regret_buffer_get(&text), to);
    return REGRET_OK;
}

static int make_model(struct regret_model **out, const struct new_requests *n, const char *run,
                      size_t cell)
{
    cli_say("making the model of new requests of %s", run);
    TRY(regret_model_of_run(out, run, cell, n->threads));
    return n->from != NULL ? say_model(stderr, *out) : REGRET_OK;
}

/* Whether the run tells any rule from chance as it is now, which may be more than when the model was made; not known where its rows do
 * not say. */
static int ask_run(struct regret_model *model, const char *run, size_t cell)
{
    const struct regret_recommend_options one = {.one_cell = cell != REGRET_MODEL_ANY_CELL,
                                                 .cell = cell};
    struct regret_recommendation found = {0};
    struct regret_results *results = NULL;
    struct regret_buffer words = REGRET_BUFFER_INIT;
    int rc;
    TRY_CLEANUP(regret_results_read(&results, run));
    rc = regret_recommend(&words, &found, results, &one);
    regret_model_set_told(model, rc ? -1 : found.rule != REGRET_ADVICE_NONE);
    rc = rc == REGRET_E_INPUT ? REGRET_OK : rc;
cleanup:
    regret_buffer_free(&words);
    regret_results_free(results);
    return rc;
}

/* The model that a run keeps, made at first use; what the run tells may have changed since. A run folder that cannot be written to is no
 * reason to fail. */
static int run_model(struct regret_model **out, const struct new_requests *n, const char *run,
                     size_t cell)
{
    char name[64] = "model.regret", *path = NULL;
    int rc, told, is_kept;
    if (cell != REGRET_MODEL_ANY_CELL) {
        snprintf(name, sizeof name, "model-%zu.regret", cell);
    }
    TRY(regret_path_join(&path, run, name));
    is_kept = !n->refit && !input_is_absent(path);
    if (is_kept) {
        TRY_CLEANUP(regret_model_read(out, path));
        rc = regret_model_check_run(*out, run, cell);
        TRY_CLEANUP(rc != REGRET_OK ? regret_fail_suffix(rc, " with --refit") : rc);
    } else {
        TRY_CLEANUP(make_model(out, n, run, cell));
    }
    told = regret_model_told(*out);
    TRY_CLEANUP(ask_run(*out, run, cell));
    is_kept &= regret_model_told(*out) == told;
    if (!is_kept && regret_model_write(*out, path) != REGRET_OK) {
        cli_say("the model is not kept: %s", regret_error_message());
    }
cleanup:
    regret_free(path);
    return rc;
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

/* Of a model that lies in the folder of its run, as of that run; any other says what it knew when it was made. */
static int ask_beside(struct regret_model *model, const char *path, size_t cell)
{
    const char *slash = strrchr(path, '/');
    char *folder = NULL, *run = NULL;
    int rc;
    TRY_CLEANUP(regret_strdup(&folder, slash != NULL ? path : "."));
    if (slash != NULL) {
        folder[slash == path ? 1 : slash - path] = '\0';
    }
    TRY_CLEANUP(path_beside(&run, path, "run.json"));
    if (!input_is_absent(run)) {
        TRY_CLEANUP(regret_model_check_run(model, folder, cell));
        TRY_CLEANUP(ask_run(model, folder, cell));
    }
cleanup:
    if (rc == REGRET_E_INPUT || rc == REGRET_E_IO) { /* the model answers without a run */
        cli_say("what the run beside the model can tell is not known: %s", regret_error_message());
        rc = REGRET_OK;
    }
    regret_free(folder);
    regret_free(run);
    return rc;
}

static int open_model(struct regret_model **out, const struct new_requests *n, const char *run,
                      size_t cell)
{
    if (n->model != NULL) {
        TRY(check_model(n->model));
        TRY(regret_model_read(out, n->model));
        TRY(run != NULL ? regret_model_check_run(*out, run, cell) : REGRET_OK);
        return run != NULL ? ask_run(*out, run, cell) : ask_beside(*out, n->model, cell);
    }
    return run_model(out, n, run, cell);
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
            cli_say(
                "%zu of %zu requests do not tell the column %s, or a word of it that the run never "
                "saw (note unknown-column): they are answered as at its mean",
                told->unknown[j], told->n, regret_model_column(model, j));
        }
        if (told->far[j] > 0) {
            cli_say("%zu of %zu requests have the column %s beyond all that the run has seen (note "
                    "far-column): they are answered as at the nearest",
                    told->far[j], told->n, regret_model_column(model, j));
        }
    }
    if (told->unknown_tag > 0) {
        cli_say("%zu of %zu requests have no tag, or one that the run never saw (note "
                "unknown-tag): they are answered as of any tag",
                told->unknown_tag, told->n);
    }
    if (told->unseen_agent > 0) {
        cli_say("%zu of %zu requests go to an agent that has never answered their tag (note "
                "unseen-agent): score some of its answers there before",
                told->unseen_agent, told->n);
    }
}

static int answer(const struct regret_model *model, const struct new_requests *n,
                  const struct new_requests_output *output)
{
    const struct regret_requests_options options = {
        .path = n->from,
        .is_json = n->input == NULL ? -1 : n->input[0] == 'j',
        .separator = n->input != NULL && n->input[0] == 't' ? '\t' : '\0',
        .text = n->text,
        .id = n->id,
        .tag = n->tag,
        .json_out = output->json || (output->word != NULL && output->word[0] == 'j'),
        .safe_csv = output->safe_csv,
        .threads = n->threads};
    struct regret_requests_told told = {0};
    TRY(regret_requests_answer(&told, model, &options, write_out, NULL));
    cli_say("values are from 0, the worst outcome, to 1, the best, whatever the scale of the data "
            "was");
    say_told(&told, model);
    return REGRET_OK;
}

static int check_usage(const struct new_requests *n, const char *run,
                       const struct new_requests_output *output)
{
    if (run == NULL && n->model == NULL) {
        return cli_usage_error("recommend: give a RUN, or a model of new requests by --model PATH");
    }
    if (run != NULL && regret_file_exists(run) && !regret_is_folder(run)) {
        return cli_usage_error("recommend: %s is a file, and RUN is a folder; a model of new "
                               "requests is given by --model PATH",
                               run);
    }
    if (output->word != NULL && output->word[0] == 'm') {
        return cli_usage_error("recommend --new answers as csv or json, a line a request");
    }
    return output->json && output->word != NULL
               ? cli_usage_error("give --json or --format, not both")
               : CLI_OK;
}

/* Does what they ask for, with the run `run` or NULL; returns the exit code. */
static int new_requests_run(const struct new_requests *wanted, const char *run,
                            const struct new_requests_output *output)
{
    struct new_requests n = *wanted;
    struct regret_model *model = NULL;
    size_t cell = output->cell == REGRET_NO_ROW ? REGRET_MODEL_ANY_CELL : output->cell;
    int rc, usage = check_usage(&n, run, output);
    if (usage != CLI_OK) {
        return usage;
    }
    n.threads = n.threads == 0 ? regret_processor_count() : n.threads;
    TRY_CLEANUP(open_model(&model, &n, run, cell));
    if (n.save != NULL) {
        TRY_CLEANUP(regret_model_write(model, n.save));
    }
    if (n.from != NULL && regret_model_told(model) == 0) {
        cli_say("CANNOT TELL: the run tells no rule from an agent at random (regret recommend says "
                "how much data would), so these agents may be as good as any other");
    }
    rc = n.from != NULL ? answer(model, &n, output) : say_model(stdout, model);
cleanup:
    regret_model_free(model);
    return cli_report(rc);
}

/* The parser takes no other words. */
static enum regret_recommend_format format_of(const char *word)
{
    return word[0] == 'c'   ? REGRET_RECOMMEND_CSV
           : word[0] == 'j' ? REGRET_RECOMMEND_JSON
           : word[0] == 'm' ? REGRET_RECOMMEND_MARKDOWN
                            : REGRET_RECOMMEND_TEXT;
}

/* Lists are what they are, whatever can be told; an answer that is none is a failure to a script. */
static int exit_code(int printed, const struct regret_recommendation *answer,
                     enum regret_recommend_format format)
{
    int is_answer = format == REGRET_RECOMMEND_TEXT || format == REGRET_RECOMMEND_MARKDOWN;
    return printed == CLI_OK && is_answer && answer->rule == REGRET_ADVICE_NONE ? CLI_CANNOT_TELL
                                                                                : printed;
}

static int run_recommend(const struct cli_command *self, int argc, char **argv)
{
    const char *word = NULL;
    size_t cell = REGRET_NO_ROW;
    int safe_csv = 0, json = 0;
    struct regret_recommend_options o = {0};
    struct new_requests new_requests = {0};
    const struct cli_option options[] = {
        {"format", 'f', CLI_STRING, &word, "text|md|csv|json", "what is printed (default text)", 0,
         0},
        CLI_JSON(json),
        {"tag", 0, CLI_STRING, &o.tag, "TAG", "list the contexts with this tag", 0, 0},
        {"context", 0, CLI_STRING, &o.context, "ID", "list this context", 0, 0},
        {"agent", 0, CLI_STRING, &o.agent, "ID", "list the contexts this agent is for", 0, 0},
        {"cell", 0, CLI_SIZE, &cell, "N", "of this cell alone (default: all together)", 0, 1e6},
        CLI_SAFE_CSV(safe_csv),
        CLI_NEW_REQUESTS(new_requests),
        {0}};
    struct cli_arguments rest;
    struct regret_recommendation answer = {0};
    struct regret_results *run = NULL;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    int code = 0;
    if (cli_parse(&rest, &code, self, options, 0, 1, argc, argv)) {
        return code;
    }
    if (new_requests_are_wanted(&new_requests)) {
        const struct new_requests_output output = {cell, word, json, safe_csv};
        return new_requests_run(&new_requests, rest.count > 0 ? rest.items[0] : NULL, &output);
    }
    if (rest.count == 0) {
        return cli_usage_error("recommend: give a RUN (see regret recommend --help)");
    }
    if (word != NULL || json) {
        word = cli_format(word, json);
        if (word == NULL) {
            return CLI_USAGE;
        }
        o.format = format_of(word);
    }
    o.one_cell = cell != REGRET_NO_ROW;
    o.cell = cell;
    int rc;
    TRY_CLEANUP(regret_results_read(&run, rest.items[0]));
    rc = regret_recommend(&text, &answer, run, &o);
cleanup:
    regret_results_free(run);
    code = cli_print_csv(&text, rc, safe_csv && o.format == REGRET_RECOMMEND_CSV);
    return exit_code(code, &answer, o.format);
}

const struct cli_command cmd_recommend = {
    .name = "recommend",
    .synopsis = "RUN [--tag TAG] [--context ID] [--agent ID] [--cell N]\n"
                "[--format text|md|csv|json] [--safe-csv] [--new FILE] [--model PATH]",
    .summary = "which agent to use for what, as far as a run can tell",
    .detail =
        "Which of three rules the run supports: everything to one agent; one agent by tag; or\n"
        "by request, the choice of a family. Of those that beat an agent at random for certain\n"
        "the answer is the simplest that no richer one beats, by the gain on held-out contexts\n"
        "with intervals by seeds and contexts both (what new requests of this kind may show),\n"
        "and what it gains over the best single agent by\n"
        "log (best-obs) and by experiment (best-exp). With it come all cautions of the run.\n"
        "Where no rule is better for certain than an agent at random it says that it cannot\n"
        "tell, about how much data would, and exits with 3 (text and md; csv and json: 0).\n"
        "csv, json and md list every context that was held out: the agent that each family\n"
        "recommends most often, the baselines, and the vote of the families that are not\n"
        "separable from the one of lowest regret, with values, and margins over the best\n"
        "single agents.\n"
        "Cells of different contexts or agents are not taken together: --cell N chooses one.\n"
        "The rewards are those of the pool, which knows them for every context and agent.\n"
        "--new FILE recommends for requests that no agent has answered (columns text or prompt;\n"
        "id, tag and own columns of the run's table where there are), a line each: agent, value\n"
        "and its 95 % interval, margin over the best single agent. A model of tag, words and\n"
        "own columns is made of the pool at first use and kept in RUN; with --model PATH neither\n"
        "run nor pool is needed. Where it is not separably better than the best single agent,\n"
        "that one is recommended.",
    .examples =
        "regret recommend runs/mine\n"
        "regret recommend runs/mine --tag code\n"
        "regret recommend runs/mine --cell 0 --format csv > recommended.csv\n"
        "regret recommend runs/mine --json\n"
        "regret recommend runs/mine --new prompts.csv > who.csv\n"
        "regret recommend --model runs/mine/model.regret --new - --format json < prompts.csv",
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
