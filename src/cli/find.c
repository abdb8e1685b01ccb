#define _GNU_SOURCE /* realpath */

#include "cli/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/input.h"
#include "base/json.h"
#include "base/status.h"
#include "regret/buffer.h"
#include "regret/experiment.h"

static const char JSON_END[] = ".json";

/* ---------------------------------------------------------------- the program's data */

/* The folder of the program, as it was started; 0 where it cannot be told. */
static int program_folder(char *out)
{
    ssize_t n = readlink("/proc/self/exe", out, FIND_PATH_SIZE - 1);
    if (n <= 0 || n >= FIND_PATH_SIZE - 1) {
        return 0;
    }
    out[n] = '\0';
    char *slash = strrchr(out, '/');
    if (slash == NULL) {
        return 0;
    }
    *slash = '\0';
    return 1;
}

/* FOLDER/NAME into out; 0 where it is too long. */
static int join(char *out, const char *folder, const char *name)
{
    int n = snprintf(out, FIND_PATH_SIZE, "%s/%s", folder, name);
    return n > 0 && n < FIND_PATH_SIZE;
}

/* "configs" or "data/pools" of the program's data, as an absolute path without "..", or 0 where there is no
 * such folder. */
static int data_folder(char *out, const char *name)
{
    char program[FIND_PATH_SIZE], data[FIND_PATH_SIZE], path[FIND_PATH_SIZE];
    if (!program_folder(program) || !join(path, program, "CMakeCache.txt")) {
        return 0;
    }
    const char *from = regret_file_exists(path) ? REGRET_DATA_OF_BUILD : REGRET_DATA_OF_PROGRAM;
    if (from[0] == '/') {
        snprintf(data, sizeof data, "%s", from);
    } else if (!join(data, program, from)) {
        return 0;
    }
    char *real = join(path, data, name) ? realpath(path, NULL) : NULL;
    if (real == NULL) {
        return 0;
    }
    int fits = snprintf(out, FIND_PATH_SIZE, "%s", real) < FIND_PATH_SIZE;
    free(real);
    return fits && regret_is_folder(out);
}

/* ---------------------------------------------------------------- names */

static int is_plain(const char *name)
{
    static const char ALLOWED[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    return name[0] != '\0' && name[0] != '.' && name[0] != '-' &&
           strspn(name, ALLOWED) == strlen(name) && strstr(name, "..") == NULL;
}

static int ends_with_json(const char *name)
{
    size_t n = strlen(name), end = sizeof JSON_END - 1;
    return n > end && strcmp(name + n - end, JSON_END) == 0;
}

/* The i-th folder of REGRET_POOL_PATH; empty ones do not count. */
static int pool_path_folder(char *out, size_t i)
{
    const char *at = getenv("REGRET_POOL_PATH");
    while (at != NULL && *at != '\0') {
        size_t n = strcspn(at, ":");
        if (n > 0 && n < FIND_PATH_SIZE && i-- == 0) {
            snprintf(out, FIND_PATH_SIZE, "%.*s", (int)n, at);
            return 1;
        }
        at += n + (at[n] == ':');
    }
    return 0;
}

const char *find_pool_folder(char *out, size_t i)
{
    size_t n = 0;
    while (n < i && pool_path_folder(out, n)) {
        n++;
    }
    if (pool_path_folder(out, i)) {
        return out;
    }
    return n == i && data_folder(out, "data/pools") ? out : NULL;
}

/* ---------------------------------------------------------------- configurations */

const char FIND_STANDARD[] = "standard input";

/* What standard input gave: of the program, and kept as long as it. */
static struct regret_buffer standard;

static int read_standard(void)
{
    char piece[1 << 14];
    ssize_t n = 1;
    while (n != 0 && standard.length <= REGRET_JSON_MAX_BYTES) {
        n = read(STDIN_FILENO, piece, sizeof piece);
        if (n < 0 && errno != EINTR) {
            return regret_fail(REGRET_E_IO, "cannot read %s: %s", FIND_STANDARD, strerror(errno));
        }
        regret_buffer_append_n(&standard, piece, n > 0 ? (size_t)n : 0);
        TRY(regret_buffer_status(&standard));
    }
    return n == 0 ? REGRET_OK
                  : regret_fail(REGRET_E_INPUT, "%s has more than %d bytes", FIND_STANDARD,
                                REGRET_JSON_MAX_BYTES);
}

int find_plan(struct regret_run_plan **out, const char *config, const struct cli_list *sets)
{
    return config == FIND_STANDARD
               ? regret_run_plan_parse(out, regret_buffer_get(&standard), standard.length, config,
                                       sets->items, sets->count)
               : regret_run_plan_read(out, config, sets->items, sets->count);
}

void find_set_config(struct regret_run_options *o, const char *config)
{
    o->config = config;
    o->config_text = config == FIND_STANDARD ? regret_buffer_get(&standard) : NULL;
    o->config_length = config == FIND_STANDARD ? standard.length : 0;
}

static int no_config(const char *word, const char *folder)
{
    enum { MOST_NEAR = 64 };
    FREED_BY(regret_buffer_free) struct regret_buffer lines = REGRET_BUFFER_INIT;
    const char *names[MOST_NEAR];
    char otherwise[FIND_PATH_SIZE + 64];
    size_t n = 0;
    if (folder == NULL) {
        return cli_usage_error("there is no file %s, and no configurations are installed with this "
                               "program",
                               word);
    }
    if (find_names(&lines, "configs") == REGRET_OK && lines.length > 0) {
        for (char *at = lines.data; *at != '\0' && n < MOST_NEAR; at += strlen(at) + 1) {
            names[n++] = at;
            at[strcspn(at, "\n")] = '\0';
        }
    }
    snprintf(otherwise, sizeof otherwise, "there is no such file here, nor in %s", folder);
    return cli_unknown(&(struct cli_unknown){"configuration", "", otherwise}, word, names, n);
}

static int find_config(char *out, const char **config)
{
    char folder[FIND_PATH_SIZE], name[FIND_PATH_SIZE];
    if (strcmp(*config, "-") == 0) {
        *config = FIND_STANDARD;
        return cli_report(read_standard());
    }
    if (!input_is_absent(*config) || !is_plain(*config)) {
        return 0;
    }
    snprintf(name, sizeof name, "%s%s", *config, ends_with_json(*config) ? "" : JSON_END);
    if (!data_folder(folder, "configs")) {
        return no_config(*config, NULL);
    }
    if (!join(out, folder, name) || input_is_absent(out)) {
        return no_config(*config, folder);
    }
    cli_say("%s is %s", *config, out);
    *config = out;
    return 0;
}

/* ---------------------------------------------------------------- pools */

int find_is_pool(const char *folder)
{
    char header[FIND_PATH_SIZE];
    return join(header, folder, "pool.json") && !input_is_absent(header);
}

static int no_pool(const char *name, const char *first)
{
    struct regret_buffer where = REGRET_BUFFER_INIT;
    char folder[FIND_PATH_SIZE];
    for (size_t i = 0; find_pool_folder(folder, i) != NULL; i++) {
        regret_buffer_printf(&where, ", %s/%s", folder, name);
    }
    int code = cli_usage_error("there is no pool \"%s\"; looked for %s%s; REGRET_POOL_PATH names "
                               "folders of pools, with colons between",
                               name, first, regret_buffer_get(&where));
    regret_buffer_free(&where);
    return code;
}

/* `name` in the folders of pools; NULL where it is in none of them. */
static const char *search(char *out, const char *name)
{
    char folder[FIND_PATH_SIZE];
    for (size_t i = 0; find_pool_folder(folder, i) != NULL; i++) {
        if (join(out, folder, name) && find_is_pool(out)) {
            cli_say("pool %s is %s", name, out);
            return out;
        }
    }
    return NULL;
}

const char *find_pool(char *out, const char *word)
{
    if (!input_is_absent(word) || !is_plain(word)) {
        return word;
    }
    const char *found = search(out, word);
    if (found == NULL) {
        no_pool(word, word);
    }
    return found;
}

/* The plain name that `pool` was in the configuration or in --set, or NULL: a configuration's own begins in
 * its folder. */
static const char *name_of_pool(const char *pool, const char *config)
{
    const char *slash = strrchr(pool, '/'), *own = strrchr(config, '/');
    const char *name = slash != NULL ? slash + 1 : pool;
    int bare = slash == NULL || (own != NULL && slash - pool == own - config &&
                                 strncmp(pool, config, (size_t)(own - config)) == 0);
    return bare && is_plain(name) ? name : NULL;
}

static int find_pool_of(char *out, const char *config, struct cli_list *sets, int wanted)
{
    struct regret_run_plan *plan = NULL;
    struct regret_config first;
    int rc = find_plan(&plan, config, sets);
    if (rc != REGRET_OK) {
        return rc == REGRET_E_INPUT ? 0 : cli_report(rc);
    }
    regret_run_plan_cell(&first, plan, 0);
    regret_run_plan_free(plan);
    const char *name = name_of_pool(first.pool, config);
    if (!input_is_absent(first.pool) || name == NULL ||
        strncmp(first.pool, REGRET_SYNTH_PREFIX, strlen(REGRET_SYNTH_PREFIX)) == 0) {
        return 0;
    }
    char path[FIND_PATH_SIZE];
    if (search(path, name) == NULL) {
        return wanted ? no_pool(name, first.pool) : 0;
    }
    if (strlen(path) + sizeof "pool=" > FIND_PATH_SIZE ||
        sets->count == sizeof sets->items / sizeof *sets->items) {
        return cli_usage_error("--set is given too often to add the pool %s", path);
    }
    snprintf(out, FIND_PATH_SIZE, "pool=%.*s", FIND_PATH_SIZE - 6, path);
    sets->items[sets->count++] = out;
    return 0;
}

int find_inputs(struct find_inputs *found, const char **config, struct cli_list *sets,
                int wants_pool)
{
    int code = find_config(found->config, config);
    return code != 0 ? code : find_pool_of(found->pool, *config, sets, wants_pool);
}

int find_run_inputs(struct find_inputs *found, struct regret_run_options *o, const char *config,
                    struct cli_list *sets)
{
    int code = find_inputs(found, &config, sets, 1);
    find_set_config(o, config);
    o->sets = sets->items;
    o->n_sets = sets->count;
    return code;
}

/* ---------------------------------------------------------------- lists of names */

/* A line NAME, unless there is one. */
static void put_name(struct regret_buffer *t, const char *name, size_t length)
{
    struct regret_buffer line = REGRET_BUFFER_INIT;
    regret_buffer_printf(&line, "\n%.*s\n", (int)length, name);
    if (strstr(regret_buffer_get(t), regret_buffer_get(&line)) == NULL) {
        regret_buffer_append(t, regret_buffer_get(&line) + 1);
    }
    regret_buffer_free_into(t, &line);
}

/* Those of the pools, or of the configurations without ".json", in a folder; of one that cannot be read none. */
static void put_names(struct regret_buffer *t, const char *folder, int are_pools)
{
    FREED_BY(folder_list_free) struct folder_list list = {0};
    char path[FIND_PATH_SIZE];
    (void)folder_list_read(&list, folder);
    for (size_t i = 0; i < list.n; i++) {
        const char *name = list.name[i];
        if (is_plain(name) &&
            (are_pools ? join(path, folder, name) && find_is_pool(path) : ends_with_json(name))) {
            put_name(t, name, strlen(name) - (are_pools ? 0 : sizeof JSON_END - 1));
        }
    }
}

int find_names(struct regret_buffer *out, const char *what)
{
    struct regret_buffer names = REGRET_BUFFER_INIT;
    char folder[FIND_PATH_SIZE];
    regret_buffer_append_char(&names, '\n');
    if (strcmp(what, "configs") == 0 && data_folder(folder, "configs")) {
        put_names(&names, folder, 0);
    }
    for (size_t i = 0; strcmp(what, "pools") == 0 && find_pool_folder(folder, i) != NULL; i++) {
        put_names(&names, folder, 1);
    }
    regret_buffer_append(out, regret_buffer_get(&names) + (names.length > 0));
    regret_buffer_free_into(out, &names);
    return regret_buffer_status(out);
}

int find_print_names(const char *what)
{
    static const char *const known[] = {"configs", "pools"};
    struct regret_buffer lines = REGRET_BUFFER_INIT;
    if (strcmp(what, "configs") != 0 && strcmp(what, "pools") != 0) {
        return cli_unknown(&(struct cli_unknown){"kind of names", "", "it is configs or pools"},
                           what, known, sizeof known / sizeof *known);
    }
    int rc = find_names(&lines, what);
    return cli_print(&lines, rc);
}
