/* The corpora of the generators, read once a process. */
#ifndef REGRET_TESTS_SYNTH_CORPORA_H
#define REGRET_TESTS_SYNTH_CORPORA_H

#include "synth/newswire/corpus.h"
#include "synth/patches/corpus.h"

const struct newswire_corpus *corpora_newswire(void);
const struct patches_corpus *corpora_patches(void);

#endif
