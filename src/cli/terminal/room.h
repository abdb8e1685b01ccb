/* What every command shares: options, messages, names of configurations and pools, progress.
 *
 * Offers: cli_parse(), cli_report(), find_inputs(), struct progress, help of one command or of all to a visitor.
 * Way: argv → parse.c fills the targets of a command's table of options, or help.c shows it → find.c turns names into
 * paths → the command → screen.c, progress.c and interrupt.c beside it.
 * Uses: base/core, base/csv, base/files, base/json, base/text, experiment/config, report/folder, report/rows.
 */
#ifndef REGRET_CLI_TERMINAL_ROOM_H
#define REGRET_CLI_TERMINAL_ROOM_H

#include "cli/terminal/cli.h"
#include "cli/terminal/find.h"
#include "cli/terminal/help.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/screen.h"

#endif
