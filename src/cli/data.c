/* What the columns of a table are, and the pool that data make. */
#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/input.h"
#include "base/json.h"
#include "base/status.h"
#include "base/text.h"
#include "cli/internal.h"
#include "import/init.h"
#include "import/script.h"
#include "regret/pool.h"
#include "regret/status.h"

enum { MOST_OF_CONFIG = 16 << 20 };

FREED_POINTER(cJSON, cJSON_Delete)

/* ---------------------------------------------------------------- options */

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

/* ---------------------------------------------------------------- data */

/* Whoever gives a run is told of its pool. */
static int refuse_run(const char *folder, const char *path)
{
    FREED_BY(regret_buffer_free) struct regret_buffer command = REGRET_BUFFER_INIT;
    FREED_BY(cJSON_Delete_at) cJSON *run = NULL;
    TRY(regret_json_read_file(&run, path));
    const cJSON *config = cJSON_GetObjectItemCaseSensitive(run, "config");
    const char *pool = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(config, "pool"));
    shell_path(&command, "regret recommend ", pool != NULL ? pool : "POOL", "");
    TRY(regret_buffer_status(&command));
    return regret_fail(REGRET_E_INPUT,
                       "%s is a run, which tells of families and regret; recommend takes the data "
                       "that it was made of: %s",
                       folder, regret_buffer_get(&command));
}

int cli_is_log_config(int *is_one, const char *path)
{
    FREED_BY(cJSON_Delete_at) cJSON *root = NULL;
    FREED char *text = NULL;
    size_t length = 0;
    *is_one = 0;
    if (regret_is_folder(path)) {
        return REGRET_OK;
    }
    int rc = regret_file_read(&text, &length, path, MOST_OF_CONFIG);
    rc = rc == REGRET_OK ? regret_json_parse(&root, text, length, (struct regret_place){path, 0})
                         : rc;
    *is_one = cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(root, "obs")) ||
              cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(root, "exp"));
    return rc == REGRET_E_NOMEM ? rc : REGRET_OK;
}

/* Files of ours that are no data: a configuration of a run, a model of new requests. */
static int refuse_own(const char *path)
{
    FREED_BY(cJSON_Delete_at) cJSON *root = NULL;
    FREED char *text = NULL;
    size_t length = 0;
    int rc = regret_file_read(&text, &length, path, MOST_OF_CONFIG);
    rc = rc == REGRET_OK ? regret_json_parse(&root, text, length, (struct regret_place){path, 0})
                         : rc;
    const char *format = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "format"));
    if (format != NULL && strncmp(format, "regret-model", 12) == 0) {
        return regret_fail(REGRET_E_INPUT, "%s is a model of new requests: --model %s --new FILE",
                           path, path);
    }
    if (cJSON_IsString(cJSON_GetObjectItemCaseSensitive(root, "pool"))) {
        return regret_fail(
            REGRET_E_INPUT,
            "%s: \"pool\" is a key of `regret run`, whose configuration this seems to "
            "be; recommend takes the pool itself, or a configuration with \"obs\" or "
            "\"exp\": regret init --obs LOG --exp TRIAL -o evaluate.json",
            path);
    }
    return rc == REGRET_E_NOMEM ? rc : REGRET_OK;
}

static int read_folder(struct regret_pool **out, const char *path)
{
    FREED char *run = NULL;
    TRY(regret_path_join(&run, path, "run.json"));
    TRY(input_is_absent(run) ? REGRET_OK : refuse_run(path, run));
    return regret_pool_read(out, path);
}

static void on_bad_row(void *context, const char *message)
{
    (void)context;
    cli_say("left out: %s", message);
}

/* Results of a harness whose script knows them; *known is 0 where none does. */
static int read_results(struct regret_pool **out, int *known, const char *path)
{
    FREED_BY(script_set_free) struct script_set scripts = {0};
    FREED_BY(regret_buffer_free) struct regret_buffer report = REGRET_BUFFER_INIT;
    FREED void *values = NULL;
    const struct script *script = NULL;
    TRY(script_set_read(&scripts));
    TRY(script_detect(&script, &scripts, &path, 1));
    *known = script != NULL;
    if (script == NULL) {
        return REGRET_OK;
    }
    const struct importer *importer = script_importer(script);
    if (importer->makes_log) {
        return regret_fail(REGRET_E_INPUT,
                           "%s is a log, as `regret %s` knows: import it, then recommend by its "
                           "evaluate.json",
                           path, importer->name);
    }
    TRY(regret_calloc(&values, 1, importer->size, "options"));
    memcpy(values, importer->defaults, importer->size);
    const struct importer_call call = {.importer = importer,
                                       .from = path,
                                       .paths = &path,
                                       .n_paths = 1,
                                       .name = path,
                                       .into = out,
                                       .options = values,
                                       .note = on_bad_row,
                                       .report = &report};
    cli_say("%s is read as `regret %s` does: %s", path, importer->name, importer->summary);
    TRY(importer->run(&call));
    fprintf(stderr, "regret: %s\n", regret_buffer_get(&report));
    return REGRET_OK;
}

/* What its columns were taken for is said where it is done. */
static int read_table(struct regret_pool **out, struct init_table *t, struct column_options *c,
                      const char *path)
{
    FREED_BY(regret_buffer_free) struct regret_buffer explained = REGRET_BUFFER_INIT;
    TRY(init_table_read(t, path, &c->known));
    TRY(init_decide(t));
    TRY(init_into_pool(out, t));
    init_explain(&explained, t);
    TRY(regret_buffer_status(&explained));
    fputs(regret_buffer_get(&explained), stderr);
    fputc('\n', stderr);
    return REGRET_OK;
}

static int pool_of_table(struct regret_pool **out, struct column_options *c, const char *path)
{
    FREED_BY(init_table_free) struct init_table t = {0};
    FREED_BY(regret_buffer_free) struct regret_buffer asked = REGRET_BUFFER_INIT;
    int rc = read_table(out, &t, c, path), code = cli_report(rc);
    if (rc == REGRET_E_INPUT && t.is_asked) {
        init_question_print(&asked, &t, column_options_command, c);
        fputs(regret_buffer_get(&asked), stderr);
    }
    return code;
}

/* 1 where an option says what a column is: then it is a table. */
static int says_columns(const struct column_options *c)
{
    const struct init_known *k = &c->known;
    return c->layout != NULL || k->separator != '\0' || k->context.n > 0 || k->agent.n > 0 ||
           k->agents.n > 0 || k->winner != NULL;
}

int cli_pool_of_data(struct regret_pool **out, struct column_options *columns, const char *path)
{
    int known = 0;
    if (strcmp(path, "-") == 0) {
        return cli_usage_error("the data are read several times: give a file, not a pipe");
    }
    FREED char *pool = NULL, *run = NULL;
    int rc = regret_path_join(&pool, path, "pool.json");
    rc = rc == REGRET_OK ? regret_path_join(&run, path, "run.json") : rc;
    if (rc == REGRET_OK && (!input_is_absent(pool) || !input_is_absent(run))) {
        return cli_report(read_folder(out, path));
    }
    rc = rc == REGRET_OK && !regret_is_folder(path) ? refuse_own(path) : rc;
    rc = rc == REGRET_OK && !says_columns(columns) ? read_results(out, &known, path) : rc;
    if (rc != REGRET_OK || known) {
        return cli_report(rc);
    }
    return regret_is_folder(path)
               ? cli_report(regret_fail(REGRET_E_INPUT,
                                        "%s is a folder without a pool.json, and in none of the "
                                        "formats that are recognised (`regret import --help`)",
                                        path))
               : pool_of_table(out, columns, path);
}
