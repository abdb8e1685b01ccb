/* Twelve coding agents at work on an issue.
 *
 * Offers: patches_agents[], and struct patches_work, which they do.
 * Way: agents.c says what each can → attempt.c tries to undo the fault → habits.c adds what the agent always does, in
 * its style (style.c).
 * Uses: base/core, base/text, synth/patches/issues.
 */
#ifndef REGRET_SYNTH_PATCHES_AGENTS_ROOM_H
#define REGRET_SYNTH_PATCHES_AGENTS_ROOM_H

#include "synth/patches/agents/work.h"

#endif
