#include "cli/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/status.h"
#include "base/text.h"
#include "import/importer.h"
#include "import/script.h"
#include "regret/status.h"

int step_date(const char **out, char room[STEP_DATE], const char *given)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    struct tm day;
    *out = given;
    if (given != NULL) {
        return REGRET_OK;
    }
    int is_said = epoch != NULL && epoch[0] != '\0',
        is_number = is_said && strlen(epoch) <= 11 && epoch[strspn(epoch, "0123456789")] == '\0';
    time_t seconds = is_number ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
    if ((is_said && !is_number) || gmtime_r(&seconds, &day) == NULL ||
        strftime(room, STEP_DATE, "%Y-%m-%dT%H:%M:%SZ", &day) == 0) {
        return regret_fail(REGRET_E_INPUT,
                           "SOURCE_DATE_EPOCH is \"%.40s\"; it must be seconds since 1970",
                           is_said ? epoch : "");
    }
    *out = room;
    return REGRET_OK;
}

/* `regret import NAME`, made of the table of importers. */

#define ZERO(name) 0,
enum { N_IMPORTERS = sizeof((const char[]){IMPORTERS(ZERO)}), MOST_OPTIONS = 24, SHOWN_ROWS = 20 };

/* What the command line says. */
struct given {
    struct cli_option options[MOST_OPTIONS + 3];
    const char *output;
    int force, dry_run;
    const char *words[MOST_OPTIONS]; /* of options that are checked here; NULL where not given */
    struct cli_list lists[MOST_OPTIONS]; /* the same of those that may be given many times */
};

static void *field(void *values, const struct importer_option *o)
{
    return (char *)values + o->offset;
}

/* The options of the command, whose targets are in *given and in the importer's own `values`. */
static void make_options(struct given *given, const struct importer *importer, void *values)
{
    static const enum cli_type TYPES[] = {
        [IMPORTER_FLAG] = CLI_FLAG,        [IMPORTER_STRING] = CLI_STRING,
        [IMPORTER_LIST] = CLI_LIST,        [IMPORTER_WORD] = CLI_STRING,
        [IMPORTER_CHARACTER] = CLI_STRING, [IMPORTER_FORCE] = CLI_FLAG};
    size_t n = 0;
    given->options[n++] = (struct cli_option)CLI_OPTION("output", 'o', CLI_STRING, &given->output,
                                                        importer->makes_log ? "DIR" : "POOL",
                                                        "the folder to write (required)");
    if (importer->can_dry_run) {
        given->options[n++] = (struct cli_option)CLI_FLAG_OPTION(
            "dry-run", 'n', &given->dry_run,
            "show the first rows as understood and what would be left out; write nothing");
    }
    for (size_t i = 0; i < importer->n_options && i < MOST_OPTIONS; i++) {
        const struct importer_option *o = &importer->options[i];
        void *target = o->type == IMPORTER_FORCE  ? &given->force
                       : o->type == IMPORTER_LIST ? (void *)&given->lists[i]
                       : o->type == IMPORTER_WORD || o->type == IMPORTER_CHARACTER
                           ? (void *)&given->words[i]
                           : field(values, o);
        given->options[n++] = (struct cli_option){o->name,  o->letter, TYPES[o->type], target,
                                                  o->value, o->help,   o->low,         o->high};
    }
}

static int read_word(unsigned *out, const struct importer_option *o, const char *word)
{
    char list[200] = "";
    size_t used = 0;
    for (unsigned i = 0; o->words[i] != NULL; i++) {
        if (strcmp(word, o->words[i]) == 0) {
            *out = i;
            return 0;
        }
        const char *before = i == 0 ? "" : o->words[i + 1] != NULL ? ", " : " or ";
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", before, o->words[i]);
    }
    return cli_usage_error("--%s is %s, not \"%s\"", o->name, list, word);
}

/* Whether all that is demanded was given. */
static int check_demanded(const struct given *given, const struct importer *importer, void *values)
{
    if (given->output == NULL && !given->dry_run) {
        return cli_usage_error("say where to write: -o %s", importer->makes_log ? "DIR" : "POOL");
    }
    for (size_t i = 0; i < importer->n_options; i++) {
        const struct importer_option *o = &importer->options[i];
        if (o->demanded != NULL && *(const char **)field(values, o) == NULL) {
            return cli_usage_error("%s", o->demanded);
        }
    }
    return 0;
}

/* The options that the parser of the command line cannot set. */
static int set_values(const struct given *given, const struct importer *importer, void *values)
{
    int code = 0;
    for (size_t i = 0; i < importer->n_options && code == 0; i++) {
        const struct importer_option *o = &importer->options[i];
        if (o->type == IMPORTER_LIST) {
            const struct cli_list *list = &given->lists[i];
            *(struct importer_list *)field(values, o) =
                (struct importer_list){list->items, list->count};
        } else if (o->type == IMPORTER_WORD && given->words[i] != NULL) {
            code = read_word(field(values, o), o, given->words[i]);
        } else if (o->type == IMPORTER_CHARACTER && given->words[i] != NULL) {
            code = cli_read_character(field(values, o), o->name, given->words[i]);
        }
    }
    return code;
}

/* Names the first bad rows left out; of the others it says that they are counted. */
static void show_bad_row(void *context, const char *message)
{
    size_t *shown = context;
    if (++*shown <= SHOWN_ROWS) {
        fprintf(stderr, "regret: left out: %s\n", message);
    } else if (*shown == SHOWN_ROWS + 1) {
        fprintf(stderr, "regret: more bad rows follow and are counted\n");
    }
}

enum { REPORT_BYTES = 1 << 16 }; /* more than a path and all counts take */

static int import(const struct importer *importer, const struct given *given,
                  const struct cli_arguments *paths, void *values)
{
    struct regret_buffer report = REGRET_BUFFER_INIT, preview = REGRET_BUFFER_INIT;
    size_t shown = 0;
    struct regret_pool *pool = NULL;
    char room[STEP_DATE];
    struct importer_call call = {.importer = importer,
                                 .from = paths->items[0],
                                 .paths = paths->items,
                                 .n_paths = paths->count,
                                 .to = given->dry_run ? NULL : given->output,
                                 .name = given->dry_run ? "the pool" : given->output,
                                 .into = &pool,
                                 .replace = given->force,
                                 .options = values,
                                 .note = show_bad_row,
                                 .note_context = &shown,
                                 .report = &report};
    /* Once the pool stands, its report must not fail for want of memory. */
    int rc;
    TRY_CLEANUP(regret_buffer_reserve(&report, REPORT_BYTES));
    TRY_CLEANUP(step_date(&call.date, room, NULL));
    TRY_CLEANUP(importer->run(&call));
    TRY_CLEANUP(importer->makes_log ? REGRET_OK : importer_report_doubts(&report, pool));
    TRY_CLEANUP(given->dry_run ? importer_preview(&preview, pool) : REGRET_OK);
    fputs(regret_buffer_get(&preview), stdout);
    fprintf(stderr, "regret: %s%s", regret_buffer_get(&report),
            given->dry_run ? "  nothing was written (--dry-run)\n" : "");
cleanup:
    regret_pool_free(pool);
    regret_buffer_free(&preview);
    regret_buffer_free(&report);
    return cli_report(rc);
}

static int run_importer_of(const struct importer *importer, const struct cli_command *self,
                           int argc, char **argv)
{
    struct given given = {.output = NULL};
    struct cli_arguments rest;
    void *values = NULL;
    size_t most = importer->takes_many ? sizeof rest.items / sizeof *rest.items : 1;
    int code = cli_report(regret_calloc(&values, 1, importer->size, "options"));
    if (code != 0) {
        return code;
    }
    memcpy(values, importer->defaults, importer->size);
    make_options(&given, importer, values);
    if (!cli_parse(&rest, &code, self, given.options, 1, most, argc, argv) &&
        (code = check_demanded(&given, importer, values)) == 0 &&
        (code = set_values(&given, importer, values)) == 0) {
        code = import(importer, &given, &rest, values);
    }
    regret_free(values);
    return code;
}

/* Those that are C, and those that are scripts, while the command runs. */
static struct script_set scripts;

static const struct importer *importer_at(size_t i)
{
    return i < N_IMPORTERS               ? importers[i]
           : i < N_IMPORTERS + scripts.n ? script_importer(scripts.script[i - N_IMPORTERS])
                                         : NULL;
}

static int run_importer(const struct cli_command *self, int argc, char **argv)
{
    size_t i = 0;
    while (strcmp(importer_at(i)->name, self->name) != 0) {
        i++;
    }
    return run_importer_of(importer_at(i), self, argc, argv);
}

static struct cli_command command_of(const struct importer *m)
{
    return (struct cli_command){.name = m->name,
                                .synopsis = m->synopsis,
                                .summary = m->summary,
                                .detail = m->detail,
                                .examples = m->examples,
                                .run = run_importer};
}

/* A script of the user's own: `regret import my.sql PATH...`. */
static int run_own(int argc, char **argv)
{
    struct script *own = NULL;
    int rc = script_read(&own, argv[1]);
    if (rc != REGRET_OK) {
        return cli_report(rc);
    }
    struct cli_command command = command_of(script_importer(own));
    int code = run_importer_of(script_importer(own), &command, argc - 1, argv + 1);
    script_free(own);
    return code;
}

static int find_script(const struct script **out, const char *const *paths, size_t n)
{
    TRY(script_detect(out, &scripts, paths, n));
    return *out != NULL ? REGRET_OK
                        : regret_fail(REGRET_E_INPUT,
                                      "%s is in none of the formats that are recognised; name the "
                                      "format (`regret import --help` has them), or, of a table of "
                                      "your own: regret init %s; of tables, a file a model: regret "
                                      "import files %s",
                                      paths[0], paths[0], paths[0]);
}

/* Paths without the name of a format: all before the first option. */
static int run_detected(int argc, char **argv)
{
    const struct script *script = NULL;
    int n = 1;
    while (n < argc && argv[n][0] != '-') {
        n++;
    }
    int rc = find_script(&script, (const char *const *)argv + 1, (size_t)n - 1);
    if (rc != REGRET_OK) {
        return cli_report(rc);
    }
    struct cli_command command = command_of(script_importer(script));
    cli_say("%s is read as `%s` does: %s", argv[1], command.name, command.summary);
    return run_importer_of(script_importer(script), &command, argc, argv);
}

/* Whether an argument is a path, not the name of a format. */
static int is_path(const char *word)
{
    return word[0] != '-' && (strpbrk(word, "/.") != NULL || regret_file_exists(word));
}

static int dispatch(const struct cli_command *self, int argc, char **argv)
{
    FREED struct cli_command *commands = NULL;
    size_t n = N_IMPORTERS + scripts.n, length = argc > 1 ? strlen(argv[1]) : 0;
    int is_script = length > 4 && strcmp(argv[1] + length - 4, ".sql") == 0;
    int is_known = 0, code = cli_report(REGRET_NEW(&commands, n + 1));
    for (size_t i = 0; i < n && code == 0; i++) {
        commands[i] = command_of(importer_at(i));
        is_known |= argc > 1 && strcmp(commands[i].name + strlen("import "), argv[1]) == 0;
    }
    return code != 0                                   ? code
           : is_script                                 ? run_own(argc, argv)
           : argc > 1 && !is_known && is_path(argv[1]) ? run_detected(argc, argv)
                                                       : cli_dispatch(self, commands, argc, argv);
}

static int run_import(const struct cli_command *self, int argc, char **argv)
{
    int code = cli_report(script_set_read(&scripts));
    code = code == 0 ? dispatch(self, argc, argv) : code;
    script_set_free(&scripts);
    return code;
}

const struct cli_command cmd_import = {
    .name = "import",
    .synopsis = "[FORMAT] PATH... -o POOL [options]",
    .summary = "make a pool, or a log and a trial, of a table of your own or of a public data set",
    .run = run_import,
};
