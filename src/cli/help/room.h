/* Manual pages and completions, made of the tables that the parser has.
 *
 * Offers: manual_print(), completion_print().
 * Way: help.h shows every command to a visitor → manual.c writes roff; completion.c chooses complete_bash.c,
 * complete_zsh.c or complete_fish.c, which ask complete.c what an option or argument can be.
 * Uses: base/core, base/text, cli/terminal, experiment/config, report/rows, report/tables.
 */
#ifndef REGRET_CLI_HELP_ROOM_H
#define REGRET_CLI_HELP_ROOM_H

#include "cli/help/completion.h"
#include "cli/help/manual.h"

#endif
