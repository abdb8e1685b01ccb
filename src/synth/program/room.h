/* `regret-synth`, which makes coding pools; nothing else links what it is made of.
 *
 * Offers: main().
 * Way: main.c reads the options → has the pool generated and writes it.
 * Uses: base/core, pool/files, synth/patches, task/generator.
 */
#ifndef REGRET_SYNTH_PROGRAM_ROOM_H
#define REGRET_SYNTH_PROGRAM_ROOM_H

#endif
