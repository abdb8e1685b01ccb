/* Predictions of files. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/scratch.h"
#include "external/prediction_file.h"

TestSuite(prediction_file, .init = scratch_enter, .fini = scratch_leave);

/* A pool as far as ids go. */
static const struct regret_pool *ids(void)
{
    static char x1[] = "x,1", x2[] = "x2", a[] = "a", b[] = "b";
    static struct regret_context contexts[] = {{.id = x1}, {.id = x2}};
    static struct regret_agent agents[] = {{.id = a}, {.id = b}};
    static struct regret_pool pool;
    pool = (struct regret_pool){
        .contexts = contexts, .n_contexts = 2, .agents = agents, .n_agents = 2};
    return &pool;
}

static double found(const struct prediction_file *f, unsigned long long cell,
                    unsigned long long seed, unsigned long long context, unsigned long long agent,
                    unsigned long long draw)
{
    const struct prediction_key key = {cell, seed, 0, context, agent, draw};
    double x = 0.0;
    int there = prediction_file_find(&x, f, &key);
    cr_assert_eq(there, !isnan(x));
    return x;
}

Test(prediction_file, columns_that_are_not_there_do_not_matter)
{
    struct prediction_file *f = NULL;
    scratch_put("p.csv", "agent,prediction,context\nb,0.25,\"x,1\"\na,-7e-1,x2\r\n");
    cr_assert_eq(prediction_file_read(&f, "p.csv", ids()), 0, "%s", regret_error_message());
    cr_expect_eq(found(f, 0, 0, 0, 1, 0), 0.25);
    cr_expect_eq(found(f, 5, 17, 0, 1, 2), 0.25);
    cr_expect_eq(found(f, 0, 0, 1, 0, 0), -0.7);
    cr_expect(isnan(found(f, 0, 0, 0, 0, 0)));
    cr_expect_eq(strlen(prediction_file_digest(f)), 32);
    prediction_file_free(f);
}

Test(prediction_file, the_whole_key)
{
    struct prediction_file *f = NULL;
    FILE *out = fopen("p.csv", "w");
    fputs("cell,seed,fold,context,agent,draw,prediction\n", out);
    for (int i = 63; i >= 0; i--) {
        fprintf(out, "%d,%d,0,%s,%s,%d,%.17g\n", i & 1, i >> 1 & 3, i >> 3 & 1 ? "x2" : "\"x,1\"",
                i >> 4 & 1 ? "b" : "a", i >> 5, i / 64.0);
    }
    fclose(out);
    cr_assert_eq(prediction_file_read(&f, "p.csv", ids()), 0, "%s", regret_error_message());
    for (unsigned i = 0; i < 64; i++) {
        cr_expect_eq(found(f, i & 1, i >> 1 & 3, i >> 3 & 1, i >> 4 & 1, i >> 5), i / 64.0);
    }
    cr_expect(isnan(found(f, 2, 0, 0, 0, 0)));
    prediction_file_free(f);
}

Test(prediction_file, a_folder_is_its_csv_files)
{
    struct prediction_file *f = NULL, *g = NULL;
    cr_assert_eq(mkdir("d", 0700), 0);
    scratch_put("d/1.csv", "context,agent,prediction\nx2,a,1\n");
    scratch_put("d/2.csv", "prediction,context,agent\n2,x2,b\n");
    scratch_put("d/notes.txt", "not read");
    cr_assert_eq(prediction_file_read(&f, "d", ids()), 0, "%s", regret_error_message());
    cr_expect_eq(found(f, 0, 0, 1, 0, 0), 1.0);
    cr_expect_eq(found(f, 0, 0, 1, 1, 0), 2.0);
    scratch_put("d/2.csv", "prediction,context,agent\n3,x2,b\n");
    cr_assert_eq(prediction_file_read(&g, "d", ids()), 0);
    cr_expect_str_neq(prediction_file_digest(f), prediction_file_digest(g));
    prediction_file_free(f);
    prediction_file_free(g);
}

Test(prediction_file, what_is_refused)
{
    static const char *const cases[][2] = {
        {"", "a header with the columns context, agent and prediction"},
        {"context,agent\n", "a header with the columns"},
        {"context,agent,prediction,weight\n", "unknown column \"weight\""},
        {"context,agent,prediction,agent\n", "a second column \"agent\""},
        {"context,agent,prediction\nx2,a\n", "p.csv:2: 2 fields where the header has 3"},
        {"context,agent,prediction\nx3,a,1\n", "p.csv:2: the pool has no context \"x3\""},
        {"context,agent,prediction\nx2,c,1\n", "the pool has no agent \"c\""},
        {"context,agent,prediction\nx2,a,\n", "must be a finite number, not \"\""},
        {"context,agent,prediction\nx2,a,nan\n", "must be a finite number, not \"nan\""},
        {"context,agent,prediction\nx2,a,1e999\n", "must be a finite number"},
        {"context,agent,prediction\nx2,a,1 \n", "must be a finite number"},
        {"context,agent,prediction,seed\nx2,a,1,-1\n", "\"seed\" must be a whole number"},
        {"context,agent,prediction,seed\nx2,a,1,99999999999999999999\n", "must be a whole number"},
        {"context,agent,prediction\nx2,a,1\nx2,a,1\n", "context \"x2\" and agent \"a\""},
        {"context,agent,prediction\n\xff,a,1\n", "is no UTF-8 text"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct prediction_file *f = NULL;
        scratch_put("p.csv", cases[i][0]);
        cr_expect_eq(prediction_file_read(&f, "p.csv", ids()), REGRET_E_INPUT, "%s", cases[i][0]);
        cr_expect_not_null(strstr(regret_error_message(), cases[i][1]), "%s",
                           regret_error_message());
        cr_expect_null(f);
    }
    struct prediction_file *f = NULL;
    cr_assert_eq(mkdir("empty", 0700), 0);
    cr_expect_eq(prediction_file_read(&f, "empty", ids()), REGRET_E_INPUT);
    cr_expect_neq(prediction_file_read(&f, "nothing.csv", ids()), 0);
    scratch_put("empty/1.csv", "context,agent,prediction\nx2,a,1\n");
    scratch_put("empty/2.csv", "context,agent,seed,prediction\nx2,b,1,1\n");
    cr_expect_eq(prediction_file_read(&f, "empty", ids()), REGRET_E_INPUT);
    cr_expect_not_null(strstr(regret_error_message(), "other columns than the file before"));
}

/* Neither read for ever nor half by the digest and half by the table. */
/* Predictions on another scale than outcomes are refused; some beyond its ends are not. */
Test(prediction_file, outside_the_scale)
{
    struct prediction_file *f = NULL;
    scratch_put("p.csv", "context,agent,prediction\nx2,a,1.5\nx2,b,0.5\n");
    cr_assert_eq(prediction_file_read(&f, "p.csv", ids()), 0, "%s", regret_error_message());
    prediction_file_free(f);
    f = NULL;
    scratch_put("p.csv", "context,agent,prediction\nx2,a,50\nx2,b,60\n\"x,1\",b,0.5\n");
    cr_assert_eq(prediction_file_read(&f, "p.csv", ids()), REGRET_E_INPUT);
    cr_expect_not_null(strstr(regret_error_message(), "2 of 3 predictions are outside 0 to 1"));
}

Test(prediction_file, what_is_no_regular_file)
{
    struct prediction_file *f = NULL;
    cr_assert_eq(mkfifo("pipe.csv", 0600), 0);
    cr_assert_eq(mkdir("d", 0700), 0);
    cr_assert_eq(mkdir("d/folder.csv", 0700), 0);
    cr_assert_eq(symlink("/dev/zero", "link.csv"), 0);
    static const char *const paths[] = {"/dev/zero", "/dev/null", "pipe.csv", "d", "link.csv"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        cr_expect_eq(prediction_file_read(&f, paths[i], ids()), REGRET_E_INPUT, "%s", paths[i]);
        cr_expect_not_null(strstr(regret_error_message(), "is not a regular file"), "%s",
                           regret_error_message());
        cr_expect_null(f);
    }
}
