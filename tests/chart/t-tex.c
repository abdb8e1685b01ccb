/* Charts for pgfplots. */
#include <criterion/criterion.h>
#include <string.h>

#include "chart/chart.h"
#include "kinds.h"

Test(tex, every_kind_is_a_picture)
{
    for (int kind = 0; kind < CHART_N_KINDS; kind++) {
        struct chart c;
        struct regret_buffer tex = REGRET_BUFFER_INIT;
        make_chart(&c, (enum chart_kind)kind, 3, 4, "50 % of #1 & _x_ \\input{y}");
        cr_assert_eq(chart_tex(&tex, &c), 0);
        const char *text = regret_buffer_get(&tex);
        cr_assert_not_null(strstr(text, "\\begin{tikzpicture}"), "%d", kind);
        cr_assert_not_null(strstr(text, "\\end{tikzpicture}"));
        cr_assert_null(strstr(text, "\\input{y}"), "%d", kind);
        cr_assert_null(strstr(text, "nan"), "%d", kind);
        regret_buffer_free(&tex);
        chart_free(&c);
    }
}
