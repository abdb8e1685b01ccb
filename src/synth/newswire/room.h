/* A summarisation pool and its simulator: twenty summarisers and a judge that compares facts.
 *
 * Offers: the generators newswire, newswire-ceiling and newswire-fitted.
 * Way: an article → profile.c says how an agent does on it → abstract.c or extract.c writes the summary and what it
 * asserts (summary.c) → judge.c scores it by facts, labels.c measures it → newswire.c hands out text and scores.
 * Uses: base/core, base/text, synth/data, synth/newswire/article, task/generator.
 */
#ifndef REGRET_SYNTH_NEWSWIRE_ROOM_H
#define REGRET_SYNTH_NEWSWIRE_ROOM_H

#include "synth/newswire/newswire.h"

#endif
