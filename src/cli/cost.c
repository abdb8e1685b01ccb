/* `cost`: what a run will take. */
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "base/status.h"
#include "cli/internal.h"
#include "experiment/run_cost.h"
#include "regret/buffer.h"
#include "regret/experiment.h"
#include "regret/status.h"

/* A run cut into shards as a file for GNU make: `regret cost --format make`. */

/* A word for the shell, in a recipe: make reads every dollar. */
static int put_word(struct regret_buffer *out, const char *word)
{
    struct regret_buffer quoted = REGRET_BUFFER_INIT;
    if (strpbrk(word, "\r\n") != NULL) {
        return regret_fail(REGRET_E_INPUT,
                           "a recipe of make holds no line break: give what has one "
                           "in the configuration instead");
    }
    shell_word(&quoted, word);
    for (const char *c = regret_buffer_get(&quoted); c != NULL && *c != '\0'; c++) {
        regret_buffer_append(out, *c == '$' ? "$$" : (const char[]){*c, '\0'});
    }
    regret_buffer_free_into(out, &quoted);
    return REGRET_OK;
}

static int put_shard(struct regret_buffer *out, const char *config, const struct cli_list *sets,
                     const struct regret_run_options *o)
{
    regret_buffer_append(out, "\t$(REGRET) run ");
    TRY(put_word(out, config));
    for (size_t i = 0; i < sets->count; i++) {
        regret_buffer_append(out, " --set ");
        TRY(put_word(out, sets->items[i]));
    }
    regret_buffer_printf(out, "%s --shard $*/%zu --threads %zu -o $(RUN).shards/$* --resume -q\n",
                         o->commands.allow ? " --allow-commands" : "",
                         o->shards > 0 ? o->shards : 1, o->threads);
    return REGRET_OK;
}

/* Shards of `config` with these --set and options (shards, threads, commands.allow), then merge and report.
 * The shell and make read every word as it stands; a word with a line break is refused, since a recipe cannot hold one. */
static int cost_make_put(struct regret_buffer *out, const char *config, const struct cli_list *sets,
                         const struct regret_run_options *options)
{
    regret_buffer_append(
        out,
        "# make -f THIS-FILE -j JOBS [RUN=FOLDER] [REGRET=PROGRAM]. What failed or was stopped\n"
        "# is gone on with by the same command, and nothing else is computed again.\n"
        "REGRET ?= regret\nRUN ?= run\nSHARDS :=");
    for (size_t i = 1; i <= options->shards || i == 1; i++) {
        regret_buffer_printf(out, "%s%zu", i % 16 == 1 && i > 1 ? " \\\n  " : " ", i);
    }
    regret_buffer_append(out, "\n\n$(RUN)/report/report.html: $(RUN)/run.json\n"
                              "\t$(REGRET) report $(RUN)\n\n"
                              "$(RUN)/run.json: $(SHARDS:%=$(RUN).shards/%.done)\n"
                              "\t$(REGRET) merge $(SHARDS:%=$(RUN).shards/%) -o $(RUN)\n\n"
                              "$(SHARDS:%=$(RUN).shards/%.done): $(RUN).shards/%.done:\n"
                              "\tmkdir -p $(RUN).shards\n");
    TRY(put_shard(out, config, sets, options));
    regret_buffer_append(out, "\ttouch $@\n");
    return REGRET_OK;
}

static const double MIB = 1048576.0;

/* What a scheduler is asked for: room for a slower node, for the last replicates and for memory that
 * the probe did not see. */
static double asked_minutes(double seconds)
{
    return ceil((2.0 * seconds + 120.0) / 60.0);
}

static double asked_mebibytes(double bytes)
{
    return 16.0 * ceil((1.5 * bytes / MIB + 64.0) / 16.0);
}

/* Joining and reporting hold every row, a few times over. */
static double merge_bytes(const struct regret_run_cost *c)
{
    return 64.0 * MIB + 4.0 * c->row_bytes;
}

static double merge_seconds(const struct regret_run_cost *c)
{
    return 60.0 + c->row_bytes / MIB;
}

static void put_minutes(struct regret_buffer *t, double minutes)
{
    double hours = floor(minutes / 60.0), days = floor(hours / 24.0);
    regret_buffer_printf(t, "%.0f-%02.0f:%02.0f:00", days, hours - 24.0 * days,
                         minutes - 60.0 * hours);
}

static void put_slurm(struct regret_buffer *t, const struct regret_run_cost *c)
{
    regret_buffer_printf(t,
                         "array: --array=1-%zu --cpus-per-task=%zu --mem=%.0fM --time=", c->shards,
                         c->threads, asked_mebibytes(c->peak_bytes));
    put_minutes(t, asked_minutes(c->shard_seconds));
    regret_buffer_printf(
        t, "\nmerge: --cpus-per-task=1 --mem=%.0fM --time=", asked_mebibytes(merge_bytes(c)));
    put_minutes(t, asked_minutes(merge_seconds(c)));
    regret_buffer_append(t, "\n");
}

static void put_json(struct regret_buffer *t, const struct regret_run_cost *c)
{
    const struct {
        const char *name;
        double value;
    } members[] = {{"cells", (double)c->cells},
                   {"seeds", (double)c->seeds},
                   {"replicates", (double)c->replicates},
                   {"probed", (double)c->probed},
                   {"seconds_per_replicate", c->replicate_seconds},
                   {"shortest_replicate", c->shortest},
                   {"longest_replicate", c->longest},
                   {"processor_seconds", c->total_seconds},
                   {"setup_seconds", c->setup_seconds},
                   {"threads", (double)c->threads},
                   {"shards", (double)c->shards},
                   {"shard_replicates_least", (double)c->shard_least},
                   {"shard_replicates_most", (double)c->shard_most},
                   {"shard_seconds", c->shard_seconds},
                   {"peak_bytes", c->peak_bytes},
                   {"row_bytes", c->row_bytes}};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        regret_buffer_printf(t, "%s\"%s\":", i == 0 ? "{" : ",", members[i].name);
        regret_buffer_json_number(t, members[i].value);
    }
    regret_buffer_append(t, "}\n");
}

static void put_text(struct regret_buffer *t, const struct regret_run_cost *c)
{
    regret_buffer_printf(t, "replicates       %zu (%zu cells x %zu seeds)\n", c->replicates,
                         c->cells, c->seeds);
    regret_buffer_printf(t, "a replicate      %.3g s of a processor on average, %.3g to %.3g s ",
                         c->replicate_seconds, c->shortest, c->longest);
    regret_buffer_printf(t, "(%zu measured)\n", c->probed);
    regret_buffer_printf(t, "all replicates   %.3g s of a processor = %.2f hours", c->total_seconds,
                         c->total_seconds / 3600.0);
    regret_buffer_printf(t, ", by size of cells; %.2f to %.2f if all were alike\n",
                         c->shortest * (double)c->replicates / 3600.0,
                         c->longest * (double)c->replicates / 3600.0);
    regret_buffer_printf(t, "set-up           %.3g s, once a process\n", c->setup_seconds);
    regret_buffer_printf(t, "shards           %zu of %zu to %zu replicates, on %zu thread%s each\n",
                         c->shards, c->shard_least, c->shard_most, c->threads, plural(c->threads));
    regret_buffer_printf(t, "a shard          %.3g s at most, set-up included\n", c->shard_seconds);
    regret_buffer_printf(t, "memory           %.0f MiB a process (%.0f shared, %.1f a thread)\n",
                         c->peak_bytes / MIB, c->setup_bytes / MIB, c->thread_bytes / MIB);
    regret_buffer_printf(t, "rows             %.1f MiB\n", c->row_bytes / MIB);
}

/* Of make nothing is measured. */
static int append_cost(struct regret_buffer *t, const struct regret_run_options *o,
                       const char *config, const struct cli_list *sets, const char *format)
{
    struct regret_run_cost cost;
    if (strcmp(format, "make") == 0) {
        return cost_make_put(t, config, sets, o);
    }
    TRY(regret_run_cost(&cost, o));
    (format[0] == 't' ? put_text : format[0] == 'j' ? put_json : put_slurm)(t, &cost);
    return REGRET_OK;
}

static int run_cost(const struct cli_command *self, int argc, char **argv)
{
    struct regret_run_options o = REGRET_RUN_OPTIONS_INIT;
    struct cli_list sets = {{NULL}, 0};
    struct cli_arguments rest;
    const char *format = "text";
    int code = 0;
    o.threads = regret_processor_count();
    o.notice = dry_run_notice;
    const struct cli_option options[] = {CLI_SET(&sets),
                                         {"shards", 0, CLI_SIZE, &o.shards, "N",
                                          "parts that the run is cut into (default 1)", 1, 1000000},
                                         {"threads", 'j', CLI_SIZE, &o.threads, "N",
                                          "threads of a part (default: processors here)", 1, 1024},
                                         CLI_ALLOW_COMMANDS(&o.commands),
                                         CLI_OPTION("format", 0, CLI_STRING, &format,
                                                    "text|json|slurm|make",
                                                    "what is printed (default text)"),
                                         {0}};
    struct regret_buffer text = REGRET_BUFFER_INIT;
    struct find_inputs found;
    if (cli_parse(&rest, &code, self, options, 1, 1, argc, argv) ||
        (code = find_run_inputs(&found, &o, rest.items[0], &sets)) != 0) {
        return code;
    }
    if (o.commands.allow) {
        cli_catch_interrupts();
        o.commands.cancelled = cli_cancelled;
    }
    int rc = append_cost(&text, &o, rest.items[0], &sets, format);
    return cli_print(&text, rc);
}

const struct cli_command cmd_cost = {
    .name = "cost",
    .synopsis = "CONFIG [--shards N] [options]",
    .summary = "what a run will take: time and memory, measured on a few replicates",
    .detail =
        "Computes two replicates of the dearest cell and two of the cheapest, and writes nothing.\n"
        "The others are taken to lie between them by size; what it would be if all cells were as\n"
        "the one or the other stands beside. Times are of this machine's processor. --format "
        "slurm\n"
        "gives options for sbatch, with room for slower nodes: a line for the array and one for\n"
        "the job that joins the shards (see configs/slurm/submit.sh). --format make measures\n"
        "nothing and gives a file for GNU make: shards, merge and report.",
    .examples = "regret cost configs/main.json\n"
                "regret cost configs/main.json --shards 16 --threads 4\n"
                "regret cost configs/main.json --shards 16 --format slurm\n"
                "regret cost configs/main.json --shards 16 --threads 1 --format make > main.mk",
    .run = run_cost,
};
