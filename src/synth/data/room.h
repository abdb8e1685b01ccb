/* What the generators are made of: the files of data/synth, built in.
 *
 * Offers: struct data, which reads them, and struct arena, memory freed all at once.
 * Way: cmake/embed.cmake makes tables of files → data.c parses and checks their JSON, keeping the line of every object
 * → what a generator reads lives in the arena (arena.c).
 * Uses: base/core, base/json, base/text.
 */
#ifndef REGRET_SYNTH_DATA_ROOM_H
#define REGRET_SYNTH_DATA_ROOM_H

#include "synth/data/arena.h"
#include "synth/data/data.h"

#endif
