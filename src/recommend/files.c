/* What an answer is made of, and the folder that it is written to. */
#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/files.h"
#include "base/input.h"
#include "base/json.h"
#include "base/status.h"
#include "base/text.h"
#include "import/script.h"
#include "recommend/recommend.h"
#include "regret/status.h"

/* Of larger files of JSON nobody asks whether they are configurations. */
enum { MOST_OF_CONFIG = 16 << 20 };

FREED_POINTER(cJSON, cJSON_Delete)

/* ---------------------------------------------------------------- files of ours */

/* The JSON of a file that may be one of ours, NULL of any other; for want of memory it fails. */
static int read_own(cJSON **root, const char *path)
{
    FREED char *text = NULL;
    size_t length = 0;
    int rc = regret_file_read(&text, &length, path, MOST_OF_CONFIG);
    TRY(rc == REGRET_E_NOMEM ? rc : REGRET_OK);
    if (text != NULL) {
        rc = regret_json_parse(root, text, length, (struct regret_place){path, 0});
    }
    return rc == REGRET_E_NOMEM ? rc : REGRET_OK;
}

int data_is_log_config(int *is_one, const char *path)
{
    FREED_BY(cJSON_Delete_at) cJSON *root = NULL;
    TRY(regret_is_folder(path) ? REGRET_OK : read_own(&root, path));
    *is_one = cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(root, "obs")) ||
              cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(root, "exp"));
    return REGRET_OK;
}

/* A configuration of a run and a model of new requests are no data. */
static int refuse_own(const char *path)
{
    FREED_BY(cJSON_Delete_at) cJSON *root = NULL;
    TRY(read_own(&root, path));
    const char *format = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "format"));
    if (format != NULL && strncmp(format, "regret-model", 12) == 0) {
        return regret_fail(REGRET_E_INPUT, "%s is a model of new requests: --model %s --new FILE",
                           path, path);
    }
    if (format != NULL && strncmp(format, "regret-answer", 13) == 0) {
        return regret_fail(REGRET_E_INPUT, "%s is an answer; recommend takes the data", path);
    }
    if (cJSON_IsString(cJSON_GetObjectItemCaseSensitive(root, "pool"))) {
        return regret_fail(
            REGRET_E_INPUT,
            "%s: \"pool\" is a key of `regret run`, whose configuration this seems to "
            "be; recommend takes the pool itself, or a configuration with \"obs\" or "
            "\"exp\": regret init --obs LOG --exp TRIAL -o evaluate.json",
            path);
    }
    return REGRET_OK;
}

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

static int read_folder(struct regret_pool **out, const char *path)
{
    FREED char *run = NULL;
    TRY(regret_path_join(&run, path, "run.json"));
    TRY(input_is_absent(run) ? REGRET_OK : refuse_run(path, run));
    return regret_pool_read(out, path);
}

/* ---------------------------------------------------------------- results of a harness */

/* *known is 0 where no script knows them. */
static int read_results(struct regret_pool **out, int *known, struct data_source *d)
{
    FREED_BY(script_set_free) struct script_set scripts = {0};
    FREED void *values = NULL;
    const struct script *script = NULL;
    TRY(script_set_read(&scripts));
    TRY(script_detect(&script, &scripts, &d->path, 1));
    *known = script != NULL;
    if (script == NULL) {
        return REGRET_OK;
    }
    const struct importer *importer = script_importer(script);
    if (importer->makes_log) {
        return regret_fail(REGRET_E_INPUT,
                           "%s is a log, as `regret %s` knows: import it, then recommend by its "
                           "evaluate.json",
                           d->path, importer->name);
    }
    TRY(regret_calloc(&values, 1, importer->size, "options"));
    memcpy(values, importer->defaults, importer->size);
    const struct importer_call call = {.importer = importer,
                                       .from = d->path,
                                       .paths = &d->path,
                                       .n_paths = 1,
                                       .name = d->path,
                                       .into = out,
                                       .options = values,
                                       .note = d->note,
                                       .report = &d->said};
    regret_buffer_printf(&d->said, "Read as `regret %s` does: %s.\n", importer->name,
                         importer->summary);
    int rc = importer->run(&call);
    if (rc == REGRET_E_INPUT) {
        FREED_BY(regret_buffer_free) struct regret_buffer command = REGRET_BUFFER_INIT;
        regret_buffer_printf(&command, "; or import it first: regret %s ", importer->name);
        shell_word(&command, d->path);
        regret_buffer_append(&command, " -o POOL");
        TRY(regret_buffer_status(&command));
        return regret_fail_suffix(rc, "%s", regret_buffer_get(&command));
    }
    return rc;
}

/* ---------------------------------------------------------------- a table */

/* A file of a map, below TMPDIR. */
static int write_map(char **path, const struct init_table *t)
{
    FREED_BY(regret_buffer_free) struct regret_buffer map = REGRET_BUFFER_INIT;
    FREED char *name = NULL;
    const char *file = path_last(t->path), *folder = getenv("TMPDIR");
    TRY(regret_strndup(&name, file, strcspn(file, ".")));
    init_map(&map, t, name);
    folder = folder != NULL && folder[0] != '\0' ? folder : "/var/tmp";
    TRY(regret_path_join(path, folder, "regret-XXXXXX"));
    int fd = mkstemp(*path);
    TRY(fd < 0 || close(fd) != 0 ? io_error("make", *path) : REGRET_OK);
    TRY(regret_buffer_status(&map));
    return regret_file_write(*path, regret_buffer_get(&map), map.length);
}

static void remove_at(char **path)
{
    if (*path != NULL) {
        remove(*path);
    }
    regret_free(*path);
}

/* By the map that `regret init` would write. */
static int import_table(struct regret_pool **out, struct init_table *t)
{
    FREED_BY(remove_at) char *path = NULL;
    TRY(write_map(&path, t));
    t->import.into = out;
    return init_try(t, path);
}

static int read_table(struct regret_pool **out, struct data_source *d)
{
    TRY(init_table_read(&d->table, d->path, d->known));
    TRY(init_decide(&d->table));
    TRY(import_table(out, &d->table));
    init_explain(&d->said, &d->table, 0);
    return regret_buffer_status(&d->said);
}

/* 1 where an option says what a column is: then it is a table. */
static int says_columns(const struct init_known *k)
{
    return k->is_long || k->is_wide || k->separator != '\0' || k->context.n > 0 || k->agent.n > 0 ||
           k->agents.n > 0 || k->winner != NULL;
}

int pool_of_data(struct regret_pool **out, struct data_source *d)
{
    FREED char *pool = NULL, *run = NULL;
    int known = 0;
    TRY(regret_path_join(&pool, d->path, "pool.json"));
    TRY(regret_path_join(&run, d->path, "run.json"));
    if (!input_is_absent(pool) || !input_is_absent(run)) {
        return read_folder(out, d->path);
    }
    TRY(regret_is_folder(d->path) ? REGRET_OK : refuse_own(d->path));
    TRY(says_columns(d->known) ? REGRET_OK : read_results(out, &known, d));
    if (known) {
        return regret_buffer_status(&d->said);
    }
    return regret_is_folder(d->path)
               ? regret_fail(REGRET_E_INPUT,
                             "%s is a folder without a pool.json, and in none of the formats that "
                             "are recognised (`regret import --help`)",
                             d->path)
               : read_table(out, d);
}

void data_source_free(struct data_source *d)
{
    init_table_free(&d->table);
    regret_buffer_free(&d->said);
}

/* ---------------------------------------------------------------- the folder of an answer */

#define ANSWER_FILES "answer.html answer.txt agents.csv result.json model.regret"

int answer_write(const char *folder, const struct answer *a, const struct regret_model *model,
                 int replace)
{
    FREED_BY(regret_staging_abandon) struct regret_staging staging = REGRET_STAGING_INIT;
    FREED char *path = NULL;
    static const char *const names[] = {"answer.html", "agents.csv", "result.json"};
    int (*const make[])(struct regret_buffer *, const struct answer *) = {answer_page, answer_csv,
                                                                          answer_json};
    TRY(regret_staging_begin(&staging, folder, replace, ANSWER_FILES));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
        TRY(make[i](&text, a));
        TRY(regret_file_write_text(staging.partial, names[i], &text));
    }
    FREED_BY(regret_buffer_free) struct regret_buffer screen = REGRET_BUFFER_INIT;
    TRY(answer_text(&screen, a, ANSWER_SCREEN));
    TRY(regret_file_write_text(staging.partial, "answer.txt", &screen));
    if (model != NULL) {
        TRY(regret_path_join(&path, staging.partial, "model.regret"));
        TRY(regret_model_write(model, path));
    }
    return regret_staging_commit(&staging);
}
