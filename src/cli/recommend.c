/* `regret recommend`: which agent to use, by a table of scores or by a log and a trial. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/input.h"
#include "base/status.h"
#include "base/text.h"
#include "cli/internal.h"
#include "model/model.h"
#include "recommend/recommend.h"
#include "regret/buffer.h"
#include "regret/evaluate.h"
#include "regret/pool.h"
#include "regret/status.h"

FREED_POINTER(struct regret_model, regret_model_free)
FREED_POINTER(struct regret_pool, regret_pool_free)
FREED_POINTER(struct regret_log, regret_log_free)
FREED_POINTER(struct regret_evaluation, regret_evaluation_free)

/* New requests. */
struct new_requests {
    const char *from;            /* a table of them, or "-" */
    const char *model, *save;    /* files of models */
    const char *text, *id, *tag; /* columns */
    const char *input;           /* the table's format; NULL: by its name */
    int json, safe_csv;
    size_t threads;
};

/* What is wanted. */
struct wanted {
    const char *data, *folder, *incumbent, *format;
    double worse;         /* NaN: not said */
    char *model, *reason; /* of a log: where its model is; of none, where it can tell; owned */
    int json, quiet, is_table;
    size_t threads;
    struct column_options columns;
    struct new_requests new_requests;
    struct regret_evaluation_files files;
    struct progress progress;
};

/* ---------------------------------------------------------------- new requests */

/* Words about a model, for people: what was asked for, or said beside it. */
static int say_model(int is_asked, const struct regret_model *model)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_model_describe(&text, model);
    TRY(regret_buffer_status(&text));
    if (is_asked) {
        return cli_write(regret_buffer_get(&text), text.length);
    }
    cli_say("%.*s", (int)strcspn(regret_buffer_get(&text), "\n"), regret_buffer_get(&text));
    return REGRET_OK;
}

/* A folder of an answer has no model where nothing can be told: that says more than that there is no such file. */
static int check_model(const char *path)
{
    char *result = NULL;
    int rc = REGRET_OK;
    TRY(path_beside(&result, path, "result.json"));
    if (input_is_absent(path) && regret_file_exists(result)) {
        rc =
            regret_fail(REGRET_E_INPUT,
                        "there is no %s: 'regret recommend' makes none where it cannot tell who is "
                        "better, or where requests are too few (its verdict: %s)",
                        path, result);
    }
    regret_free(result);
    return rc;
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
    for (size_t j = 0; j < model->map.n_own; j++) {
        if (told->unknown[j] > 0) {
            cli_say("%zu of %zu requests do not tell the column %s, or a word of it that the model "
                    "never "
                    "saw (note unknown-column): they are answered as at its mean",
                    told->unknown[j], told->n, model->map.own[j].name);
        }
        if (told->far[j] > 0) {
            cli_say(
                "%zu of %zu requests have the column %s beyond all that the model has seen (note "
                "far-column): they are answered as at the nearest",
                told->far[j], told->n, model->map.own[j].name);
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

static int answer_requests(const struct regret_model *model, const struct new_requests *call)
{
    const struct regret_requests_options options = {
        .path = call->from,
        .is_json = call->input == NULL ? -1 : call->input[0] == 'j',
        .separator = call->input != NULL && call->input[0] == 't' ? '\t' : '\0',
        .text = call->text,
        .id = call->id,
        .tag = call->tag,
        .json_out = call->json,
        .safe_csv = call->safe_csv,
        .threads = call->threads};
    struct regret_requests_told told = {0};
    TRY(regret_requests_answer(&told, model, &options, write_out, NULL));
    cli_say("values are from 0, the worst outcome, to 1, the best, whatever the scale of the data "
            "was");
    say_told(&told, model);
    return REGRET_OK;
}

/* By the model that was made, or NULL: by the one that is named. */
static int new_requests_answer(const struct new_requests *call, struct regret_model *made)
{
    FREED_BY(regret_model_free_at) struct regret_model *read = NULL;
    if (call->model != NULL) {
        TRY(check_model(call->model));
        TRY(regret_model_read(&read, call->model));
    }
    const struct regret_model *model = call->model != NULL ? read : made;
    if (model == NULL) {
        return regret_fail(REGRET_E_INTERNAL, "there is no model");
    }
    TRY(call->save != NULL ? regret_model_write(model, call->save) : REGRET_OK);
    if (call->from == NULL) {
        return say_model(call->save == NULL, model);
    }
    TRY(made != NULL ? say_model(0, model) : REGRET_OK);
    if (!model->told) {
        cli_say("CANNOT TELL: what the model was made of tells no agent from another, so these may "
                "be as good as any");
    }
    return answer_requests(model, call);
}

/* ---------------------------------------------------------------- a log and a trial */

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
    TRY(regret_evaluate_options_read(&options, families, w->data));
    options.threads = w->threads > 0 ? w->threads : regret_processor_count();
    TRY(regret_blas_check_threads(options.threads)); /* before any work */
    options.step = on_step;
    options.step_context = w;
    on_step(w, "reading the tables", 0, 0);
    TRY(regret_log_read(&log, w->data));
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

/* The answer of a configuration of a log and a trial. */
static int recommend_log(struct wanted *w)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    enum regret_verdict verdict = REGRET_VERDICT_CANNOT_TELL;
    progress_begin(&w->progress, !w->quiet, w->threads);
    w->progress.steps = w->folder != NULL ? 5 : 4;
    int rc = evaluate(&text, &verdict, w);
    progress_end(&w->progress);
    int code = cli_print(&text, rc);
    if (code == CLI_OK && w->folder != NULL) {
        say_written(w, verdict);
    }
    regret_free(w->model);
    regret_free(w->reason);
    return code == CLI_OK && !w->json && verdict == REGRET_VERDICT_CANNOT_TELL ? CLI_CANNOT_TELL
                                                                               : code;
}

/* ---------------------------------------------------------------- a table of scores */

/* --score all. */
static int is_all(const struct cli_list *score)
{
    return score->count == 1 && strcmp(score->items[0], "all") == 0;
}

/* Which component of a pool is meant: the one that --score names, or all. The scores of a table that are named are all of its pool. */
static int choose_component(size_t *out, const struct regret_pool *pool, const struct wanted *w)
{
    const char *names[REGRET_POOL_MAX_COMPONENTS];
    const struct cli_list *score = &w->columns.score;
    for (size_t k = 0; k < pool->n_components; k++) {
        names[k] = pool->components[k].name;
    }
    *out = REGRET_EACH_COMPONENT;
    if (w->is_table || score->count == 0 || is_all(score)) {
        return REGRET_OK;
    }
    *out = score->count == 1 ? name_find(names, pool->n_components, score->items[0])
                             : pool->n_components;
    return *out < pool->n_components
               ? REGRET_OK
               : name_unknown("score", score->items[0], names, pool->n_components);
}

/* Of a pool with several scores: who is best by each, and the command that settles which counts. */
static int ask_score(struct regret_buffer *out, const struct regret_pool *pool,
                     struct column_options *columns)
{
    regret_buffer_append(out, "It has several scores. Which one counts?\n");
    for (size_t k = 0; k <= pool->n_components; k++) {
        FREED_BY(score_table_free) struct score_table s = {0};
        FREED_BY(answer_free) struct answer a = {0};
        const struct answer_options o = {
            .incumbent = REGRET_NO_AGENT, .level = 0.0, .divisions = 0};
        const char *name = k < pool->n_components ? pool->components[k].name : "all";
        TRY(score_table_of_pool(&s, pool, k < pool->n_components ? k : REGRET_EACH_COMPONENT));
        TRY(answer_lead(&a, &s, &o));
        regret_buffer_append(out, "  ");
        column_options_command(out, columns, "--score");
        regret_buffer_append(out, " --score ");
        shell_word(out, name);
        regret_buffer_printf(out, "      # %s leads by it\n",
                             a.all.best < s.m ? a.agent[a.all.best] : "nobody");
    }
    return regret_buffer_status(out);
}

static int find_incumbent(size_t *out, const struct score_table *s, const char *name)
{
    *out = REGRET_NO_AGENT;
    if (name == NULL) {
        return REGRET_OK;
    }
    *out = name_find((const char *const *)s->agent, s->m, name);
    return *out < s->m ? REGRET_OK
                       : name_unknown("agent", name, (const char *const *)s->agent, s->m);
}

static int say(struct regret_buffer *out, const struct wanted *w, const struct answer *a)
{
    return w->json                         ? answer_json(out, a)
           : strcmp(w->format, "csv") == 0 ? answer_csv(out, a)
                                           : answer_text(out, a, ANSWER_SCREEN);
}

/* The model of new requests, of the rule that is told, or likely. */
static int make_model(struct regret_model **out, const struct answer *a,
                      const struct regret_pool *pool)
{
    const struct model_options options = {
        .rule = a->likely, .told = !answer_is_open(a), .digest = pool->digest};
    return regret_model_make(out, a->s, &options);
}

/* Prints, and writes the folder; votes have no model of new requests. */
static int tell(struct regret_buffer *out, const struct wanted *w, const struct answer *a,
                const struct regret_pool *pool)
{
    FREED_BY(regret_model_free_at) struct regret_model *model = NULL;
    TRY(say(out, w, a));
    if (w->folder == NULL) {
        return REGRET_OK;
    }
    TRY(answer_is_open(a) || a->s->votes != NULL ? REGRET_OK : make_model(&model, a, pool));
    return answer_write(w->folder, a, model, w->files.replace);
}

/* Answers, or names who should answer new requests; *open: nothing can be told. */
static int recommend_pool(struct regret_buffer *out, int *open, const struct wanted *w,
                          const struct regret_pool *pool, size_t component)
{
    const struct new_requests *n = &w->new_requests;
    FREED_BY(score_table_free) struct score_table s = {0};
    FREED_BY(answer_free) struct answer a = {0};
    FREED_BY(regret_model_free_at) struct regret_model *model = NULL;
    struct answer_options o = ANSWER_OPTIONS_INIT;
    TRY(score_table_of_pool(&s, pool, component));
    TRY(find_incumbent(&o.incumbent, &s, w->incumbent));
    o.threads = w->threads;
    o.worse = w->worse / fabs(s.one - s.zero);
    TRY(answer_make(&a, &s, &o));
    if (n->from == NULL && n->save == NULL) {
        *open = answer_is_open(&a);
        return tell(out, w, &a, pool);
    }
    TRY(make_model(&model, &a, pool));
    return new_requests_answer(n, model);
}

static void on_bad_row(void *context, const char *message)
{
    (void)context;
    cli_say("left out: %s", message);
}

/* Lines to stderr, of which those that begin with a blank belong to the one before. */
static void say_lines(const char *lines)
{
    for (const char *p = lines; *p != '\0';) {
        size_t length = strcspn(p, "\n");
        if (p[0] == ' ' || length == 0) {
            fprintf(stderr, "%.*s\n", (int)length, p);
        } else {
            cli_say("%.*s", (int)length, p);
        }
        p += length + (p[length] == '\n');
    }
}

/* Reads the data and says what was taken for what, or prints the question that the columns leave open; an exit code. */
static int read_data(struct regret_pool **out, struct wanted *w)
{
    FREED_BY(data_source_free)
    struct data_source d = {.path = w->data, .known = &w->columns.known, .note = on_bad_row};
    FREED_BY(regret_buffer_free) struct regret_buffer asked = REGRET_BUFFER_INIT;
    if (is_all(&w->columns.score)) {
        w->columns.known.score.n = 0; /* of a table, as many as there are */
    }
    int rc = pool_of_data(out, &d), code = cli_report(rc);
    w->is_table = d.table.rows > 0 && w->columns.score.count > 0;
    say_lines(code == CLI_OK && !w->quiet ? regret_buffer_get(&d.said) : "");
    if (rc == REGRET_E_INPUT && d.table.is_asked) {
        init_question_print(&asked, &d.table, column_options_command, &w->columns);
        fputs(regret_buffer_get(&asked), stderr);
    }
    return code;
}

/* Several scores of which none is named are a question, too. */
static int choose_or_ask(size_t *component, const struct regret_pool *pool, struct wanted *w)
{
    FREED_BY(regret_buffer_free) struct regret_buffer asked = REGRET_BUFFER_INIT;
    if (pool->n_components == 1 || w->columns.score.count > 0) {
        return cli_report(choose_component(component, pool, w));
    }
    int code = cli_report(ask_score(&asked, pool, &w->columns));
    fputs(regret_buffer_get(&asked), stderr);
    return code == CLI_OK ? CLI_USAGE : code;
}

static int recommend_data(struct wanted *w)
{
    FREED_BY(regret_pool_free_at) struct regret_pool *pool = NULL;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    size_t component;
    int open = 0, code = read_data(&pool, w);
    code = code == CLI_OK ? choose_or_ask(&component, pool, w) : code;
    if (code != CLI_OK) {
        return code;
    }
    code = cli_print(&text, recommend_pool(&text, &open, w, pool, component));
    if (code == CLI_OK && w->folder != NULL && w->new_requests.from == NULL) {
        cli_say("wrote %s", w->folder);
    }
    return code == CLI_OK && open && strcmp(w->format, "text") == 0 && !w->json ? CLI_CANNOT_TELL
                                                                                : code;
}

/* ---------------------------------------------------------------- the command */

static int check_usage(struct wanted *w)
{
    const struct new_requests *n = &w->new_requests;
    if ((w->data == NULL) == (n->model == NULL)) {
        return cli_usage_error("recommend: give DATA, or a model of new requests by --model PATH");
    }
    if (w->data != NULL && strcmp(w->data, "-") == 0) {
        return cli_usage_error("recommend reads the data several times: give a file, not a pipe");
    }
    if (w->json && w->format != NULL) {
        return cli_usage_error("give --json or --format, not both");
    }
    w->format = w->format != NULL ? w->format : n->from != NULL ? "csv" : "text";
    w->json |= strcmp(w->format, "json") == 0;
    w->threads = w->threads == 0 ? regret_processor_count() : w->threads;
    w->new_requests.threads = w->threads;
    w->new_requests.json = w->json;
    w->new_requests.safe_csv = w->files.safe_csv;
    return column_options_take(&w->columns);
}

static int run_recommend(const struct cli_command *self, int argc, char **argv)
{
    struct wanted w = {.worse = NAN, .columns = {.argc = argc, .argv = argv}};
    struct new_requests *n = &w.new_requests;
    const struct cli_option options[] = {
        CLI_OPTION(
            "out", 'o', CLI_STRING, &w.folder, "DIR",
            "write answer.html, answer.txt, agents.csv, result.json and a model of new requests"),
        CLI_FLAG_OPTION("force", 0, &w.files.replace, "replace an earlier answer at DIR"),
        CLI_OPTION("format", 'f', CLI_STRING, &w.format, "text|csv|json",
                   "what is printed (default text; csv of new requests)"),
        CLI_JSON(w.json),
        CLI_OPTION("incumbent", 0, CLI_STRING, &w.incumbent, "AGENT",
                   "the one that is used today: stay or switch?"),
        {"at-most-worse", 0, CLI_DOUBLE, &w.worse, "AMOUNT",
         "name a cheaper agent that is at most so much worse", 0, 1e300},
        CLI_COLUMNS(w.columns),
        CLI_OPTION("new", 0, CLI_STRING, &n->from, "FILE",
                   "recommend for the new requests of this table (- standard input)"),
        CLI_OPTION("new-format", 0, CLI_STRING, &n->input, "csv|tsv|jsonl",
                   "what FILE is (default by its name; csv of standard input)"),
        CLI_OPTION("new-text", 0, CLI_STRING, &n->text, "COLUMN",
                   "the column of texts in FILE (default by its name)"),
        CLI_OPTION("new-id", 0, CLI_STRING, &n->id, "COLUMN", "that of ids"),
        CLI_OPTION("new-tag", 0, CLI_STRING, &n->tag, "COLUMN", "that of tags"),
        CLI_OPTION("model", 0, CLI_STRING, &n->model, "PATH", "by this model, made before"),
        CLI_OPTION("save-model", 0, CLI_STRING, &n->save, "PATH",
                   "keep the model of new requests here"),
        CLI_FLAG_OPTION("details", 0, &w.files.details,
                        "of a log: also write rows.csv, what every number was made of"),
        CLI_FLAG_OPTION("quiet", 'q', &w.quiet, "no progress"),
        CLI_SAFE_CSV(w.files.safe_csv),
        {"threads", 't', CLI_THREADS, &w.threads, "N", "threads (default: all processors)", 1,
         1024},
        {0}};
    struct cli_arguments rest;
    int code = 0, is_log = 0;
    if (cli_parse(&rest, &code, self, options, 0, 1, argc, argv)) {
        return code;
    }
    w.data = rest.count > 0 ? rest.items[0] : NULL;
    code = check_usage(&w);
    if (code == CLI_OK && w.data != NULL) {
        code = cli_report(data_is_log_config(&is_log, w.data));
    }
    return code != CLI_OK   ? code
           : w.data == NULL ? cli_report(new_requests_answer(n, NULL))
           : is_log         ? recommend_log(&w)
                            : recommend_data(&w);
}

const struct cli_command cmd_recommend = {
    .name = "recommend",
    .synopsis = "DATA [-o DIR] [options]",
    .summary = "which agent to use, for what, and how sure that is",
    .detail =
        "DATA is a table of scores (CSV, JSONL), results of a harness, a pool, or evaluate.json,\n"
        "which names a log in which users or a router chose and a trial in which chance did\n"
        "(`regret init --obs LOG --exp TRIAL` writes it). Columns that are certain are taken,\n"
        "and it says for what; of others it asks, and exits with 2.\n"
        "The answer is one agent for everything, one by category, one by request, or that there\n"
        "is not enough data to tell, always with the set of agents that may be the best. Agents\n"
        "are compared on the same requests; gains and scores are of requests that the choice was\n"
        "not learnt on. Of a log first comes what says no: whether the log lies, whether the\n"
        "trial is one. Values rest on the trial; the log sharpens what corrects them.\n"
        "Exits with 3 where nothing can be told (csv and json: 0).\n"
        "--new FILE recommends for requests that no agent has answered (columns text or prompt;\n"
        "id, tag and own columns of the table where there are), a line each: agent, value and its\n"
        "95 % interval, margin over the best single agent. With --model PATH no DATA is needed.",
    .examples = "regret recommend scores.csv -o answer\n"
                "regret recommend my/pool --score faithful --incumbent gpt-4o-mini\n"
                "regret recommend evaluate.json -o answer --details\n"
                "regret recommend my/pool --new prompts.csv > who.csv\n"
                "regret recommend --model answer/model.regret --new - --json < prompts.csv",
    .run = run_recommend,
};
