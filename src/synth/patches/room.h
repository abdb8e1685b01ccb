/* A coding pool and its simulator, made by regret-synth alone.
 *
 * Offers: the generator patches.
 * Way: an issue → an agent's attempt → its diff, judged → patches.c hands out text and scores.
 * Uses: base/core, base/text, pool/files, synth/data, synth/patches/agents, synth/patches/issues, task/generator,
 * text/patch.
 */
#ifndef REGRET_SYNTH_PATCHES_ROOM_H
#define REGRET_SYNTH_PATCHES_ROOM_H

#include "synth/patches/patches.h"

#endif
