#include "cli/internal.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "experiment/run_cost.h"
#include "regret/buffer.h"
#include "regret/experiment.h"
#include "regret/report.h"
#include "regret/status.h"

static const double MIB = 1048576.0;

static int check_folder(const struct regret_run_options *o)
{
    int taken = regret_file_exists(o->out) && !regret_folder_is_empty(o->out);
    return taken && !o->resume && !o->force
               ? regret_fail(REGRET_E_INPUT,
                             "%s is there already; --resume goes on with it, --force replaces it",
                             o->out)
               : REGRET_OK;
}

static void put_time(struct regret_buffer *t, double seconds)
{
    if (seconds < 600.0) {
        regret_buffer_printf(t, seconds < 10.0 ? "%.1f s" : "%.0f s", seconds);
    } else {
        regret_buffer_printf(t, "%.1f %s", seconds / (seconds < 36000.0 ? 60.0 : 3600.0),
                             seconds < 36000.0 ? "minutes" : "hours");
    }
}

static void put_work(struct regret_buffer *t, const struct regret_run_options *o,
                     const struct regret_run_cost *c)
{
    regret_buffer_printf(t, "computes  %zu cells x %zu seeds = %zu replicates", c->cells, c->seeds,
                         c->replicates);
    if (o->shards > 1) {
        regret_buffer_printf(t, "; shard %zu of %zu has %zu to %zu of them", o->shard, o->shards,
                             c->shard_least, c->shard_most);
    }
    regret_buffer_append(t, "\n");
    if (o->resume) {
        size_t all = c->done + c->rest;
        regret_buffer_printf(t,
                             "there     %zu of %zu replicates, %zu of %zu rows; %zu replicate%s, "
                             "%zu rows to go\n",
                             c->done, all, c->done * c->rows, all * c->rows, c->rest,
                             plural(c->rest), c->rest * c->rows);
    }
    regret_buffer_append(t, "takes     about ");
    put_time(t, c->rest_seconds);
    regret_buffer_printf(t, " on %zu thread%s, and %.0f MiB\n", o->threads, plural(o->threads),
                         c->peak_bytes / MIB);
}

static void put_files(struct regret_buffer *t, const struct regret_run_options *o,
                      const struct regret_run_cost *c, int report)
{
    int whole = report && o->shards == 1;
    regret_buffer_append(t, "writes    ");
    regret_buffer_append_visible(t, o->out);
    if (c->rest == 0) {
        regret_buffer_append(t, whole ? ": report/; the run is complete\n"
                                      : ": nothing; all rows are there\n");
        return;
    }
    regret_buffer_printf(t, ": run.json, rows and times of shard %zu of %zu (all rows: %.2g MiB)%s",
                         o->shard, o->shards, c->row_bytes / MIB, whole ? ", report/" : "");
    if (regret_file_exists(o->out) && !regret_folder_is_empty(o->out)) {
        regret_buffer_append(t, o->force ? "; replaces what is there"
                                         : "; goes on with what is there");
    }
    regret_buffer_append(t, "\n");
}

void dry_run_notice(void *context, const char *message)
{
    (void)context;
    cli_say("%s", message);
}

/* Reads and checks what regret_run() would, computes one replicate of the dearest kind for its time, and says
 * on stdout what the run would compute, how long that takes and what it would write; with resume, how much is there and what the rest takes. Writes nothing. Returns
 * the exit code: 2 where the run would be refused. */
static int dry_run(const struct regret_run_options *o, int report)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    struct regret_run_options noticed = *o;
    struct regret_run_cost cost;
    int rc;
    noticed.notice = dry_run_notice;
    TRY_CLEANUP(check_folder(o));
    TRY_CLEANUP(regret_run_preview(&cost, &noticed));
    put_work(&text, o, &cost);
    put_files(&text, o, &cost, report);
cleanup:
    return cli_print(&text, rc);
}

/* The place of a task in a Slurm job array. */

/* More than Slurm's own limit of tasks. */
enum { MOST = 1000000 };

static int read_variable(size_t *out, const char *name)
{
    const char *text = getenv(name);
    if (text == NULL || text[0] == '\0') {
        return cli_usage_error("--shard slurm: %s is not set; submit the command as a job array "
                               "(sbatch --array=1-N), or give --shard I/N",
                               name);
    }
    char *end = NULL;
    unsigned long long n = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || n > 100ULL * MOST) {
        return cli_usage_error("--shard slurm: %s is \"%s\", not a whole number; give --shard I/N",
                               name, text);
    }
    *out = (size_t)n;
    return 0;
}

/* Reads SLURM_ARRAY_TASK_ID, _MIN, _MAX, _COUNT and _STEP: this is the task *shard of *shards, from
 * 1. The array must be whole: numbered from 0 or 1 in even steps, or one task submitted again alone
 * would take itself for the whole run. Returns 0, or an exit code having said why. */
static int slurm_array_place(size_t *shard, size_t *shards)
{
    static const char *const names[] = {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN",
                                        "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_COUNT",
                                        "SLURM_ARRAY_TASK_STEP"};
    size_t id = 0, min = 0, max = 0, count = 0, step = 0;
    size_t *const values[] = {&id, &min, &max, &count, &step};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int code = read_variable(values[i], names[i]);
        if (code != 0) {
            return code;
        }
    }
    if (min > 1) {
        return cli_usage_error(
            "--shard slurm: SLURM_ARRAY_TASK_MIN is %zu, so this is a part of an "
            "array; submit the whole array again with --resume (finished "
            "shards end at once), or give --shard I/N",
            min);
    }
    if (step < 1 || max < min || (max - min) % step != 0 || (max - min) / step + 1 != count) {
        return cli_usage_error(
            "--shard slurm: SLURM_ARRAY_TASK_COUNT is %zu, but tasks from %zu to "
            "%zu in steps of %zu are not as many: the array has gaps; submit it "
            "whole, as in --array=1-%zu, or give --shard I/N",
            count, min, max, step, count);
    }
    if (id < min || id > max || (id - min) % step != 0 || count > MOST) {
        return cli_usage_error("--shard slurm: SLURM_ARRAY_TASK_ID is %zu, which is not among %zu "
                               "to %zu in steps of %zu; give --shard I/N",
                               id, min, max, step);
    }
    *shard = (id - min) / step + 1;
    *shards = count;
    return 0;
}

FREED_POINTER(struct regret_results, regret_results_free)

/* What the callbacks of a run need to know of its beginning. */
struct run_call {
    struct regret_run_options options;
    struct progress progress;
    int quiet;
    int report; /* write the report, too */
};

static int on_progress(void *context, const struct regret_progress *at)
{
    struct run_call *call = context;
    progress_count(&call->progress, at);
    return cli_interrupted();
}

static void on_step(void *context, const char *step, size_t done, size_t total)
{
    struct run_call *call = context;
    progress_step(&call->progress, step, done, total);
}

static void on_notice(void *context, const char *message)
{
    struct run_call *call = context;
    progress_say(&call->progress, message);
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* "2/8" */
static int parse_shard(size_t *shard, size_t *shards, const char *word)
{
    char *end = NULL;
    unsigned long long i = strtoull(word, &end, 10), n = 0;
    if (strcmp(word, "slurm") == 0) {
        return slurm_array_place(shard, shards);
    }
    if (!is_digit(word[0]) || end[0] != '/' || !is_digit(end[1])) {
        return cli_usage_error("--shard wants I/N, for example 2/8, or slurm, not \"%s\"", word);
    }
    n = strtoull(end + 1, &end, 10);
    if (*end != '\0' || i < 1 || n < i || n > 1000000) {
        return cli_usage_error("--shard wants I/N with 1 <= I <= N, not \"%s\"", word);
    }
    *shard = (size_t)i;
    *shards = (size_t)n;
    return 0;
}

/* runs/NAME for configs/NAME.json */
static void default_folder(char *out, size_t size, const char *config)
{
    const char *base = path_last(config);
    size_t n = strlen(base);
    if (n > 5 && strcmp(base + n - 5, ".json") == 0) {
        n -= 5;
    }
    snprintf(out, size, "runs/%.*s", (int)(n < 200 ? n : 200), base);
}

/* The stage that took longest is the one to think of. */
static void print_summary(const struct regret_run_summary *s, size_t made, size_t threads)
{
    double busy = 0.0;
    size_t longest = 0;
    char rate[32];
    progress_rate(rate, s->seconds > 0 ? (double)made / s->seconds : 0.0);
    for (size_t i = 0; i < REGRET_N_STAGES; i++) {
        busy += s->stage_seconds[i];
        longest = s->stage_seconds[i] > s->stage_seconds[longest] ? i : longest;
    }
    fprintf(stderr,
            "regret: %zu cell%s x %zu seed%s; %zu replicate%s in %.1f s, %s on %zu thread%s",
            s->cells, plural(s->cells), s->seeds, plural(s->seeds), made, plural(made), s->seconds,
            rate, threads, plural(threads));
    if (busy > 0.0) {
        fprintf(stderr, "; %s %.0f %%", s->stage_name[longest],
                100.0 * s->stage_seconds[longest] / busy);
    }
    fputc('\n', stderr);
}

static int print_report_path(const char *folder)
{
    struct regret_buffer line = REGRET_BUFFER_INIT;
    regret_buffer_append_visible(&line, folder);
    regret_buffer_append(&line, "/report/report.md\n");
    return cli_print(&line, REGRET_OK);
}

static int make_report(struct run_call *call)
{
    FREED_BY(regret_results_free_at) struct regret_results *results = NULL;
    FREED_BY(regret_buffer_free) struct regret_buffer ending = REGRET_BUFFER_INIT;
    FREED char *folder = NULL;
    progress_step(&call->progress, "making the report", 0, 0);
    if (!call->quiet) {
        TRY(regret_results_read(&results, call->options.out));
        TRY(regret_path_join(&folder, call->options.out, "report"));
        TRY(screen_ending(&ending, results, folder));
    }
    TRY(regret_report_write(call->options.out, NULL, NULL));
    progress_step(&call->progress, NULL, 0, 0);
    fputs(regret_buffer_get(&ending), stderr);
    return REGRET_OK;
}

/* Under the run's lock: nobody replaces the rows while the report is made of them. */
static int on_finish(void *context, const struct regret_run_summary *summary)
{
    struct run_call *call = context;
    const struct regret_run_options *o = &call->options;
    size_t made = summary->replicates - summary->resumed;
    progress_step(&call->progress, NULL, 0, 0);
    if (!call->quiet && made > 0) {
        print_summary(summary, made, o->threads);
    }
    if (o->shards > 1) {
        cli_say("%s shard %zu of %zu %s %s; join them with 'regret merge'",
                made > 0 ? "wrote" : "complete already:", o->shard, o->shards,
                made > 0 ? "to" : "in", o->out);
        return REGRET_OK;
    }
    int says_page = call->report && !call->quiet; /* and with it the folder, in ten lines in all */
    if (made == 0 || !says_page) {
        cli_say("%s %s",
                made > 0 ? "wrote the rows to" : "the run is complete, nothing was left to do in",
                o->out);
    }
    return call->report ? make_report(call) : REGRET_OK;
}

static int execute(struct run_call *call)
{
    struct regret_run_options *o = &call->options;
    struct regret_run_summary summary = {0};
    o->progress = on_progress;
    o->commands.cancelled = cli_cancelled;
    o->step = on_step;
    o->notice = on_notice;
    o->finish = on_finish;
    o->progress_context = o->step_context = o->notice_context = o->finish_context = call;
    cli_catch_interrupts();
    progress_begin(&call->progress, !call->quiet, o->threads);
    int rc = regret_run(&summary, o);
    progress_end(&call->progress);
    if (rc != REGRET_OK) {
        return cli_report(rc);
    }
    return call->report && o->shards == 1 ? print_report_path(o->out) : CLI_OK;
}

static int run_run(const struct cli_command *self, int argc, char **argv)
{
    struct regret_run_options o = REGRET_RUN_OPTIONS_INIT;
    struct cli_list sets = {{NULL}, 0};
    struct cli_arguments rest;
    const char *shard = NULL;
    char folder[256], seeds_set[32];
    size_t seeds = 0;
    int code = 0, no_report = 0, quiet = 0, dry = 0;
    o.threads = regret_processor_count();
    const struct cli_option options[] = {
        CLI_OPTION("output", 'o', CLI_STRING, &o.out, "RUN",
                   "run folder (default runs/NAME of the config)"),
        CLI_SET(&sets),
        {"seeds", 0, CLI_SIZE, &seeds, "N", "the same as --set seeds=N", 1, 100000},
        {"threads", 'j', CLI_THREADS, &o.threads, "N", "threads (default: processors available)", 1,
         1024},
        CLI_OPTION("shard", 0, CLI_STRING, &shard, "I/N",
                   "compute the I-th of N parts; slurm: this array task's"),
        CLI_FLAG_OPTION("resume", 0, &o.resume, "go on with an interrupted run, or begin it"),
        CLI_FLAG_OPTION("force", 0, &o.force, "replace an existing run folder"),
        CLI_ALLOW_COMMANDS(&o.commands),
        CLI_FLAG_OPTION("dry-run", 'n', &dry,
                        "check everything, say what would be done, and write nothing"),
        CLI_FLAG_OPTION("no-report", 0, &no_report, "write only the rows"),
        CLI_FLAG_OPTION("quiet", 'q', &quiet, "no progress, no answer"),
        {0}};
    if (cli_parse(&rest, &code, self, options, 1, 1, argc, argv) ||
        (shard != NULL && (code = parse_shard(&o.shard, &o.shards, shard)) != 0)) {
        return code;
    }
    if (o.resume && o.force) {
        return cli_usage_error("--resume keeps what is there and --force replaces it; give one");
    }
    if (seeds > 0 && sets.count == sizeof sets.items / sizeof *sets.items) {
        return cli_usage_error("--set is given too often");
    }
    if (seeds > 0) {
        snprintf(seeds_set, sizeof seeds_set, "seeds=%zu", seeds);
        sets.items[sets.count++] = seeds_set;
    }
    struct find_inputs found;
    code = find_run_inputs(&found, &o, rest.items[0], &sets);
    if (code != 0) {
        return code;
    }
    if (o.out == NULL && o.config == FIND_STANDARD) {
        return cli_usage_error("a configuration from standard input has no name that its run could "
                               "have; give the folder: -o RUN");
    }
    if (o.out == NULL) {
        default_folder(folder, sizeof folder, o.config);
        o.out = folder;
    }
    if (dry) {
        cli_catch_interrupts(); /* a command ends with us */
        o.commands.cancelled = cli_cancelled;
        return dry_run(&o, !no_report);
    }
    struct run_call call = {.options = o, .quiet = quiet, .report = !no_report};
    return execute(&call);
}

const struct cli_command cmd_run = {
    .name = "run",
    .synopsis = "CONFIG [-o RUN] [options]",
    .summary = "run a configuration: every cell, every seed",
    .detail =
        "Draws, fits and measures every (cell, seed) of the sweep and writes a run folder: "
        "run.json,\n"
        "results-I-of-N.jsonl (one row a family, cell and seed) and report/. The rows are the "
        "same\n"
        "bytes whatever the number of threads, shards or interruptions. Ctrl-C or SIGTERM ends it\n"
        "in about a second, without the replicates at hand; --resume goes on, from the beginning\n"
        "where there is nothing yet, and ends at once where all is there. At the end it says on\n"
        "stderr, in ten lines at most, which family has the least regret.\n"
        "Only one process may write to a run folder. CONFIG may be the run.json of a run: its\n"
        "configuration, overrides included; or a name, as main, of those installed with the\n"
        "program; or -, standard input, and then -o must name the folder: paths in it begin in "
        "the\n"
        "folder you are in. Parts of a run take about equally long; they are cut "
        "by\n"
        "the estimated cost of cells. With --shard slurm, I and N are those of the task in its "
        "job\n"
        "array. --dry-run reads and checks everything, computes one replicate for its time, says "
        "on\n"
        "stdout what the run would compute, take and write, and is refused where the run would "
        "be.\n"
        "With --resume it reads what is there, and says how much that is and what the rest takes.",
    .examples = "regret run configs/smoke.json\n"
                "regret config main --set seeds=3 | regret run - -o runs/three\n"
                "regret run main --dry-run\n"
                "regret run configs/main.json -o runs/main --threads 8\n"
                "regret run configs/main.json --seeds 5 --set sweep.beta=[0,1] -o runs/few\n"
                "regret run configs/main.json --set pool=my/pool -o runs/mine\n"
                "regret run configs/main.json --shard 2/8 -o runs/main-2\n"
                "regret run configs/main.json --shard slurm -o runs/main-$SLURM_ARRAY_TASK_ID "
                "--resume",
    .run = run_run,
};

/* Prints what `put` makes of the plan of a configuration; the exit code. */
static int print_plan(const char *config, const struct cli_list *sets,
                      int (*put)(struct regret_buffer *text, const struct regret_run_plan *plan))
{
    struct regret_run_plan *plan = NULL;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    int rc;
    TRY_CLEANUP(find_plan(&plan, config, sets));
    rc = put(&text, plan);
cleanup:
    regret_run_plan_free(plan);
    return cli_print(&text, rc);
}

/* Its cells, one JSON object a line. */
static int put_cells(struct regret_buffer *text, const struct regret_run_plan *plan)
{
    for (size_t c = 0; c < regret_run_plan_cells(plan); c++) {
        regret_buffer_printf(text, "{\"cell\":%zu,\"key\":", c);
        regret_run_plan_cell_key(text, plan, c);
        regret_buffer_append(text, "}\n");
    }
    return REGRET_OK;
}

static int put_resolved(struct regret_buffer *text, const struct regret_run_plan *plan)
{
    regret_run_plan_json(text, plan);
    regret_buffer_append_char(text, '\n');
    return REGRET_OK;
}

static int run_cell(const struct cli_command *self, int argc, char **argv)
{
    struct cli_arguments rest;
    struct cli_list sets = {{NULL}, 0};
    const char *folder = NULL;
    size_t cell = 0, fold = 0;
    uint64_t seed = 0;
    struct regret_command_options commands = {0, cli_cancelled, NULL};
    int code = 0, force = 0, splits = 0;
    const struct cli_option options[] = {
        CLI_OPTION("export", 'o', CLI_STRING, &folder, "DIR",
                   "folder to write; without it, lists the cells"),
        CLI_FLAG_OPTION("splits", 0, &splits,
                        "print which contexts are held out, of all cells and seeds"),
        CLI_OPTION("cell", 0, CLI_SIZE, &cell, "K", "cell of the sweep, from 0 (default 0)"),
        CLI_OPTION("seed", 0, CLI_U64, &seed, "S", "seed of the replicate (default 0)"),
        CLI_OPTION("fold", 0, CLI_SIZE, &fold, "F", "fold of contexts.folds to write (default 0)"),
        CLI_SET(&sets),
        CLI_FLAG_OPTION("force", 0, &force, "replace an earlier export"),
        CLI_ALLOW_COMMANDS(&commands),
        {0}};
    if (cli_parse(&rest, &code, self, options, 1, 1, argc, argv)) {
        return code;
    }
    if (splits && folder != NULL) {
        return cli_usage_error("--splits prints those of all seeds and --export writes one "
                               "replicate; give one");
    }
    struct find_inputs found;
    code = find_inputs(&found, &rest.items[0], &sets, folder != NULL || splits);
    if (code != 0) {
        return code;
    }
    if (folder != NULL && rest.items[0] == FIND_STANDARD) {
        return cli_usage_error("--export wants the configuration in a file; 'regret config -' "
                               "prints one of what standard input gives");
    }
    if (splits || folder == NULL) {
        return print_plan(rest.items[0], &sets, splits ? regret_export_splits : put_cells);
    }
    if (commands.allow) {
        cli_catch_interrupts(); /* a command ends with us */
    }
    int rc = regret_export_cell(folder, rest.items[0], sets.items, sets.count, cell, seed, fold,
                                force, &commands);
    if (rc != REGRET_OK) {
        return cli_report(rc);
    }
    cli_say("wrote %s", folder);
    return CLI_OK;
}

const struct cli_command cmd_cell = {
    .name = "cell",
    .synopsis = "CONFIG [--splits | --cell K --seed S --export DIR]",
    .summary = "list the cells of a sweep, print its splits, or write out one replicate",
    .detail =
        "An export holds every number of one (cell, seed), so that it can be checked from\n"
        "outside: cell.json, phi.mtx (Matrix Market), z-KIND.csv, obs.csv, exp.csv, target.csv,\n"
        "folds.json, predictions.csv, hyper.json, values.csv, bootstrap intervals of the values\n"
        "in intervals.csv and differences.csv, and where family mixed or stack is fitted\n"
        "words.csv and own.csv, the w(x) and k(x) that they cross with agents. Indices count\n"
        "from 0. With contexts.folds a result row is the mean over folds, an export one fold.\n"
        "--splits prints one JSON object with the ids of the contexts that each seed holds out\n"
        "(docs/formats.md).",
    .examples = "regret cell configs/main.json\n"
                "regret cell configs/main.json --splits\n"
                "regret cell configs/main.json --cell 7 --seed 3 --export cell-7-3",
    .run = run_cell,
};

static void print_allowed(const struct regret_key_help *key)
{
    if (key->has_range) {
        printf(" from %.12g to %.12g", key->low, key->high);
    }
    for (size_t i = 0; key->choices != NULL && key->choices[i] != NULL; i++) {
        printf("%s%s", i == 0 ? " of " : ", ", key->choices[i]);
    }
}

static int list_keys(void)
{
    struct regret_config config;
    struct regret_key_help key;
    regret_config_default(&config);
    for (size_t i = 0; regret_config_key(&key, i); i++) {
        struct regret_buffer value = REGRET_BUFFER_INIT;
        regret_config_key_json(&value, &config, i);
        int rc = regret_buffer_status(&value);
        if (rc != REGRET_OK) {
            return cli_report(rc);
        }
        printf("%-30s %s\n%-30s %s", key.name, key.help, "", key.type);
        print_allowed(&key);
        printf("; default %s\n", regret_buffer_get(&value));
        regret_buffer_free(&value);
    }
    return CLI_OK;
}

static int run_config(const struct cli_command *self, int argc, char **argv)
{
    struct cli_arguments rest;
    struct cli_list sets = {{NULL}, 0};
    int code = 0;
    const struct cli_option options[] = {CLI_SET(&sets), {0}};
    if (cli_parse(&rest, &code, self, options, 0, 1, argc, argv)) {
        return code;
    }
    if (rest.count == 0 && sets.count > 0) {
        return cli_usage_error("--set changes a configuration; name its file");
    }
    if (rest.count == 0) {
        return list_keys();
    }
    struct find_inputs found;
    code = find_inputs(&found, &rest.items[0], &sets, 0);
    return code != 0 ? code : print_plan(rest.items[0], &sets, put_resolved);
}

const struct cli_command cmd_config = {
    .name = "config",
    .synopsis = "[CONFIG] [--set KEY=VALUE]...",
    .summary = "list every configuration key, or show a configuration resolved",
    .detail = "Without a file: every key with its meaning, type, range and default. With one: the\n"
              "configuration with every default filled in and its sweep, as JSON.",
    .examples = "regret config\n"
                "regret config configs/main.json --set seeds=3",
    .run = run_config,
};
