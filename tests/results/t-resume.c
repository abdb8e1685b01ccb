/* Resuming: what is found in the folder is held against what should be there, and the folder is
 * one process's alone. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "experiment/fixture.h"
#include "regret/buffer.h"
#include "regret/status.h"

TestSuite(resume, .init = fixture_open, .fini = fixture_close);

enum { REPLICATES = 6, LINES = 12 };

static const char rows[] = "cut/results-1-of-1.jsonl";
static char noticed[2000];

static void on_notice(void *context, const char *message)
{
    (void)context;
    snprintf(noticed + strlen(noticed), sizeof noticed - strlen(noticed), "%s\n", message);
}

static struct regret_run_options resuming(const char *out)
{
    struct regret_run_options o = fixture_options(out);
    o.resume = 1;
    o.notice = on_notice;
    noticed[0] = '\0';
    return o;
}

static void refused(const struct regret_run_options *o, int code, const char *part)
{
    struct regret_run_summary s = {0};
    int rc = regret_run(&s, o);
    cr_expect_eq(rc, code, "%d for \"%s\": %s", rc, part, regret_error_message());
    cr_expect_not_null(strstr(regret_error_message(), part), "no \"%s\" in: %s", part,
                       regret_error_message());
}

/* The rows of "whole" with line `line` (from 1) changed: `from` of it replaced by `to`, or with
 * `from` NULL the whole line, its end included. */
static void damage(size_t line, const char *from, const char *to)
{
    char *text = fixture_read(NULL, "whole/results-1-of-1.jsonl");
    struct regret_buffer made = REGRET_BUFFER_INIT;
    char *start = text + fixture_line_end("whole/results-1-of-1.jsonl", line - 1);
    char *at = from != NULL ? strstr(start, from) : start;
    cr_assert(at != NULL && at < strchr(start, '\n'), "\"%s\" is not in line %zu", from, line);
    size_t n = from != NULL ? strlen(from) : strcspn(start, "\n") + 1;
    regret_buffer_printf(&made, "%.*s%s%s", (int)(at - text), text, to, at + n);
    sample_write(rows, regret_buffer_get(&made));
    regret_buffer_free(&made);
    regret_free(text);
}

static const struct {
    size_t line;
    const char *from, *to;
    size_t kept;
    const char *said;
} damages[] = {
    {30, NULL, "", 2, "jsonl:30: cell 0, seed 1, "}, /* one line lost */
    {1, NULL, "", 0, "jsonl:1: cell 0, seed 0, obs-only stands where cell 0, seed 0, exp-only"},
    {72, NULL, "", 5, " is cut: 5 replicates kept"},
    {14, NULL, "\n", 1, "jsonl:14: a blank line among the rows; 1 replicate kept"},
    {14, NULL, " \t\n\n", 1, "a blank line"},
    {40, NULL, "{\"cell\":0,\n", 3, "malformed JSON"},
    {40, "\"regret\":", "\"regret\":#", 3, "malformed JSON"},
    {40, "\"regret\":", "\"rmse\":0,\"egret\":", 3, "; 3 replicates kept"},
    {13, "\"spearman\":", "\"top2\":", 1, "unknown key \"top2\""},
    {25, ",\"cv\":null", "", 2, "jsonl:25: the row has not all of its fields"},
    {25, "\"seed\":1", "\"seed\":2", 2, "cell 0, seed 2, exp-only stands where"},
    {25, "\"beta\":0", "\"beta\":1", 2, "\"key\" is not that of cell 0"},
    {25, "\"regret\":", "\"regret\":-", 2, "jsonl:25: \"regret\" is -"},
    {25, "{", "[1]\n{", 2, "a row must be a JSON object"},
};

Test(resume, damage_anywhere_is_cut_and_computed_again)
{
    fixture_make("whole");
    fixture_make("cut");
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        damage(damages[i].line, damages[i].from, damages[i].to);
        struct regret_run_options o = resuming("cut");
        struct regret_run_summary s = fixture_run(&o);
        cr_expect_eq(s.resumed, damages[i].kept, "%zu: %zu kept", i, s.resumed);
        cr_expect_not_null(strstr(noticed, damages[i].said), "%zu: no \"%s\" in %s", i,
                           damages[i].said, noticed);
        cr_expect_not_null(strstr(noticed, " kept, the rest is computed again"), "%s", noticed);
        fixture_same_run("whole", "cut");
    }
    struct regret_run_options o = resuming("cut");
    cr_assert_eq(fixture_run(&o).resumed, REPLICATES);
    cr_assert_str_empty(noticed, "nothing is wrong any more");
}

Test(resume, zero_bytes_in_the_rows_are_damage_too)
{
    fixture_make("whole");
    fixture_make("cut");
    int fd = open(sample_path(rows), O_WRONLY);
    size_t from = fixture_line_end(rows, LINES + 3);
    cr_assert_eq(pwrite(fd, "\0\0\0\0", 4, (off_t)from + 20), 4);
    close(fd);
    struct regret_run_options o = resuming("cut");
    cr_assert_eq(fixture_run(&o).resumed, 1);
    fixture_same_run("whole", "cut");
}

Test(resume, timings_stay_with_their_rows)
{
    fixture_make("whole");
    fixture_make("cut");
    char *text = fixture_read(NULL, "cut/timing-1-of-1.jsonl");
    sample_write("cut/timing-1-of-1.jsonl", strchr(text, '\n') + 1); /* the first is lost */
    regret_free(text);
    damage(30, NULL, "");
    struct regret_run_options o = resuming("cut");
    cr_assert_eq(fixture_run(&o).resumed, 2);
    text = fixture_read(NULL, "cut/timing-1-of-1.jsonl");
    static const char *const starts[] = {"{\"cell\":0,\"seed\":1,", "{\"cell\":1,\"seed\":1,",
                                         "{\"cell\":0,\"seed\":2,", "{\"cell\":1,\"seed\":2,"};
    const char *line = text;
    for (size_t i = 0; i < 4; i++) {
        cr_assert(strncmp(line, starts[i], strlen(starts[i])) == 0, "%zu: %s", i, text);
        line += strcspn(line, "\n") + 1;
    }
    cr_assert_eq(*line, '\0');
    regret_free(text);
}

Test(resume, what_differs_is_named)
{
    static const struct {
        const char *set, *said;
    } cases[] = {
        {"n_exp=41", "r is a run of another configuration (n_exp is 40 there, 41 here); resume"},
        {"reward.map=sharpened",
         "configuration (reward.map is \"smooth\" there, \"sharpened\" here)"},
        {"sweep.beta=[0,0.5]", "configuration (sweep.beta is [0,1] there, [0,0.5] here)"},
        {"beta=1", "configuration (sweep.beta is [0,1] there, absent here)"},
        {"sweep.n_obs=[60,61]", "configuration (sweep.n_obs is absent there, [60,61] here)"},
        {"seeds=4", "configuration (seeds is 3 there, 4 here)"},
        {"families=[\"cvci\"]", "configuration (families is [\"exp-only\","},
    };
    fixture_make("r");
    struct regret_run_options o = resuming("r");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        o.sets = &cases[i].set;
        o.n_sets = 1;
        refused(&o, REGRET_E_INPUT, cases[i].said);
    }
    o.n_sets = 0;
    o.shards = 2;
    refused(&o, REGRET_E_INPUT, "another shard (shard is \"1/1\" there, \"1/2\" here)");
    o.shards = 1;
    char *run = fixture_read(NULL, "r/run.json");
    static const char *const edits[][3] = {
        {"\"version\":\"0.", "\"version\":\"9.", "another program (version is \"9."},
        {"\"kernel\":\"", "\"kernel\":\"Old ", "another machine (its kernel is \"Old "},
        {"\"begin\":0,", "", "another program (begin is absent there, 0 here)"},
        {"\"replicates\":", "\"replicates\":1", "another program (its run.json was written by"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        struct regret_buffer other = REGRET_BUFFER_INIT;
        char *tail = strstr(run, "\"synthetic\""); /* the program's version, not the pool's */
        char *at = strstr(tail, edits[i][0]);
        cr_assert_not_null(at, "%s", edits[i][0]);
        regret_buffer_printf(&other, "%.*s%s%s", (int)(at - run), run, edits[i][1],
                             at + strlen(edits[i][0]));
        sample_write("r/run.json", regret_buffer_get(&other));
        regret_buffer_free(&other);
        refused(&o, REGRET_E_INPUT, edits[i][2]);
    }
    sample_write("r/run.json", run);
    regret_free(run);
    cr_assert_eq(fixture_run(&o).resumed, REPLICATES);
    fixture_pool(8, 4, 1, 1); /* the same name, other texts */
    refused(&o, REGRET_E_INPUT, "another pool (its digest is \"");
    sample_write("r/run.json", "{");
    refused(&o, REGRET_E_INPUT, "run.json:1:1: ");
}

/* A run of a program that did not describe its families is the same run; one that describes them
 * otherwise is not. */
Test(resume, descriptions_of_families_may_be_absent)
{
    fixture_make("r");
    struct regret_run_options o = resuming("r");
    char *run = fixture_read(NULL, "r/run.json");
    struct regret_buffer other = REGRET_BUFFER_INIT;
    char *facts = strstr(run, "\"family_facts\""), *cells = strstr(run, "\"cells\"");
    cr_assert(facts != NULL && cells != NULL);
    regret_buffer_printf(&other, "%.*s%s", (int)(facts - run), run, cells);
    sample_write("r/run.json", regret_buffer_get(&other));
    cr_assert_eq(fixture_run(&o).resumed, REPLICATES);
    regret_buffer_clear(&other);
    char *role = strstr(facts, "\"paper\"");
    cr_assert_not_null(role);
    regret_buffer_printf(&other, "%.*s\"other\"%s", (int)(role - run), run,
                         role + strlen("\"paper\""));
    sample_write("r/run.json", regret_buffer_get(&other));
    refused(&o, REGRET_E_INPUT, "another program (its run.json was written by another build)");
    regret_buffer_free(&other);
    regret_free(run);
}

Test(resume, one_process_at_a_time)
{
    fixture_make("r");
    int held = open(sample_path("r/run.json"), O_RDONLY);
    cr_assert_eq(flock(held, LOCK_EX | LOCK_NB), 0, "a finished run holds nothing");
    struct regret_run_options o = resuming("r");
    refused(&o, REGRET_E_IO, "another process is writing to ");
    o.resume = 0;
    o.force = 1;
    refused(&o, REGRET_E_IO, "another process is writing to ");
    const char *runs[] = {o.out};
    const struct regret_merge_options force = {.force = 1};
    cr_assert_eq(regret_merge(o.out, runs, 1, &force), REGRET_E_IO);
    cr_assert(regret_file_exists(sample_path("r/results-1-of-1.jsonl")), "nothing was touched");

    close(held);
    fixture_run(&o);
    o.force = 0;
    o.resume = 1;
    cr_assert_eq(fixture_run(&o).resumed, REPLICATES);
}

static int expect_locked(void *context, const struct regret_progress *progress)
{
    (void)progress;
    int fd = open(context, O_RDONLY);
    int rc = flock(fd, LOCK_EX | LOCK_NB);
    int busy = rc != 0 && errno == EWOULDBLOCK;
    close(fd);
    return !busy;
}

Test(resume, the_lock_is_held_while_the_run_goes_on)
{
    char path[300];
    snprintf(path, sizeof path, "%s", sample_path("r/run.json"));
    for (int force = 0; force < 2; force++) {
        struct regret_run_options o = fixture_options("r");
        o.force = force;
        o.progress = expect_locked;
        o.progress_context = path;
        fixture_run(&o);
    }
    fixture_truncate("r/results-1-of-1.jsonl", 0);
    struct regret_run_options o = resuming("r");
    o.progress = expect_locked;
    o.progress_context = path;
    fixture_run(&o);
}

Test(resume, empty_folders_are_taken)
{
    cr_assert_eq(regret_folder_create(sample_path("a")), 0);
    fixture_make("a");
    cr_assert_eq(regret_folder_create(sample_path("b")), 0);
    struct regret_run_options o = resuming("b");
    char slashed[300];
    snprintf(slashed, sizeof slashed, "%s//", o.out);
    o.out = slashed;
    fixture_run(&o);
    fixture_same_run("a", "b");
    cr_assert_eq(regret_folder_create(sample_path("c")), 0);
    sample_write("c/note", "");
    o = resuming("c");
    refused(&o, REGRET_E_INPUT, "c has no run.json, so there is no run to resume");
    cr_assert_eq(regret_folder_create(sample_path("d")), 0);
    cr_assert_eq(symlink("d", sample_path("link")), 0);
    o = fixture_options("link");
    refused(&o, REGRET_E_INPUT, "link exists already");
}

/* What grid.policy does about missing outputs is said before the run begins. */
Test(resume, losses_of_the_grid_are_announced)
{
    const struct sample_shape shape = {12, 5, 1, 0.15, 6, 5};
    struct regret_pool *pool = sample_pool(&shape);
    cr_assert_eq(regret_pool_write(pool, sample_path("pool"), NULL, 1), 0);
    size_t missing = pool->n_contexts * pool->n_agents - pool->n_outputs;
    cr_assert_gt(missing, 2);
    struct regret_run_options o = resuming("r");
    const char *sets[] = {"grid.policy=impute-zero", "seeds=1"};
    o.sets = sets;
    o.n_sets = 2;
    fixture_run(&o);
    char said[200];
    snprintf(said, sizeof said,
             "pool %s: %zu missing outputs counted as 0; the grid has 12 contexts and 5 agents "
             "(see grid.policy)\n",
             pool->name, missing);
    cr_expect_str_eq(noticed, said);
    sets[0] = "grid.policy=complete";
    o = resuming("s");
    o.sets = sets;
    o.n_sets = 2;
    fixture_run(&o);
    size_t contexts = 0, agents = 5;
    const char *grid = strstr(noticed, " left out for missing outputs; the grid has ");
    cr_assert_not_null(grid, "%s", noticed);
    cr_assert_eq(sscanf(grid, " left out for missing outputs; the grid has %zu contexts and %zu",
                        &contexts, &agents),
                 2);
    cr_expect(contexts < 12 || agents < 5);
    snprintf(said, sizeof said, "%zu context", 12 - contexts);
    cr_expect(contexts == 12 || strstr(noticed, said) != NULL, "%s", noticed);
    regret_pool_free(pool);
}
