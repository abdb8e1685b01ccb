#include "import/profile/scale.h"

#include <string.h>

const double scales[SCALES][2] = {{0, 1},  {1, 5},  {0, 5},  {1, 7},
                                  {1, 10}, {0, 10}, {-1, 1}, {0, 100}};

int scale_is_filled(const double scale[2], const struct profile_column *c)
{
    return c->least >= scale[0] && c->most <= scale[1] &&
           2.0 * (c->most - c->least) >= scale[1] - scale[0];
}

void scale_of(double out[2], const struct profile_column *c)
{
    size_t i = 0;
    while (i < SCALES && !scale_is_filled(scales[i], c)) {
        i++;
    }
    out[0] = i < SCALES ? scales[i][0] : c->least;
    out[1] = i < SCALES ? scales[i][1] : c->most;
}
