#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pool/sample.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "regret/task.h"

TestSuite(pool_fuzz, .init = sample_hand_written, .fini = sample_cleanup);

/* Bytes that JSON is sensitive to, so that many changes get past the parser. */
static const char SENSITIVE[] = "{}[]\",:0123456789.-+eE\\u \nntf\x01\xff\xc3";

static void mutate(char *text, size_t *length, struct regret_rng *r)
{
    size_t changes = 1 + regret_rng_below(r, 2);
    for (size_t i = 0; i<changes && * length> 2; i++) {
        size_t at = regret_rng_below(r, (uint32_t)*length);
        switch (regret_rng_below(r, 4)) {
        case 0: /* another byte */
            text[at] = SENSITIVE[regret_rng_below(r, sizeof SENSITIVE - 1)];
            break;
        case 1: /* any byte */
            text[at] = (char)regret_rng_below(r, 256);
            break;
        case 2: { /* a run removed */
            size_t run = 1 + regret_rng_below(r, 12);
            run = run < *length - at ? run : *length - at;
            memmove(text + at, text + at + run, *length - at - run);
            *length -= run;
            break;
        }
        default: { /* a run copied over another */
            size_t from = regret_rng_below(r, (uint32_t)*length);
            size_t top = at > from ? at : from;
            size_t run = 1 + regret_rng_below(r, 12);
            run = run < *length - top ? run : *length - top;
            memmove(text + at, text + from, run);
        }
        }
    }
}

Test(pool_fuzz, damaged_pools_are_read_or_refused, .timeout = 120)
{
    static const char *const FILES[] = {"p/pool.json", "p/contexts.jsonl", "p/outputs.jsonl"};
    struct regret_rng r = regret_rng_at(11, REGRET_RNG_TEST, 0);
    char *original[3];
    size_t length[3];
    size_t accepted = 0;
    for (size_t f = 0; f < 3; f++) {
        cr_assert_eq(regret_file_read(&original[f], &length[f], sample_path(FILES[f]), 1 << 20), 0);
    }
    for (int round = 0; round < 2000; round++) {
        size_t f = regret_rng_below(&r, 3), n = length[f];
        char *text = malloc(n);
        memcpy(text, original[f], n);
        mutate(text, &n, &r);
        FILE *file = fopen(sample_path(FILES[f]), "wb");
        cr_assert(file != NULL && fwrite(text, 1, n, file) == n && fclose(file) == 0);
        struct regret_pool *p = NULL;
        int rc = regret_pool_read(&p, sample_path("p"));
        cr_assert(rc == REGRET_OK || rc == REGRET_E_INPUT, "round %d: %d %s", round, rc,
                  regret_error_message());
        cr_assert_eq(rc == REGRET_OK, p != NULL);
        if (rc == REGRET_OK) { /* what is accepted is fit for use */
            struct regret_grid *grid = NULL;
            accepted++;
            cr_assert_eq(regret_pool_check(p), 0, "%s", regret_error_message());
            cr_assert_eq(regret_grid_cut(&grid, p, NULL), 0, "%s", regret_error_message());
            regret_grid_free(grid);
        } else {
            cr_assert_not_null(strstr(regret_error_message(), "/p/"), "%s", regret_error_message());
        }
        regret_pool_free(p);
        file = fopen(sample_path(FILES[f]), "wb");
        cr_assert(file != NULL && fwrite(original[f], 1, length[f], file) == length[f] &&
                  fclose(file) == 0);
        free(text);
    }
    cr_assert(accepted > 40 && accepted < 1960, "%zu of 2000 accepted", accepted);
    for (size_t f = 0; f < 3; f++) {
        regret_free(original[f]);
    }
}
