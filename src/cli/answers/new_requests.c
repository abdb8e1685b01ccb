#include "cli/answers/new_requests.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/core/try.h"
#include "base/files/input.h"
#include "base/text/path.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/json.h"
#include "regret/model.h"
#include "regret/parallel.h"
#include "regret/report.h"
#include "regret/results.h"

int new_requests_are_wanted(const struct new_requests *n)
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

int new_requests_run(const struct new_requests *wanted, const char *run,
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
