/* Merging shards. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "experiment/fixture.h"
#include "regret/buffer.h"
#include "regret/status.h"

TestSuite(merge, .init = fixture_open, .fini = fixture_close);

enum { LINES = 12 };

static void make_shard(const char *out, size_t shard, size_t shards, const char *set)
{
    struct regret_run_options o = fixture_options(out);
    o.shard = shard;
    o.shards = shards;
    o.sets = &set;
    o.n_sets = set != NULL;
    o.threads = shard;
    fixture_run(&o);
}

/* The preview writes nothing, and ends as the merge does. */
static int as_previewed(const char *const *runs, size_t n)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    char out[256], said[1024];
    size_t before = fixture_entries();
    snprintf(out, sizeof out, "%s", sample_path("merged"));
    int expected = regret_merge_preview(&text, out, runs, n, NULL);
    snprintf(said, sizeof said, "%s", regret_error_message());
    cr_assert_eq(fixture_entries(), before);
    regret_buffer_free(&text);
    int rc = regret_merge(out, runs, n, NULL);
    cr_expect_eq(expected, rc, "%s", said);
    if (rc != REGRET_OK) {
        cr_expect_str_eq(said, regret_error_message());
    }
    return rc;
}

static int merge(const char *a, const char *b, const char *c)
{
    char paths[3][256];
    const char *runs[3] = {NULL, NULL, NULL}, *names[3] = {a, b, c};
    size_t n = 0;
    for (; n < 3 && names[n] != NULL; n++) {
        snprintf(paths[n], sizeof paths[n], "%s", sample_path(names[n]));
        runs[n] = paths[n];
    }
    return as_previewed(runs, n);
}

/* The merge fails, says so, and leaves nothing behind. */
static void refused(const char *a, const char *b, const char *c, const char *part)
{
    size_t before = fixture_entries();
    cr_assert_eq(merge(a, b, c), REGRET_E_INPUT, "%s", regret_error_message());
    cr_expect_not_null(strstr(regret_error_message(), part), "no \"%s\" in: %s", part,
                       regret_error_message());
    cr_assert_eq(fixture_entries(), before);
}

static void make_three(void)
{
    make_shard("s1", 1, 3, NULL);
    make_shard("s2", 2, 3, NULL);
    make_shard("s3", 3, 3, NULL);
}

Test(merge, shards_in_any_order_are_the_whole)
{
    fixture_make("whole");
    make_three();
    cr_assert_eq(merge("s3", "s1", "s2"), 0, "%s", regret_error_message());
    fixture_same_run("whole", "merged");
    cr_assert_eq(merge("s3", "s1", "s2"), REGRET_E_INPUT, "it exists now");
    /* A merged run is a run: it can be resumed and merged again. */
    struct regret_run_options o = fixture_options("merged");
    o.resume = 1;
    cr_assert_eq(fixture_run(&o).resumed, 6);
}

Test(merge, more_shards_than_replicates_are_refused)
{
    struct regret_run_options o = fixture_options("s");
    size_t before = fixture_entries();
    o.shard = 7;
    o.shards = 7;
    cr_assert_eq(regret_run(&(struct regret_run_summary){0}, &o), REGRET_E_INPUT);
    cr_assert_eq(fixture_entries(), before);
    for (size_t i = 1; i <= 6; i++) { /* as many are fine: one replicate each */
        char name[8];
        snprintf(name, sizeof name, "s%zu", i);
        make_shard(name, i, 6, NULL);
    }
}

/* Timings are in no result, so a lost timing file must not cost the rows. */
Test(merge, a_missing_timing_file_is_no_hindrance)
{
    fixture_make("whole");
    make_three();
    for (size_t i = 1; i <= 3; i++) {
        char name[64];
        snprintf(name, sizeof name, "s%zu/timing-%zu-of-3.jsonl", i, i);
        cr_assert_eq(unlink(sample_path(name)), 0);
    }
    cr_assert_eq(merge("s1", "s2", "s3"), 0, "%s", regret_error_message());
    fixture_same_run("whole", "merged");
}

/* Shards made from different working folders or machines spell the pool's path differently. */
Test(merge, the_pools_path_does_not_matter_but_its_digest_does)
{
    make_shard("s1", 1, 2, NULL);
    cr_assert_eq(rename(sample_path("pool"), sample_path("moved \"here\"")), 0);
    char set[300];
    snprintf(set, sizeof set, "pool=%s", sample_path("moved \"here\""));
    make_shard("s2", 2, 2, set);
    cr_assert_eq(merge("s1", "s2", NULL), 0, "%s", regret_error_message());
    cr_assert_eq(regret_folder_remove(sample_path("merged")), 0);
    fixture_pool(8, 4, 1, 1);
    make_shard("s3", 2, 2, NULL);
    refused("s1", "s3", NULL, "s3 is of another pool than ");
}

/* Changes `from` of a shard's run.json into `to`. */
static void edit_run(const char *name, const char *from, const char *to)
{
    struct regret_buffer other = REGRET_BUFFER_INIT;
    char *text = fixture_read(NULL, name);
    const char *at = strstr(text, from);
    cr_assert_not_null(at, "%s", from);
    regret_buffer_printf(&other, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    sample_write(name, regret_buffer_get(&other));
    regret_buffer_free(&other);
    regret_free(text);
}

/* Ranges are held against one another: programs that cut differently do not go together. */
Test(merge, ranges_must_join)
{
    make_three();
    edit_run("s2/run.json", "\"begin\":2,", "\"begin\":3,");
    edit_run("s2/run.json", "\"replicates\":2}", "\"replicates\":1}");
    sample_write("s2/results-2-of-3.jsonl", "");
    refused("s1", "s2", "s3", "s1 and ");
    refused("s1", "s2", "s3", "s2 do not join: replicates to 2 are followed by those from 3 on");
    refused("s3", "s2", "s1", "run every shard again by one, with --force");
    edit_run("s2/run.json", "\"begin\":3,", "\"begin\":1,");
    refused("s1", "s2", "s3", "do not join: replicates to 2 are followed by those from 1 on");
    refused("s2", "s3", NULL, "s2 and ");
    edit_run("s1/run.json", "\"begin\":0,", "\"begin\":1,");
    edit_run("s1/run.json", "\"replicates\":2}", "\"replicates\":1}");
    sample_write("s1/results-1-of-3.jsonl", "");
    refused("s1", "s3", NULL, "s1 and the run's beginning do not join");
    edit_run("s3/run.json", "\"replicates\":2}", "\"replicates\":1}");
    sample_write("s3/results-3-of-3.jsonl", "");
    refused("s3", NULL, NULL, "s3 and the run's end do not join");
    edit_run("s3/run.json", "\"begin\":4,", "");
    refused("s3", NULL, NULL, "an older regret made this shard");
}

static void expect_missing(const char *a, const char *b, const char *expected)
{
    char paths[2][256];
    const char *const runs[] = {paths[0], paths[1]};
    struct regret_buffer text = REGRET_BUFFER_INIT, wanted = REGRET_BUFFER_INIT;
    snprintf(paths[0], sizeof paths[0], "%s", sample_path(a));
    snprintf(paths[1], sizeof paths[1], "%s", b != NULL ? sample_path(b) : "");
    cr_assert_eq(regret_merge_missing(&text, runs, b != NULL ? 2 : 1), 0, "%s",
                 regret_error_message());
    for (const char *p = expected; *p != '\0'; p++) { /* @: the folder of the test */
        if (*p == '@') {
            regret_buffer_append(&wanted, sample_folder());
        } else {
            regret_buffer_append_char(&wanted, *p);
        }
    }
    cr_expect_str_eq(regret_buffer_get(&text), regret_buffer_get(&wanted));
    regret_buffer_free(&text);
    regret_buffer_free(&wanted);
}

/* Cells and seeds that are not there are named, with the commands that compute them; these are
 * tried. */
Test(merge, what_is_missing_is_listed_with_commands)
{
    static const char rows[] = "p 2/results-2-of-3.jsonl";
    make_shard("s-1-x", 1, 3, NULL);
    make_shard("p 2", 2, 3, NULL);
    expect_missing("s-1-x", "p 2",
                   "  shard 3/3 (not given) lacks seed 2, every cell\n"
                   "    regret run '@/p 2/run.json' --shard 3/3 -o '@/p 3' --resume\n");
    expect_missing("s-1-x", NULL,
                   "  shards 2/3 to 3/3 (not given) lack seeds 1 to 2, every cell\n"
                   "    regret run @/s-1-x/run.json --shard 2/3 -o @/s-2-x --resume\n"
                   "    regret run @/s-1-x/run.json --shard 3/3 -o @/s-3-x --resume\n");
    fixture_truncate(rows, fixture_line_end(rows, LINES + 1));
    expect_missing("p 2", NULL,
                   "  shard 1/3 (not given) lacks seed 0, every cell\n"
                   "    regret run '@/p 2/run.json' --shard 1/3 -o '@/p 1' --resume\n"
                   "  shard 2/3 (@/p 2, unfinished) lacks seed 1, cell 1\n"
                   "    regret run '@/p 2/run.json' --shard 2/3 -o '@/p 2' --resume\n"
                   "  shard 3/3 (not given) lacks seed 2, every cell\n"
                   "    regret run '@/p 2/run.json' --shard 3/3 -o '@/p 3' --resume\n");
    fixture_make("whole");
    struct regret_run_options o = fixture_options("p 2");
    char config[300];
    snprintf(config, sizeof config, "%s", sample_path("s-1-x/run.json"));
    o.config = config; /* as the command says */
    o.resume = 1;
    o.shard = 2;
    o.shards = 3;
    cr_assert_eq(fixture_run(&o).resumed, 1);
    o = fixture_options("s3");
    o.config = config;
    o.resume = 1;
    o.shard = 3;
    o.shards = 3;
    cr_assert_eq(fixture_run(&o).resumed, 0);
    expect_missing("s-1-x", "p 2",
                   "  shard 3/3 (not given) lacks seed 2, every cell\n"
                   "    regret run '@/p 2/run.json' --shard 3/3 -o '@/p 3' --resume\n");
    cr_assert_eq(merge("s-1-x", "p 2", "s3"), 0, "%s", regret_error_message());
    fixture_same_run("whole", "merged");
}

/* Ranges within seeds: as many shards as replicates. */
Test(merge, parts_of_seeds_are_named)
{
    char name[8];
    for (size_t i = 1; i <= 6; i++) {
        snprintf(name, sizeof name, "n%zu", i);
        make_shard(name, i, 6, NULL);
    }
    expect_missing("n2", "n5",
                   "  shard 1/6 (not given) lacks seed 0, cell 0\n"
                   "    regret run @/n2/run.json --shard 1/6 -o @/n1 --resume\n"
                   "  shards 3/6 to 4/6 (not given) lack seed 1, every cell\n"
                   "    regret run @/n5/run.json --shard 3/6 -o @/n3 --resume\n"
                   "    regret run @/n5/run.json --shard 4/6 -o @/n4 --resume\n"
                   "  shard 6/6 (not given) lacks seed 2, cell 1\n"
                   "    regret run @/n5/run.json --shard 6/6 -o @/n6 --resume\n");
    expect_missing("n2", NULL,
                   "  shard 1/6 (not given) lacks seed 0, cell 0\n"
                   "    regret run @/n2/run.json --shard 1/6 -o @/n1 --resume\n"
                   "  shards 3/6 to 6/6 (not given) lack seeds 1 to 2, every cell\n"
                   "    regret run @/n2/run.json --shard 3/6 -o @/n3 --resume\n"
                   "    regret run @/n2/run.json --shard 4/6 -o @/n4 --resume\n"
                   "    regret run @/n2/run.json --shard 5/6 -o @/n5 --resume\n"
                   "    regret run @/n2/run.json --shard 6/6 -o @/n6 --resume\n");
}
