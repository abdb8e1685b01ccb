/* Scales that people score on. */
#ifndef REGRET_IMPORT_SCALE_H
#define REGRET_IMPORT_SCALE_H

#include "import/profile/profile.h"

enum { SCALES = 8 };
extern const double scales[SCALES][2]; /* the narrow ones first */
/* Whether the numbers of a column lie on a scale and fill half of it. */
int scale_is_filled(const double scale[2], const struct profile_column *column);
/* The narrowest scale of which the numbers fill half; or the numbers as they come. */
void scale_of(double out[2], const struct profile_column *column);

#endif
