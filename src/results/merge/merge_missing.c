/* What a merge lacks, and the commands that compute it. */
#include <stdio.h>
#include <string.h>

#include "base/core/try.h"
#include "results/merge/merge_shard.h"

/* "seed 3, cells 5 to 47; seeds 4 to 6, every cell; seed 7, cell 0" of the replicates [begin, end),
 * whose order is seed by seed. */
static void append_replicates(struct regret_buffer *t, const struct run_file *run, size_t begin,
                              size_t end)
{
    size_t cells = run->n_cells;
    for (const char *joint = ""; begin < end; joint = "; ") {
        long long seed = run->first_seed + (long long)(begin / cells);
        size_t cell = begin % cells, stop = begin - cell + cells;
        if (cell == 0 && stop <= end) {
            size_t seeds = (end - begin) / cells;
            regret_buffer_printf(t, seeds > 1 ? "%sseeds %lld to %lld" : "%sseed %lld", joint, seed,
                                 seed + (long long)seeds - 1);
            regret_buffer_append(t, ", every cell");
            begin += seeds * cells;
            continue;
        }
        size_t last = (stop < end ? stop : end) - begin + cell - 1;
        regret_buffer_printf(
            t, cell < last ? "%sseed %lld, cells %zu to %zu" : "%sseed %lld, cell %zu", joint, seed,
            cell, last);
        begin += last - cell + 1;
    }
}

/* The folder of shard `number`, called as that of `like` is with the number in its last name changed:
 * parts/2 for parts/1; parts-2-of-8 where there is none. */
static void append_folder(struct regret_buffer *t, const struct shard *like, size_t number)
{
    char digits[32];
    size_t n = strlen(like->folder);
    while (n > 1 && like->folder[n - 1] == '/') {
        n--;
    }
    size_t d = (size_t)snprintf(digits, sizeof digits, "%zu", like->run.range.shard), at = n;
    /* From the back, and a number of its own: not the 1 of "v12-1". */
    for (size_t i = n; at == n && i-- > 0 && like->folder[i] != '/';) {
        int starts = i == 0 || !strchr("0123456789", like->folder[i - 1]);
        int ends = i + d <= n && (i + d == n || !strchr("0123456789", like->folder[i + d]));
        if (starts && ends && strncmp(like->folder + i, digits, d) == 0) {
            at = i;
        }
    }
    regret_buffer_append_n(t, like->folder, at);
    if (at < n) {
        regret_buffer_printf(t, "%zu", number);
        regret_buffer_append_n(t, like->folder + at + d, n - at - d);
    } else {
        regret_buffer_printf(t, "-%zu-of-%zu", number, like->run.range.shards);
    }
}

static void append_command(struct regret_buffer *t, const struct shard *there, size_t number)
{
    struct regret_buffer folder = REGRET_BUFFER_INIT;
    if (number == there->run.range.shard) {
        regret_buffer_append(&folder, there->folder);
    } else {
        append_folder(&folder, there, number);
    }
    regret_buffer_append(t, "    ");
    const struct run_resume missing = {there->folder, regret_buffer_get(&folder), number,
                                       there->run.range.shards};
    run_resume_command(t, &missing, there->run.subject, there->run.n_families);
    regret_buffer_append(t, "\n");
    regret_buffer_free_into(t, &folder);
}

/* The shards [first, last] that were not given lack the replicates [begin, end). Where one ends and
 * the next begins, only computing the costs would tell. */
static void append_gap(struct regret_buffer *t, const struct shard *there, size_t first,
                       size_t last, size_t begin, size_t end)
{
    size_t of = there->run.range.shards;
    if (first > last) {
        return;
    }
    regret_buffer_printf(t,
                         first < last ? "  shards %zu/%zu to %zu/%zu (not given) lack "
                                      : "  shard %zu/%zu (not given) lacks ",
                         first, of, last, of);
    append_replicates(t, &there->run, begin, end);
    regret_buffer_append(t, "\n");
    for (size_t k = first; k <= last; k++) {
        append_command(t, there, k);
    }
}

static void append_unfinished(struct regret_buffer *t, const struct shard *s)
{
    if (s->run.range.begin + s->found == s->run.range.end) {
        return;
    }
    regret_buffer_printf(t, "  shard %zu/%zu (%s, unfinished) lacks ", s->run.range.shard,
                         s->run.range.shards, s->folder);
    append_replicates(t, &s->run, s->run.range.begin + s->found, s->run.range.end);
    regret_buffer_append(t, "\n");
    append_command(t, s, s->run.range.shard);
}

int regret_merge_missing(struct regret_buffer *text, const char *const *runs, size_t n_runs)
{
    struct shard_list list = {NULL, 0};
    TRY(shard_list_read(&list, runs, n_runs));
    size_t number = 1, begin = 0;
    for (size_t i = 0; i < list.n; i++) {
        const struct shard *s = &list.shard[i];
        append_gap(text, s, number, s->run.range.shard - 1, begin, s->run.range.begin);
        append_unfinished(text, s);
        number = s->run.range.shard + 1;
        begin = s->run.range.end;
    }
    const struct shard *last = &list.shard[list.n - 1];
    append_gap(text, last, number, last->run.range.shards, begin,
               last->run.n_cells * last->run.n_seeds);
    shard_list_free(&list);
    return regret_buffer_status(text);
}
