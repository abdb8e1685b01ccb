/* Where a log alone has an agent never, or next to never. */
#ifndef REGRET_LOG_OVERLAP_H
#define REGRET_LOG_OVERLAP_H

#include "regret/log.h"

/* Sets log->hole and takes agents off the offers of OBS there; of a log with a trial nothing, for its values rest on that. A part of
 * the rows is a hole of an agent where its share of all rows would give it 20, and it has no more than a twentieth of that, and of the part a
 * hundredth [C] (overlap: Crump, Hotz, Imbens and Mitnik, Biometrika 96, 2009, 187-199). Parts are levels of a tag, of a covariate of
 * words or of a word of the text, and ranges of a number or of the text's length, alone and within halves and levels of another. `tag` is
 * what tags are called. */
int log_find_overlap(struct regret_log *log, const char *tag);

#endif
