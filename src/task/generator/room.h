/* Pools that a program makes: what a generator is, and a whole pool made by one.
 *
 * Offers: the registry of generators, regret_synth_pool() and _card() (regret/synth.h).
 * Way: a generator registers → synth.c finds it by "synth:NAME", asks it for contexts and answers → struct regret_pool.
 * Uses: base/core, base/text, pool/files, pool/spread.
 */
#ifndef REGRET_TASK_GENERATOR_ROOM_H
#define REGRET_TASK_GENERATOR_ROOM_H

#include "regret/synth.h"

#endif
