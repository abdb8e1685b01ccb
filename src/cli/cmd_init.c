/* regret init: from a table to a map and a configuration. */
#include <string.h>

#include "base/try.h"
#include "cli/cli.h"
#include "import/guess.h"
#include "regret/alloc.h"
#include "regret/file.h"

struct init {
    const char *table, *folder, *separator, *layout;
    int force;
};

/* The name of the table's file without its folders and its end, for the pool. */
static int pool_name(struct regret_text *out, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    regret_text_append_n(out, name, strcspn(name, "."));
    return regret_text_status(out);
}

/* How to go on, with the words a shell needs. */
static void say_next(struct regret_text *out, const struct init *o, char separator)
{
    regret_text_printf(
        out,
        "\nWrote %s/map.json and %s/config.json. Look at the map, then:\n\n  regret import csv %s",
        o->folder, o->folder, o->table);
    if (separator != ',') {
        regret_text_printf(out, separator == '\t' ? " --separator tab" : " --separator '%c'",
                           separator);
    }
    regret_text_printf(
        out,
        " --map %s/map.json -o %s/pool\n  regret cost %s/config.json      # how long it will take\n"
        "  regret run %s/config.json -o %s/run\n  regret recommend %s/run\n",
        o->folder, o->folder, o->folder, o->folder, o->folder, o->folder);
}

/* A map that somebody has mended is not lost. */
static int check_free(const struct init *o, const char *name)
{
    char *path = NULL;
    int rc = REGRET_OK;
    TRY(regret_path_join(&path, o->folder, name));
    if (!o->force && regret_file_exists(path)) {
        rc = regret_fail(REGRET_E_INPUT, "%s is there already; --force replaces it", path);
    }
    regret_free(path);
    return rc;
}

static int write_files(const struct init *o, const struct table_guess *guess)
{
    struct regret_text map = REGRET_TEXT_INIT, config = REGRET_TEXT_INIT, name = REGRET_TEXT_INIT;
    struct regret_staging staging = REGRET_STAGING_INIT;
    int rc;
    TRY_CLEANUP(pool_name(&name, o->table));
    table_guess_map(&map, guess, regret_text_get(&name));
    table_guess_config(&config, guess);
    TRY_CLEANUP(check_free(o, "map.json"));
    TRY_CLEANUP(check_free(o, "config.json"));
    TRY_CLEANUP(regret_staging_begin_files(&staging, o->folder));
    TRY_CLEANUP(regret_file_write_text(staging.partial, "map.json", &map));
    TRY_CLEANUP(regret_file_write_text(staging.partial, "config.json", &config));
    rc = regret_staging_commit_files(&staging);
cleanup:
    regret_staging_abandon(&staging);
    regret_text_free(&map);
    regret_text_free(&config);
    regret_text_free(&name);
    return rc;
}

static int init(const struct init *o, char separator, enum guess_layout layout)
{
    struct table_guess guess;
    struct regret_text said = REGRET_TEXT_INIT;
    int rc;
    TRY_CLEANUP(table_guess_make(&guess, o->table, separator, layout));
    TRY_CLEANUP(write_files(o, &guess));
    table_guess_say(&said, &guess);
    say_next(&said, o, guess.separator);
    TRY_CLEANUP(regret_text_status(&said));
    fputs(regret_text_get(&said), stdout);
cleanup:
    table_guess_free(&guess);
    regret_text_free(&said);
    return rc;
}

static int run_init(const struct cli_command *self, int argc, char **argv)
{
    struct init o = {0};
    const struct cli_option options[] = {
        {"output", 'o', CLI_STRING, &o.folder, "DIR", "the folder to write (required)", 0, 0},
        {"separator", 0, CLI_STRING, &o.separator, "CHARACTER",
         "between fields (default: guessed); tab for tabs", 0, 0},
        {"layout", 0, CLI_STRING, &o.layout, "long|wide",
         "a row an output, or columns of every agent (default: guessed)", 0, 0},
        {"force", 'f', CLI_FLAG, &o.force, NULL, "replace a map and a configuration that are there",
         0, 0},
        {0}};
    struct cli_arguments rest;
    int code = 0;
    if (cli_parse(&rest, &code, self, options, 1, 1, argc, argv)) {
        return code;
    }
    o.table = rest.items[0];
    if (o.folder == NULL) {
        return cli_usage_error("say where to write: -o DIR");
    }
    enum guess_layout layout = o.layout == NULL                ? GUESS_EITHER
                               : strcmp(o.layout, "wide") == 0 ? GUESS_WIDE
                                                               : GUESS_LONG;
    if (strcmp(o.table, "-") == 0) {
        return cli_usage_error("init reads the table several times: give a file, not a pipe");
    }
    char separator = '\0'; /* guessed */
    code = o.separator != NULL ? cli_read_character(&separator, "separator", o.separator) : CLI_OK;
    return code != CLI_OK ? code : cli_report(init(&o, separator, layout));
}

const struct cli_command cmd_init = {
    .name = "init",
    .synopsis = "DATA.csv -o DIR [options]",
    .summary = "a map and a configuration for a table of your own",
    .detail =
        "Looks at a CSV file with a row an output, or a row a context and columns of every\n"
        "agent, and guesses, by names and contents, which columns are contexts, agents, texts,\n"
        "scores, cost and tag, and the range of each score; writes DIR/map.json for regret import\n"
        "and DIR/config.json, a sweep of a size that suits the table. It says what it assumed and\n"
        "what to run next.",
    .examples =
        "regret init scores.csv -o my\nregret init scores.tsv --separator tab -o my --force",
    .run = run_init,
};
