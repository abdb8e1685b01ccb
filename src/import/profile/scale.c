#include "import/profile/scale.h"

#include <stddef.h>

enum { SCALES = 8 };
static const double scales[SCALES][2] = {
    {0, 1},  {1, 5},  {0, 5},  {1, 7}, /* the narrow ones first */
    {1, 10}, {0, 10}, {-1, 1}, {0, 100}};

const double *scale_filled_by(double least, double most)
{
    for (size_t i = 0; i < SCALES; i++) {
        if (least >= scales[i][0] && most <= scales[i][1] &&
            2.0 * (most - least) >= scales[i][1] - scales[i][0]) {
            return scales[i];
        }
    }
    return NULL;
}

void scale_of(double out[2], double least, double most)
{
    const double *scale = scale_filled_by(least, most);
    out[0] = scale != NULL ? scale[0] : least;
    out[1] = scale != NULL ? scale[1] : most;
}
