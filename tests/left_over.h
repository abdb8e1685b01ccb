/* What an output that was not finished leaves beside its place. */
#ifndef REGRET_TESTS_LEFT_OVER_H
#define REGRET_TESTS_LEFT_OVER_H

#include <glob.h>
#include <stdio.h>

/* The names in `folder` of outputs under construction or moved aside. */
static inline size_t left_over(const char *folder)
{
    static const char *const kinds[] = {"partial", "replaced"};
    size_t n = 0;
    for (size_t i = 0; i < 2; i++) {
        char pattern[512];
        glob_t found;
        snprintf(pattern, sizeof pattern, "%s/*.%s-*", folder, kinds[i]);
        if (glob(pattern, 0, NULL, &found) == 0) {
            n += found.gl_pathc;
            globfree(&found);
        }
    }
    return n;
}

#endif
