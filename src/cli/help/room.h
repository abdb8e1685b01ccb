/* What completes commands in shells, made of the tables that the parser has.
 *
 * Offers: complete_print(), which is `regret --complete`; data/completion has what asks it.
 * Way: help.h shows the command at hand, and those below it, to complete.c, which says what its last word can be.
 * Uses: base/core, base/files, base/text, cli/terminal, experiment/config, report/rows, report/tables.
 */
#ifndef REGRET_CLI_HELP_ROOM_H
#define REGRET_CLI_HELP_ROOM_H

#include "cli/help/complete.h"

#endif
