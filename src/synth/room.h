/* The generators that a run can make its pool with ("pool": "synth:NAME").
 *
 * Offers: synth_register().
 * Way: synth.c lists them → the library knows them by name.
 * Uses: base/core, synth/newswire, task/generator.
 */
#ifndef REGRET_SYNTH_ROOM_H
#define REGRET_SYNTH_ROOM_H

#include "synth/synth.h"

#endif
