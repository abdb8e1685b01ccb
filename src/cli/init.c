/* `init`: a map or an evaluate.json from a file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/input.h"
#include "base/status.h"
#include "base/text.h"
#include "cli/internal.h"
#include "import/importer.h"
#include "import/init.h"
#include "log/guess.h"
#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/status.h"

FREED_POINTER(struct regret_pool, regret_pool_free)

struct init {
    const char *table, *folder;
    const char *outcome, *obs, *exp, *outputs; /* of a log */
    struct column_options columns;
    int force;
};

/* ---------------------------------------------------------------- a log */

static void say_next(struct regret_buffer *out, const struct init *o)
{
    regret_buffer_append(out, "\nWrote ");
    regret_buffer_append_safe(out, o->folder, 200);
    regret_buffer_append(out, ". Look at it, then:\n\n  regret recommend ");
    shell_word(out, o->folder);
    regret_buffer_append(out, " -o ");
    shell_word(out, "evaluated");
    regret_buffer_append_char(out, '\n');
}

/* A message that calls the configuration by its other name; this one is what the user has said. */
static int name_config(const struct init *o, const char *path)
{
    FREED_BY(regret_buffer_free) struct regret_buffer said = REGRET_BUFFER_INIT;
    const char *message = regret_error_message(), *at = strstr(message, path);
    regret_buffer_append_n(&said, message, at != NULL ? (size_t)(at - message) : strlen(message));
    if (at != NULL) {
        regret_buffer_append(&said, o->folder);
        regret_buffer_append(&said, at + strlen(path));
    }
    TRY(regret_buffer_status(&said));
    return regret_fail(REGRET_E_INPUT, "%s", regret_buffer_get(&said));
}

/* The configuration is tried where it will stand, by another name: its paths begin there. */
static int write_tried(struct log_guess *guess, const struct init *o, const char *const *file)
{
    struct regret_buffer trial = REGRET_BUFFER_INIT, text = REGRET_BUFFER_INIT;
    int rc;
    regret_buffer_printf(&trial, "%s.partial-%ld", o->folder, (long)getpid());
    TRY_CLEANUP(regret_buffer_status(&trial));
    const char *path = regret_buffer_get(&trial);
    log_guess_config(&text, guess, file);
    TRY_CLEANUP(regret_buffer_status(&text));
    TRY_CLEANUP(regret_file_write(path, regret_buffer_get(&text), text.length));
    rc = log_guess_try(guess, path);
    remove(path);
    TRY_CLEANUP(rc == REGRET_E_INPUT ? name_config(o, path) : rc);
    regret_buffer_clear(&text);
    log_guess_config(&text, guess, file);
    TRY_CLEANUP(regret_buffer_status(&text));
    rc = (o->force ? regret_file_write : regret_file_write_new)(o->folder, regret_buffer_get(&text),
                                                                text.length);
cleanup:
    regret_buffer_free(&trial);
    regret_buffer_free(&text);
    return rc;
}

static int write_config(struct log_guess *guess, const struct init *o)
{
    const char *const path[LOG_INPUTS] = {o->obs, o->exp, o->outputs};
    char *file[LOG_INPUTS] = {NULL};
    int rc;
    for (int i = 0; i < LOG_INPUTS; i++) {
        TRY_CLEANUP(path[i] != NULL ? log_guess_file(&file[i], path[i], o->folder) : REGRET_OK);
    }
    rc = write_tried(guess, o, (const char *const *)file);
cleanup:
    for (int i = 0; i < LOG_INPUTS; i++) {
        regret_free(file[i]);
    }
    return rc;
}

/* Writes the configuration and says what was assumed; nothing is written where the log cannot be read by it. */
static int init_log(struct log_guess **guess, const struct init *o)
{
    const char *const path[LOG_INPUTS] = {o->obs, o->exp, o->outputs};
    FREED_BY(regret_buffer_free) struct regret_buffer said = REGRET_BUFFER_INIT;
    if (!o->force && !input_is_absent(o->folder)) {
        return regret_fail(REGRET_E_INPUT, "%s is there already; --force replaces it", o->folder);
    }
    TRY(log_guess_make(guess, path, &o->columns.known, o->outcome));
    TRY(write_config(*guess, o));
    log_guess_explain(&said, *guess);
    say_next(&said, o);
    TRY(regret_buffer_status(&said));
    fputs(regret_buffer_get(&said), stdout);
    return REGRET_OK;
}

static void say_run(struct regret_buffer *out, const char *pool, const char *of, const char *folder)
{
    shell_path(out, "\n  regret recommend ", pool, of);
    regret_buffer_append(out, "      # which agent to use");
    shell_path(out, "\n  regret cost ", folder, "/config.json");
    shell_path(out, "      # how long it will take\n  regret run ", folder, "/config.json");
    shell_path(out, " -o ", folder, "/run");
    regret_buffer_append(out, "      # families and regret\n");
}

/* How to go on, in words for a shell. */
static void say_import(struct regret_buffer *out, const struct init *o, const struct init_table *t)
{
    shell_path(out, "\nWrote ", o->folder, "/map.json");
    shell_path(out, " and ", o->folder, "/config.json");
    regret_buffer_printf(out, ". Look at the map, then:\n\n  regret import %s ",
                         t->is_json ? "jsonl" : "csv");
    shell_word(out, o->table);
    init_options(out, t);
    shell_path(out, " --map ", o->folder, "/map.json");
    shell_path(out, " -o ", o->folder, "/pool");
    say_run(out, o->folder, "/pool", o->folder);
}

static int write_pool_config(struct regret_buffer *said, const struct init *o)
{
    FREED_BY(regret_buffer_free) struct regret_buffer config = REGRET_BUFFER_INIT;
    FREED_BY(regret_pool_free_at) struct regret_pool *pool = NULL;
    FREED char *path = NULL, *from = NULL;
    FREED_BY(regret_staging_abandon) struct regret_staging staging = REGRET_STAGING_INIT;
    TRY(regret_pool_read(&pool, o->table));
    TRY(regret_folder_create(o->folder));
    TRY(init_begin(&staging, o->folder, o->force));
    TRY(regret_path_join(&path, o->folder, "config.json"));
    TRY(log_guess_file(&from, o->table, path));
    const struct practice practice = practice_of(pool, from);
    practice_config(&config, &practice);
    TRY(regret_file_write_text(staging.partial, "config.json", &config));
    TRY(regret_staging_commit_files(&staging));
    shell_path(said, "Wrote ", o->folder, "/config.json");
    regret_buffer_append(said, ". Next:\n");
    say_run(said, o->table, "", o->folder);
    return REGRET_OK;
}

/* Of a pool, which says by itself what stands where. */
static int init_pool(const struct init *o)
{
    FREED_BY(regret_buffer_free) struct regret_buffer said = REGRET_BUFFER_INIT;
    TRY(write_pool_config(&said, o));
    TRY(regret_buffer_status(&said));
    fputs(regret_buffer_get(&said), stdout);
    return REGRET_OK;
}

/* ---------------------------------------------------------------- what columns are */

/* 1 where a word of the command is the option, "--score" or "--score=x". */
static int is_option(const char *word, const char *option)
{
    size_t n = strlen(option);
    return strncmp(word, option, n) == 0 && (word[n] == '\0' || word[n] == '=');
}

void column_options_command(struct regret_buffer *out, void *options, const char *without)
{
    const struct column_options *o = options;
    regret_buffer_append(out, "regret");
    for (int i = 0; i < o->argc; i++) {
        if (!is_option(o->argv[i], without)) {
            regret_buffer_append_char(out, ' ');
            shell_word(out, o->argv[i]);
        } else {
            i += strchr(o->argv[i], '=') == NULL;
        }
    }
}

/* More are refused where they are looked at. */
static void take_list(struct init_names *out, const struct cli_list *list)
{
    for (; out->n < list->count && out->n < INIT_NAMES; out->n++) {
        out->item[out->n] = list->items[out->n];
    }
    out->is_too_long = list->count > INIT_NAMES;
}

/* WORST:BEST. */
static int read_range(double out[2], const char *text)
{
    char *end = NULL;
    out[0] = strtod(text, &end);
    const char *second = end != text && *end == ':' ? end + 1 : "";
    out[1] = strtod(second, &end);
    return end != second && *end == '\0' && isfinite(out[1] - out[0]) && out[0] != out[1];
}

int column_options_take(struct column_options *c)
{
    struct init_known *known = &c->known;
    known->is_wide = c->layout != NULL && strcmp(c->layout, "wide") == 0;
    known->is_long = c->layout != NULL && !known->is_wide;
    known->range = c->scale != NULL ? c->range : NULL;
    take_list(&known->context, &c->context);
    take_list(&known->agent, &c->agent);
    take_list(&known->agents, &c->agents);
    take_list(&known->score, &c->score);
    take_list(&known->better, &c->better);
    take_list(&known->worse, &c->worse);
    take_list(&known->leave, &c->leave);
    take_list(&known->covariate, &c->covariate);
    if (c->scale != NULL && !read_range(c->range, c->scale)) {
        return cli_usage_error("--range is two numbers, the worst and the best, such as 1:5, or "
                               "4:1 of ranks, not \"%s\"",
                               c->scale);
    }
    return c->separator != NULL ? cli_read_character(&known->separator, "separator", c->separator)
                                : CLI_OK;
}

/* ---------------------------------------------------------------- a table */

static int init(const struct init *o, struct init_table *t)
{
    FREED_BY(regret_buffer_free) struct regret_buffer explained = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer said = REGRET_BUFFER_INIT;
    TRY(init_table_read(t, o->table, &o->columns.known));
    TRY(init_decide(t));
    TRY(init_write(t, o->folder, o->force));
    init_explain(&explained, t, 1);
    TRY(regret_buffer_status(&explained));
    text_wrap_wide(&said, regret_buffer_get(&explained), SCREEN_MOST);
    say_import(&said, o, t);
    TRY(regret_buffer_status(&said));
    fputs(regret_buffer_get(&said), stdout);
    return REGRET_OK;
}

/* A table, or the question that its columns leave open. */
static int init_of_table(struct init *o)
{
    FREED_BY(init_table_free) struct init_table t = {0};
    FREED_BY(regret_buffer_free) struct regret_buffer asked = REGRET_BUFFER_INIT;
    int rc = init(o, &t), code = cli_report(rc);
    if (rc == REGRET_E_INPUT && t.is_asked) {
        init_question_print(&asked, &t, column_options_command, &o->columns);
        fputs(regret_buffer_get(&asked), stderr);
    }
    return code;
}

static int is_log(const struct init *o)
{
    return o->obs != NULL || o->exp != NULL;
}

/* What does not go together. */
static int check_options(const struct init *o)
{
    if (is_log(o) ? o->table != NULL : o->table == NULL) {
        return cli_usage_error(o->table == NULL
                                   ? "give a table, or a log by --obs and a trial by --exp"
                                   : "give a table, or --obs and --exp, not both");
    }
    if (o->folder == NULL) {
        return cli_usage_error(is_log(o) ? "say where to write: -o evaluate.json"
                                         : "say where to write: -o DIR");
    }
    if (is_log(o) ? o->columns.layout != NULL : o->outputs != NULL || o->outcome != NULL) {
        return cli_usage_error(is_log(o)
                                   ? "a log has a row an answer: leave out --layout"
                                   : "--outputs and --outcome are of a log: give --obs or --exp");
    }
    const char *files[] = {o->table, o->obs, o->exp, o->outputs};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i] != NULL && strcmp(files[i], "-") == 0) {
            return cli_usage_error("init reads the table several times: give a file, not a pipe");
        }
    }
    if (o->columns.layout != NULL && strcmp(o->columns.layout, "wide") == 0 &&
        o->columns.agent.count > 0) {
        return cli_usage_error("a wide table has a column an agent: leave out --agent or --layout");
    }
    return CLI_OK;
}

/* A log, or the question that its columns leave open. */
static int init_of_log(struct init *o)
{
    struct log_guess *guess = NULL;
    FREED_BY(regret_buffer_free) struct regret_buffer asked = REGRET_BUFFER_INIT;
    int rc = init_log(&guess, o), code = cli_report(rc);
    if (rc == REGRET_E_INPUT && log_guess_asked(guess) != NULL) {
        init_question_print(&asked, log_guess_asked(guess), column_options_command, &o->columns);
        fputs(regret_buffer_get(&asked), stderr);
    }
    log_guess_free(guess);
    return code;
}

static int init_either(struct init *o)
{
    return is_log(o)                    ? init_of_log(o)
           : regret_is_folder(o->table) ? cli_report(init_pool(o))
                                        : init_of_table(o);
}

static int run_init(const struct cli_command *self, int argc, char **argv)
{
    struct init o = {.columns = {.argc = argc, .argv = argv}};
    const struct cli_option options[] = {
        CLI_OPTION("output", 'o', CLI_STRING, &o.folder, "DIR",
                   "the folder to write, of a log the file evaluate.json (required)"),
        CLI_OPTION("obs", 0, CLI_STRING, &o.obs, "LOG", "a log: who answered, and how good it was"),
        CLI_OPTION("exp", 0, CLI_STRING, &o.exp, "TRIAL", "a trial: the same, assigned at random"),
        CLI_OPTION(
            "outputs", 0, CLI_STRING, &o.outputs, "FILE",
            "of a log: requests to recommend for, with what agents answer where it is known"),
        CLI_COLUMNS(o.columns),
        CLI_OPTION("outcome", 0, CLI_STRING, &o.outcome, "COLUMN",
                   "of a log, the one that says how good the answer was"),
        CLI_FLAG_OPTION("force", 'f', &o.force, "replace a map and a configuration that are there"),
        {0}};
    struct cli_arguments rest;
    int code = 0;
    if (cli_parse(&rest, &code, self, options, 0, 1, argc, argv)) {
        return code;
    }
    o.table = rest.count > 0 ? rest.items[0] : NULL;
    code = check_options(&o);
    code = code == CLI_OK ? column_options_take(&o.columns) : code;
    return code != CLI_OK ? code : init_either(&o);
}

const struct cli_command cmd_init = {
    .name = "init",
    .synopsis = "DATA -o DIR | --obs LOG --exp TRIAL -o FILE [options]",
    .summary = "a map and a configuration for a table of your own, or for a log and a trial",
    .detail =
        "Looks at a CSV or JSONL file with a row an output, a row a context and columns of every\n"
        "agent, or a row a vote. A column is taken for a context, an agent, a text, a score, a "
        "cost\n"
        "or a tag where its name says so and its contents agree. Anything else it asks: it prints\n"
        "the columns, what each could be, and commands that settle it, and exits with 2. Else it\n"
        "writes DIR/map.json for regret import and DIR/config.json, a sweep of a size that suits\n"
        "the table, and says what to run next. Of a pool's folder it writes config.json alone.\n"
        "Fields of JSON that lie deep are named by their paths (scores.judge).\n"
        "Of a log (--obs), in which users or a router chose, and a trial (--exp), in which chance\n"
        "did, it writes evaluate.json for regret recommend, by the same rules; one of both is "
        "enough.",
    .examples =
        "regret init scores.csv -o my\nregret init scores.tsv --separator tab -o my --force\n"
        "regret init judgements.jsonl -o my\n"
        "regret init ratings.csv --context student --agent teacher -o my\n"
        "regret init marks.csv --agents a,b,c --range 1:5 -o my\n"
        "regret init --obs log.csv --exp trial.csv -o evaluate.json",
    .run = run_init,
};
