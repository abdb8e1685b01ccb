#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "base/text/path.h"
#include "cli/runs/dry_run.h"
#include "cli/runs/slurm_array.h"
#include "cli/terminal/cli.h"
#include "cli/terminal/find.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/screen.h"
#include "regret/alloc.h"
#include "regret/experiment.h"
#include "regret/file.h"
#include "regret/parallel.h"
#include "regret/report.h"

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
        {"output", 'o', CLI_STRING, &o.out, "RUN", "run folder (default runs/NAME of the config)",
         0, 0},
        CLI_SET(&sets),
        {"seeds", 0, CLI_SIZE, &seeds, "N", "the same as --set seeds=N", 1, 100000},
        {"threads", 'j', CLI_THREADS, &o.threads, "N", "threads (default: processors available)", 1,
         1024},
        {"shard", 0, CLI_STRING, &shard, "I/N",
         "compute the I-th of N parts; slurm: this array task's", 0, 0},
        {"resume", 0, CLI_FLAG, &o.resume, NULL, "go on with an interrupted run, or begin it", 0,
         0},
        {"force", 0, CLI_FLAG, &o.force, NULL, "replace an existing run folder", 0, 0},
        CLI_ALLOW_COMMANDS(&o.commands),
        {"dry-run", 'n', CLI_FLAG, &dry, NULL,
         "check everything, say what would be done, and write nothing", 0, 0},
        {"no-report", 0, CLI_FLAG, &no_report, NULL, "write only the rows", 0, 0},
        {"quiet", 'q', CLI_FLAG, &quiet, NULL, "no progress, no answer", 0, 0},
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
        "stderr, in ten lines at most, what the run recommends.\n"
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
