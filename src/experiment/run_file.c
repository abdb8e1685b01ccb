#include "experiment/run_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cJSON.h>

#include "base/output.h"
#include "base/try.h"
#include "experiment/rows.h"
#include "regret/alloc.h"
#include "regret/blas.h"
#include "regret/file.h"
#include "regret/results.h"

static void string_field(struct regret_text *t, const char *name, const char *value)
{
    regret_text_printf(t, "\"%s\":", name);
    regret_text_json_string(t, value != NULL ? value : "");
    regret_text_append_char(t, ',');
}

static void describe_pool(struct regret_text *t, const struct regret_grid *g)
{
    const struct regret_pool *pool = g->pool;
    regret_text_append(t, "\"pool\":{");
    string_field(t, "name", pool->name);
    string_field(t, "title", pool->title);
    string_field(t, "version", pool->version);
    string_field(t, "licence", pool->licence);
    string_field(t, "source", pool->source);
    string_field(t, "digest", pool->digest);
    regret_text_printf(t,
                       "\"synthetic\":%s,\"contexts\":%zu,\"agents\":%zu,\"draws\":%zu,"
                       "\"dropped_contexts\":%zu,\"dropped_agents\":%zu,\"imputed\":%zu},\n",
                       pool->synthetic ? "true" : "false", g->n_contexts, g->n_agents, g->n_draws,
                       g->dropped_contexts, g->dropped_agents, g->imputed);
}

void run_file_describe(struct regret_text *t, const struct regret_plan *plan,
                       const struct plan_inputs *inputs, const struct shard_range *range)
{
    struct regret_config first;
    struct regret_blas_info blas = regret_blas_describe();
    size_t cells = regret_plan_cells(plan);
    regret_plan_cell(&first, plan, 0);
    regret_text_append(t, "{");
    string_field(t, "format", REGRET_RUN_FORMAT);
    regret_text_append(t, "\n\"config\":");
    regret_plan_json(t, plan);
    regret_text_append(t, ",\n");
    describe_pool(t, inputs->features[0]->grid);
    string_field(t, "version", regret_version());
    regret_text_printf(t, "\"results_version\":%d,\"blas\":{", REGRET_RESULTS_VERSION);
    string_field(t, "build", blas.build);
    regret_text_append(t, "\"kernel\":");
    regret_text_json_string(t, blas.kernel);
    regret_text_append(t, "},\n\"families\":[");
    for (size_t i = 0; i < first.families.n; i++) {
        regret_text_append(t, i > 0 ? "," : "");
        regret_text_json_string(t, regret_family_at(first.families.index[i])->name);
    }
    regret_text_append(t, "],\n\"cells\":[");
    for (size_t c = 0; c < cells; c++) {
        regret_text_printf(t, "%s\n{\"cell\":%zu,\"key\":", c > 0 ? "," : "", c);
        regret_plan_cell_key(t, plan, c);
        regret_text_append(t, "}");
    }
    regret_text_printf(t, "],\n\"seeds\":%zu,\"rows\":%zu,", first.seeds,
                       rows_count(&first, inputs->features[0]->grid->pool));
    run_file_describe_range(t, range);
}

void run_file_describe_range(struct regret_text *t, const struct shard_range *range)
{
    regret_text_printf(t, "\"shard\":\"%zu/%zu\",\"begin\":%zu,\"replicates\":%zu}\n", range->shard,
                       range->shards, range->begin, range->end - range->begin);
}

/* "2/8" */
static int parse_label(struct shard_range *range, const char *label)
{
    char *end = NULL;
    if (label[0] < '0' || label[0] > '9') {
        return 0;
    }
    unsigned long long i = strtoull(label, &end, 10);
    if (end[0] != '/' || end[1] < '0' || end[1] > '9') {
        return 0;
    }
    unsigned long long n = strtoull(end + 1, &end, 10);
    range->shard = (size_t)i;
    range->shards = (size_t)n;
    return *end == '\0' && i >= 1 && i <= n && n <= SHARDS_MOST;
}

int run_file_read_range(struct shard_range *out, const struct row_order *order,
                        struct regret_place at)
{
    const char *label = NULL;
    struct shard_range range;
    long long begin = 0, replicates = 0, total = (long long)(order->cells * order->seeds);
    TRY(regret_json_get_string(&label, order->run, "shard", at));
    if (!parse_label(&range, label)) {
        return regret_json_error(at, "\"shard\" must look like \"1/4\", but is \"%.20s\"", label);
    }
    if (cJSON_GetObjectItemCaseSensitive(order->run, "begin") == NULL) {
        return regret_json_error(at, "no \"begin\": an older regret made this shard, and did not "
                                     "record where it begins; run the shards again with --force");
    }
    TRY(regret_json_get_integer(&begin, order->run, "begin", 0, total - 1, at));
    TRY(regret_json_get_integer(&replicates, order->run, "replicates", 1, total - begin, at));
    range.begin = (size_t)begin;
    range.end = (size_t)(begin + replicates);
    *out = range;
    return REGRET_OK;
}

int row_file_open(struct row_file *f, const char *folder, const char *name, size_t keep)
{
    *f = (struct row_file)ROW_FILE_INIT;
    TRY(regret_path_join(&f->path, folder, name));
    TRY(output_open(&f->fd, f->path, O_WRONLY | O_CREAT | O_APPEND));
    if (ftruncate(f->fd, (off_t)keep) != 0) {
        return regret_fail(REGRET_E_IO, "cannot cut %s: %s", f->path, strerror(errno));
    }
    f->length = keep;
    return REGRET_OK;
}

/* Are the bytes written so far, and no others, where they are looked for? A file that was removed,
 * moved or cut by others takes every write without an error. */
static int check_in_place(const struct row_file *f)
{
    struct stat held, found;
    if (fstat(f->fd, &held) != 0) {
        return regret_fail(REGRET_E_IO, "cannot examine %s: %s", f->path, strerror(errno));
    }
    if (lstat(f->path, &found) != 0 || held.st_dev != found.st_dev || held.st_ino != found.st_ino) {
        return regret_fail(REGRET_E_IO,
                           "%s was removed, moved or replaced while the run was writing to it",
                           f->path);
    }
    if ((uintmax_t)held.st_size != f->length) {
        return regret_fail(REGRET_E_IO,
                           "%s has %jd bytes, but the run has written %zu: another program has "
                           "changed it",
                           f->path, (intmax_t)held.st_size, f->length);
    }
    return REGRET_OK;
}

int row_file_append(struct row_file *f, const char *text, size_t length)
{
    TRY(check_in_place(f));
    TRY(output_write(f->fd, text, length, f->path));
    f->length += length;
    return REGRET_OK;
}

int row_file_close(struct row_file *f)
{
    int rc = REGRET_OK;
    if (f->fd >= 0) {
        TRY_CLEANUP(check_in_place(f));
        TRY_CLEANUP(output_sync(f->fd, f->path));
        int closed = close(f->fd);
        f->fd = -1;
        rc = closed == 0
                 ? REGRET_OK
                 : regret_fail(REGRET_E_IO, "cannot write %s: %s", f->path, strerror(errno));
    }
cleanup:
    row_file_abandon(f);
    return rc;
}

void row_file_abandon(struct row_file *f)
{
    if (f->fd >= 0) {
        (void)fsync(f->fd);
        close(f->fd);
    }
    regret_free(f->path);
    *f = (struct row_file)ROW_FILE_INIT;
}
