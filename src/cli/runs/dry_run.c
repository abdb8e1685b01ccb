#include "cli/runs/dry_run.h"

#include "base/core/try.h"
#include "cli/terminal/cli.h"
#include "regret/file.h"
#include "regret/run_cost.h"

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

int dry_run(const struct regret_run_options *o, int report)
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
