#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv_records.h"
#include "made_up.h"
#include "regret/buffer.h"
#include "regret/status.h"

static char folder_a[64], folder_b[64];

static void setup(void)
{
    made_folder(folder_a);
    made_folder(folder_b);
}

static void teardown(void)
{
    cr_assert_eq(regret_folder_remove(folder_a), 0);
    cr_assert_eq(regret_folder_remove(folder_b), 0);
}

TestSuite(compare, .init = setup, .fini = teardown);

static struct regret_results *read_run(const char *folder)
{
    struct regret_results *r = NULL;
    cr_assert_eq(regret_results_read(&r, folder), 0, "%s", regret_error_message());
    return r;
}

static char *compared(enum regret_format format)
{
    struct regret_results *a = read_run(folder_a), *b = read_run(folder_b);
    struct regret_buffer text = REGRET_BUFFER_INIT;
    cr_assert_eq(regret_report_compare(&text, a, b, REGRET_ONE_POOL, format), 0, "%s",
                 regret_error_message());
    regret_results_free(a);
    regret_results_free(b);
    return text.data;
}

static double worse(const struct made_up *m, size_t f, size_t cell, size_t seed)
{
    (void)m;
    return made_number(REGRET_MEASURE_REGRET, f, cell, seed) + 0.01 + 0.001 * (double)(seed % 2);
}

Test(compare, a_known_shift_is_found)
{
    struct made_up a = made_up_default(), b = made_up_default();
    b.regret = worse;
    made_up_write(&a, folder_a);
    made_up_write(&b, folder_b);
    char *text = compared(REGRET_FORMAT_CSV);
    struct csv_records t = csv_parse(text);
    const char *block = "24 common cells, 6 common seeds";
    cr_expect_lt(fabs(csv_value(&t, block, "cvci", "B − A ± SE") - 0.0105), 1e-14);
    /* The differences are 0.010 and 0.011, three times each. */
    cr_expect_lt(
        fabs(csv_se(&t, block, "cvci", "B − A ± SE") - sqrt(6.0 * 0.0005 * 0.0005 / 5.0 / 6.0)),
        1e-14);
    cr_expect_str_eq(csv_text(&t, block, "cvci", "Verdict"), "A better");
    cr_expect_eq(csv_value(&t, block, "oracle", "B − A ± SE"), 0.0);
    cr_expect_str_eq(csv_text(&t, block, "oracle", "Verdict"), "equal");
    csv_free(&t);
    regret_free(text);
}
