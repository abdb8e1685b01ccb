/* `regret`: the program.
 *
 * Offers: main() and the list of commands.
 * Way: main.c sets the process up → finds the command in commands.c, the list above all of them → the command runs its
 * own way; cmd_doctor.c, of no other room, checks library and machine.
 * Uses: base/core, cli/answers, cli/evaluate, cli/help, cli/pools, cli/rate, cli/runs, cli/terminal,
 * linalg/dense, report/render, synth.
 */
#ifndef REGRET_CLI_ROOM_H
#define REGRET_CLI_ROOM_H

#include "cli/commands.h"

#endif
