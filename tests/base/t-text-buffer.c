#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regret/alloc.h"
#include "regret/rng.h"
#include "regret/text_buffer.h"

Test(text_buffer, json_numbers_read_back_exactly)
{
    struct regret_text t = REGRET_TEXT_INIT;
    struct regret_rng r = regret_rng_at(5, REGRET_RNG_TEST, 0);
    for (int i = 0; i < 10000; i++) {
        double x = ldexp(regret_rng_uniform(&r) - 0.5, (int)regret_rng_below(&r, 200) - 100);
        regret_text_clear(&t);
        regret_text_json_number(&t, x);
        cr_assert_eq(strtod(regret_text_get(&t), NULL), x);
    }
    regret_text_clear(&t);
    regret_text_json_number(&t, 0.1);
    regret_text_json_number(&t, NAN);
    cr_assert_str_eq(regret_text_get(&t), "0.1null");
    regret_text_free(&t);
}

Test(text_buffer, json_strings_are_escaped)
{
    struct regret_text t = REGRET_TEXT_INIT;
    regret_text_json_string(&t, "a\"b\\c\n\t\x01\x7f\xc3\xa9");
    cr_assert_str_eq(regret_text_get(&t), "\"a\\\"b\\\\c\\n\\t\\u0001\\u007f\xc3\xa9\"");
    regret_text_free(&t);
}

Test(text_buffer, errors_are_sticky)
{
    struct regret_text t = REGRET_TEXT_INIT;
    regret_alloc_fail_after(0);
    regret_text_append(&t, "x");
    regret_alloc_fail_after(-1);
    regret_text_append(&t, "y");
    cr_assert_eq(regret_text_status(&t), REGRET_E_NOMEM);
    cr_assert_str_eq(regret_text_get(&t), "");
    regret_text_clear(&t);
    regret_text_printf(&t, "%d-%s", 5, "z");
    cr_assert_str_eq(regret_text_get(&t), "5-z");
    cr_assert_eq(regret_text_status(&t), REGRET_OK);
    regret_text_free(&t);
}
