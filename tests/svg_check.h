/* Whether a picture is one. */
#ifndef REGRET_TESTS_SVG_CHECK_H
#define REGRET_TESTS_SVG_CHECK_H

#include <criterion/criterion.h>
#include <string.h>

/* Well-formed, as far as it matters: every tag is closed in order, "<" and "&" are escaped. */
static inline void check_svg(const char *svg, const char *name)
{
    const char *open[16];
    size_t depth = 0, length[16];
    cr_assert_eq(strncmp(svg, "<svg xmlns=", 11), 0, "%s", name);
    for (const char *p = strchr(svg, '<'); p != NULL; p = strchr(p + 1, '<')) {
        const char *end = strchr(p, '>');
        cr_assert_not_null(end, "%s: a tag without its end", name);
        if (p[1] == '/') {
            cr_assert_gt(depth, 0);
            depth--;
            cr_assert_eq(strncmp(p + 2, open[depth], length[depth]), 0, "%s: %.20s", name, p);
        } else if (end[-1] != '/') {
            cr_assert_lt(depth, 16);
            open[depth] = p + 1;
            length[depth++] = strcspn(p + 1, " >");
        }
        for (const char *q = p; q < end; q++) {
            cr_assert_neq(*q, '&', "%s", name);
        }
    }
    cr_assert_eq(depth, 0, "%s", name);
    for (const char *p = strchr(svg, '&'); p != NULL; p = strchr(p + 1, '&')) {
        cr_assert(strncmp(p, "&amp;", 5) == 0 || strncmp(p, "&lt;", 4) == 0 ||
                      strncmp(p, "&gt;", 4) == 0 || strncmp(p, "&quot;", 6) == 0,
                  "%s: %.12s", name, p);
    }
    cr_assert_not_null(strstr(svg, "<title id=\""), "%s", name);
    cr_assert_not_null(strstr(svg, "<desc id=\""), "%s", name);
    cr_assert_null(strstr(svg, "nan"), "%s draws nan", name);
    cr_assert_null(strstr(svg, "inf\""), "%s draws inf", name);
}

#endif
