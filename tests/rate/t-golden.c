/* The committed outputs (reports/rate) against what the program writes now. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "regret/buffer.h"
#include "regret/rate.h"
#include "regret/status.h"

TestSuite(golden, .fini = scratch_remove);

/* Numbers within a billionth, everything else to the byte. */
static void check_cell(const char *now, const char *golden, const char *file, size_t cell)
{
    char *end_now = NULL, *end_golden = NULL;
    double a = strtod(now, &end_now), b = strtod(golden, &end_golden);
    if (end_golden == golden || *end_golden != '\0' || end_now == now || *end_now != '\0') {
        cr_assert_str_eq(now, golden, "%s, cell %zu", file, cell);
    } else {
        cr_assert(fabs(a - b) <= 1e-9 * fmax(1.0, fabs(b)), "%s, cell %zu: %s, was %s", file, cell,
                  now, golden);
    }
}

static void check_golden(const char *file, const char *arguments)
{
    char path[512];
    int status = 0;
    snprintf(path, sizeof path, "%s/reports/rate/%s", REGRET_SOURCE_FOLDER, file);
    char *text = run_program(&status, arguments, "2>/dev/null");
    cr_assert_eq(status, 0, "regret %s", arguments);
    struct csv now = csv_parse(text), golden = csv_read(path);
    cr_assert_eq(now.n_columns, golden.n_columns, "%s", file);
    cr_assert_eq(now.n_rows, golden.n_rows, "%s", file);
    cr_assert_gt(golden.n_rows, 5);
    for (size_t k = 0; k < (now.n_rows + 1) * now.n_columns; k++) {
        check_cell(now.cells[k], golden.cells[k], file, k);
    }
    csv_free(&now);
    csv_free(&golden);
    regret_free(text);
}

/* The next cell of a Markdown table, or word outside of one; 0 at the end. */
static int next_piece(char out[256], const char **at)
{
    size_t n = strspn(*at, " |\n");
    *at += n;
    n = strcspn(*at, " |\n");
    cr_assert_lt(n, 256);
    memcpy(out, *at, n);
    out[n] = '\0';
    *at += n;
    return n > 0;
}

/* Markdown shows four significant digits: the last may turn. */
static void check_markdown(const char *file, const char *arguments)
{
    char path[512], now[256], golden[256];
    int status = 0;
    size_t pieces = 0;
    snprintf(path, sizeof path, "%s/reports/rate/%s", REGRET_SOURCE_FOLDER, file);
    char *text = run_program(&status, arguments, "2>/dev/null"), *old = NULL;
    cr_assert_eq(status, 0, "regret %s", arguments);
    cr_assert_eq(regret_file_read(&old, NULL, path, 1 << 24), 0, "%s", regret_error_message());
    const char *a = text, *b = old;
    while (next_piece(golden, &b)) {
        char *end = NULL;
        cr_assert(next_piece(now, &a), "%s: shorter", file);
        double x = strtod(now, NULL), y = strtod(golden, &end);
        if (*end != '\0') {
            cr_assert_str_eq(now, golden, "%s, piece %zu", file, pieces);
        } else {
            cr_assert(fabs(x - y) <= 2e-3 * fabs(y) + 1e-9, "%s, piece %zu: %s, was %s", file,
                      pieces, now, golden);
        }
        pieces++;
    }
    cr_assert(!next_piece(now, &a), "%s: longer", file);
    cr_assert_gt(pieces, 100);
    regret_free(text);
    regret_free(old);
}

/* The commands are those of reports/rate/README.md. */
Test(golden, estimate)
{
    check_golden("estimate.csv", "rate estimate data/rate/rows.jsonl --bootstrap 500 "
                                 "--edit tuned=sim-policy,sim-base -f csv");
}

Test(golden, estimate_unpaired)
{
    check_golden("estimate-unpaired.csv",
                 "rate estimate data/rate/authors-layout.jsonl --se unpaired -f csv");
}

Test(golden, unlabelled)
{
    check_golden("unlabelled.csv",
                 "rate estimate data/rate/unlabelled.jsonl --predict-w text -f csv");
}

Test(golden, shift)
{
    check_golden("shift.csv", "rate shift data/rate/rows.jsonl -f csv");
}

Test(golden, counts)
{
    check_golden("counts-imdb.csv", "rate shift --sizes 4574,4574,4574,4574 -f csv");
    check_golden("counts-helpsteer.csv", "rate shift --sizes 2575,2575,2575,2575 -f csv");
}

#ifndef REGRET_FEW_REPLICATES /* a whole simulation: its parts are in t-world.c */
Test(golden, world)
{
    check_golden("world.csv", "rate world -f csv");
    check_markdown("world.md", "rate world");
}
#endif

Test(golden, contrasts)
{
    check_golden("contrasts.csv", "rate contrast data/rate/rows.jsonl -f csv");
}

Test(golden, markdown)
{
    check_markdown("contrasts.md", "rate contrast data/rate/rows.jsonl");
    check_markdown("estimate.md", "rate estimate data/rate/rows.jsonl --bootstrap 500 "
                                  "--edit tuned=sim-policy,sim-base");
    check_markdown("check.md", "rate check data/rate/rows.jsonl --classifier text");
    check_markdown("rough.md", "rate estimate data/rate/rough.jsonl");
}
