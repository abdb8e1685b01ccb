#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/slurm_array.h"
#include "regret/experiment.h"
#include "regret/parallel.h"
#include "regret/report.h"

struct progress_line {
    int shown;        /* 0 with --quiet */
    int terminal;     /* one line drawn over and over, or a line every tenth */
    double last;      /* seconds at the last drawing */
    size_t announced; /* tenths */
};

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

static void draw_terminal(struct progress_line *line, const struct regret_progress *p, double rate,
                          double left)
{
    if (p->done < p->total && p->seconds - line->last < 0.2) {
        return;
    }
    line->last = p->seconds;
    char bar[25];
    size_t filled = p->done * (sizeof bar - 1) / p->total;
    memset(bar, '.', sizeof bar - 1);
    memset(bar, '=', filled);
    bar[sizeof bar - 1] = '\0';
    fprintf(stderr, "\r\033[K[%s] %zu/%zu replicate%s, %.1f/s, %.0f s left", bar, p->done, p->total,
            plural(p->total), rate, left);
    if (p->done == p->total) {
        fputc('\n', stderr);
    }
}

static void draw_plain(struct progress_line *line, const struct regret_progress *p, double rate,
                       double left)
{
    size_t tenths = p->done * 10 / p->total;
    if (tenths > line->announced) {
        line->announced = tenths;
        fprintf(stderr, "regret: %zu of %zu replicate%s, %.1f/s, %.0f s left\n", p->done, p->total,
                plural(p->total), rate, left);
    }
}

static int on_progress(void *context, const struct regret_progress *p)
{
    struct progress_line *line = context;
    double rate = p->seconds > 0.0 ? (double)(p->done - p->resumed) / p->seconds : 0.0;
    double left = rate > 0.0 ? (double)(p->total - p->done) / rate : 0.0;
    if (line->shown) {
        (line->terminal ? draw_terminal : draw_plain)(line, p, rate, left);
    }
    return cli_interrupted();
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
    const char *base = strrchr(config, '/');
    base = base != NULL ? base + 1 : config;
    size_t n = strlen(base);
    if (n > 5 && strcmp(base + n - 5, ".json") == 0) {
        n -= 5;
    }
    snprintf(out, size, "runs/%.*s", (int)(n < 200 ? n : 200), base);
}

static void print_summary(const struct regret_run_summary *s, size_t made, size_t threads)
{
    double busy = 0.0;
    for (size_t i = 0; i < REGRET_N_STAGES; i++) {
        busy += s->stage_seconds[i];
    }
    fprintf(stderr,
            "regret: %zu cell%s x %zu seed%s; %zu replicate%s in %.1f s, %.1f/s on %zu thread%s",
            s->cells, plural(s->cells), s->seeds, plural(s->seeds), made, plural(made), s->seconds,
            s->seconds > 0 ? (double)made / s->seconds : 0.0, threads, plural(threads));
    for (size_t i = 0; i < REGRET_N_STAGES && busy > 0.0; i++) {
        fprintf(stderr, "%s %s %.0f %%", i == 0 ? ";" : ",", s->stage_name[i],
                100.0 * s->stage_seconds[i] / busy);
    }
    fputc('\n', stderr);
}

static void on_notice(void *context, const char *message)
{
    (void)context;
    cli_say("%s", message);
}

/* What the end of a run needs to know of its beginning. */
struct run_call {
    struct regret_run_options options;
    struct progress_line line;
    int report; /* write the report, too */
};

static int print_report_path(const char *folder)
{
    struct regret_text line = REGRET_TEXT_INIT;
    regret_text_append_visible(&line, folder);
    regret_text_append(&line, "/report/report.md\n");
    return cli_print(&line, REGRET_OK);
}

/* Under the run's lock: nobody replaces the rows while the report is made of them. */
static int on_finish(void *context, const struct regret_run_summary *summary)
{
    struct run_call *call = context;
    const struct regret_run_options *o = &call->options;
    size_t made = summary->replicates - summary->resumed;
    if (call->line.shown && made > 0) {
        print_summary(summary, made, o->threads);
    }
    if (o->shards > 1) {
        cli_say("%s shard %zu of %zu %s %s; join them with 'regret merge'",
                made > 0 ? "wrote" : "complete already:", o->shard, o->shards,
                made > 0 ? "to" : "in", o->out);
        return REGRET_OK;
    }
    cli_say("%s %s",
            made > 0 ? "wrote the rows to" : "the run is complete, nothing was left to do in",
            o->out);
    return call->report ? regret_report_write(o->out, NULL, NULL) : REGRET_OK;
}

static int execute(struct run_call *call)
{
    struct regret_run_options *o = &call->options;
    struct regret_run_summary summary = {0};
    o->progress = on_progress;
    o->progress_context = &call->line;
    o->notice = on_notice;
    o->finish = on_finish;
    o->finish_context = call;
    cli_catch_interrupts();
    int rc = regret_run(&summary, o);
    if (rc != REGRET_OK) {
        if (call->line.terminal && call->line.last > 0.0) {
            fputc('\n', stderr);
        }
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
    int code = 0, no_report = 0, quiet = 0;
    o.threads = regret_processor_count();
    const struct cli_option options[] = {
        {"output", 'o', CLI_STRING, &o.out, "RUN", "run folder (default runs/NAME of the config)",
         0, 0},
        {"set", 's', CLI_LIST, &sets, "KEY=VALUE", "override a key; may be given many times", 0, 0},
        {"seeds", 0, CLI_SIZE, &seeds, "N", "the same as --set seeds=N", 1, 100000},
        {"threads", 'j', CLI_SIZE, &o.threads, "N", "threads (default: processors available)", 1,
         1024},
        {"shard", 0, CLI_STRING, &shard, "I/N",
         "compute the I-th of N parts; slurm: this array task's", 0, 0},
        {"resume", 0, CLI_FLAG, &o.resume, NULL, "go on with an interrupted run, or begin it", 0,
         0},
        {"force", 0, CLI_FLAG, &o.force, NULL, "replace an existing run folder", 0, 0},
        {"no-report", 0, CLI_FLAG, &no_report, NULL, "write only the rows", 0, 0},
        {"quiet", 'q', CLI_FLAG, &quiet, NULL, "no progress", 0, 0},
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
    o.config = rest.items[0];
    o.sets = sets.items;
    o.n_sets = sets.count;
    if (o.out == NULL) {
        default_folder(folder, sizeof folder, o.config);
        o.out = folder;
    }
    struct run_call call = {o, {!quiet, isatty(STDERR_FILENO), 0.0, 0}, !no_report};
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
        "bytes whatever the number of threads, shards or interruptions. Ctrl-C stops after the\n"
        "replicates at hand; --resume goes on, from the beginning where there is nothing yet, and\n"
        "ends at once where all is there. Only one process may write to a run folder. CONFIG may "
        "be\n"
        "the run.json of a run: its configuration, overrides included. Parts of a run take about\n"
        "equally long; they are cut by the estimated cost of cells. With --shard slurm, I and N "
        "are\n"
        "those of the task in its job array.",
    .examples = "regret run configs/smoke.json\n"
                "regret run configs/main.json -o runs/main --threads 8\n"
                "regret run configs/main.json --seeds 5 --set sweep.beta=[0,1] -o runs/few\n"
                "regret run configs/main.json --set pool=my/pool -o runs/mine\n"
                "regret run configs/main.json --shard 2/8 -o runs/main-2\n"
                "regret run configs/main.json --shard slurm -o runs/main-$SLURM_ARRAY_TASK_ID "
                "--resume",
    .run = run_run,
};
