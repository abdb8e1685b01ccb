/* `regret rate`: the sub-commands about attribute effects.
 *
 * Offers: cmd_rate, which dispatches to them.
 * Way: cmd_rate.c lists the sub-commands → each cmd_rate_….c has its options, beside those that all share (arguments.h)
 * → arguments.c reads, derives and finishes the rows, has them studied and prints the document.
 * Uses: base/core, base/text, cli/terminal, rate/estimate, rate/inference, rate/labels, rate/read, rate/report,
 * rate/rows, rate/studies, report/render.
 */
#ifndef REGRET_CLI_RATE_ROOM_H
#define REGRET_CLI_RATE_ROOM_H

#endif
