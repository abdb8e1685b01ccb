/* A merge without its writing. */
#include <stdio.h>

#include "base/core/try.h"
#include "regret/file.h"
#include "results/merge/merge_shard.h"
#include "results/run/run_folder.h"

struct tally {
    size_t found, doubled, shards; /* replicates, and shards that are there */
};

/* The first shard of the list with the number of its last one. */
static const struct shard *first_of_number(const struct shard_list *list)
{
    const struct shard *last = &list->shard[list->n - 1];
    size_t i = 0;
    while (list->shard[i].run.range.shard != last->run.range.shard) {
        i++;
    }
    return &list->shard[i];
}

/* The last of the list. */
static void append_shard(struct regret_buffer *t, struct tally *tally,
                         const struct shard_list *list)
{
    const struct shard *s = &list->shard[list->n - 1], *first = first_of_number(list);
    const struct shard_range *r = &s->run.range;
    regret_buffer_printf(t, "%s: shard %zu/%zu, %zu of %zu replicates, %zu rows", s->folder,
                         r->shard, r->shards, s->found, r->end - r->begin, s->found * s->run.lines);
    if (first != s) {
        regret_buffer_printf(t, "; the same shard as %s", first->folder);
        tally->doubled += s->found;
    } else {
        tally->found += s->found;
        tally->shards++;
    }
    regret_buffer_append(t, "\n");
}

static void append_whole(struct regret_buffer *t, const struct tally *tally,
                         const struct shard_list *list)
{
    const struct run_file *run = &list->shard[0].run;
    size_t all = run->n_cells * run->n_seeds;
    size_t missing = tally->found < all ? all - tally->found : 0;
    regret_buffer_printf(t,
                         "%zu of %zu shards; rows: %zu found, %zu missing, %zu doubled (%zu of %zu "
                         "replicates)\n",
                         tally->shards, run->range.shards, tally->found * run->lines,
                         missing * run->lines, tally->doubled * run->lines, tally->found, all);
}

/* The first refusal, by the order of the folders as that of a merge. */
struct refusal {
    int rc;
    char message[1024];
};

static void refuse(struct regret_buffer *t, struct refusal *first, int rc, const char *folder)
{
    regret_buffer_printf(t, "%s: refused: %s\n", folder, regret_error_message());
    if (first->rc != REGRET_OK) {
        return;
    }
    first->rc = rc;
    snprintf(first->message, sizeof first->message, "%s", regret_error_message());
}

static int add_all(struct regret_buffer *t, struct shard_list *list, const char *const *runs,
                   size_t n_runs)
{
    struct refusal first = {REGRET_OK, ""};
    struct tally tally = {0, 0, 0};
    for (size_t i = 0; i < n_runs; i++) {
        int rc = shard_list_add(list, runs[i]);
        if (rc == REGRET_E_INPUT || rc == REGRET_E_IO) {
            refuse(t, &first, rc, runs[i]); /* and the others are looked at all the same */
            continue;
        }
        TRY(rc);
        append_shard(t, &tally, list);
    }
    if (list->n > 0) {
        append_whole(t, &tally, list);
    }
    return first.rc != REGRET_OK ? regret_fail(first.rc, "%s", first.message) : REGRET_OK;
}

int regret_merge_preview(struct regret_buffer *text, const char *out, const char *const *runs,
                         size_t n_runs, const struct regret_merge_options *options)
{
    const struct regret_merge_options none = {0}, *o = options != NULL ? options : &none;
    struct shard_list list = {NULL, 0};
    struct run_lock replaced = RUN_LOCK_INIT;
    int rc;
    TRY(shard_list_create(&list, n_runs));
    TRY_CLEANUP(add_all(text, &list, runs, n_runs));
    TRY_CLEANUP(shard_list_order(&list));
    TRY_CLEANUP(shard_list_check_complete(&list));
    if (o->force) {
        TRY_CLEANUP(run_lock_take(&replaced, out));
    }
    TRY_CLEANUP(regret_staging_check(out, o->force, RUN_FILES));
    rc = regret_buffer_status(text);
cleanup:
    run_lock_release(&replaced);
    shard_list_free(&list);
    return rc;
}
