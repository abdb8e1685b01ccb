/* The corpora of the generators, read once a process. */
#ifndef REGRET_TESTS_SYNTH_CORPORA_H
#define REGRET_TESTS_SYNTH_CORPORA_H

#include "synth/article.h"

/* Makes every generator there is known to the library. */
void corpora_register(void);

const struct newswire_corpus *corpora_newswire(void);

#endif
