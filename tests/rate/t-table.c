/* Which rows count, which models are there, and files that complete one another. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "rate/typos.h"
#include "regret/buffer.h"
#include "regret/rate.h"
#include "regret/status.h"

TestSuite(table, .fini = scratch_remove);

static struct regret_rate_rows *read_files(const char *one, const char *two, int keep_texts)
{
    struct regret_rate_rows *rows = NULL;
    char first[512], second[512];
    snprintf(first, sizeof first, "%s", scratch_file("one.jsonl", one));
    snprintf(second, sizeof second, "%s", scratch_file("two.jsonl", two));
    const char *const paths[2] = {first, second};
    const struct regret_rate_read_options how = {.keep_texts = keep_texts, .need_scores = 1};
    cr_assert_eq(regret_rate_read(&rows, paths, 2, &how), 0, "%s", regret_error_message());
    return rows;
}

/* The same estimates as when both models are in one file. */
Test(table, files_put_together_estimate_alike)
{
    char *jsonl = random_jsonl(300, 4);
    struct regret_rate_rows *both = rows_of(jsonl), *split;
    struct regret_buffer one = REGRET_BUFFER_INIT, two = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < both->n_rows; i++) {
        for (size_t m = 0; m < 2; m++) {
            size_t at = m == 0 ? i : both->n_rows - 1 - i;
            regret_buffer_printf(m == 0 ? &one : &two,
                                 "{\"id\": \"r%zu\", \"dataset\": \"D\", \"attribute\": \"a\", "
                                 "\"w\": %d, \"scores\": {\"m%zu\": {\"original\": %.17g, "
                                 "\"rewrite\": %.17g, \"rewrite_of_rewrite\": %.17g}}}\n",
                                 at, both->w[at], m, both->models[m].score[0][at],
                                 both->models[m].score[1][at], both->models[m].score[2][at]);
        }
    }
    split = read_files(regret_buffer_get(&one), regret_buffer_get(&two), 0);
    cr_assert_eq(regret_rate_rows_finish(split), 0);
    cr_assert_eq(split->n_rows, both->n_rows);
    size_t n = 0, k = 0;
    struct regret_rate_estimate *a = estimates_of(both, &n, REGRET_SE_PAIRED);
    struct regret_rate_estimate *b = estimates_of(split, &k, REGRET_SE_PAIRED);
    cr_assert(n == 2 && k == 2);
    for (size_t i = 0; i < n; i++) {
        for (int e = 0; e < REGRET_N_EFFECTS; e++) {
            cr_assert_eq(a[i].effects[e].estimate, b[i].effects[e].estimate);
            cr_assert_eq(a[i].effects[e].se, b[i].effects[e].se);
        }
    }
    for (int issue = 0; issue < REGRET_RATE_N_ISSUES; issue++) {
        cr_assert_eq(split->issues[issue].count, 0);
    }
    regret_free(a);
    regret_free(b);
    regret_rate_rows_free(both);
    regret_rate_rows_free(split);
    regret_buffer_free(&one);
    regret_buffer_free(&two);
    regret_free(jsonl);
}
