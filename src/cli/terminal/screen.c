#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text/wrap.h"
#include "cli/terminal/screen.h"

int screen_is_terminal(void)
{
    const char *kind = getenv("TERM");
    return isatty(STDERR_FILENO) && (kind == NULL || strcmp(kind, "dumb") != 0);
}

size_t screen_columns(void)
{
    const char *given = getenv("COLUMNS");
    char *end = NULL;
    unsigned long n =
        given != NULL && isdigit((unsigned char)given[0]) ? strtoul(given, &end, 10) : 0;
    struct winsize size;
    if (n > 0 && n <= 10000 && *end == '\0') {
        return (size_t)n;
    }
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* A command that a message names stands on a line of its own, not wrapped, to be copied. */
void screen_put_message(const char *message, size_t columns)
{
    struct regret_buffer whole = REGRET_BUFFER_INIT, lines = REGRET_BUFFER_INIT;
    const char *command = NULL;
    if (isatty(STDERR_FILENO)) {
        columns = screen_columns();
        command = strstr(message, ": regret ");
    }
    size_t n = command != NULL ? (size_t)(command - message) + 1 : strlen(message);
    regret_buffer_printf(&whole, "regret: %.*s", (int)n, message);
    text_wrap_wide(&lines, regret_buffer_get(&whole), columns > 0 ? columns : (size_t)-1);
    if (command != NULL) {
        regret_buffer_printf(&lines, "    %s\n", command + 2);
    }
    regret_buffer_clear(&whole);
    regret_buffer_append_visible(&whole, regret_buffer_get(&lines));
    regret_buffer_free_into(&whole, &lines);
    fputs(regret_buffer_status(&whole) == REGRET_OK ? regret_buffer_get(&whole)
                                                    : "regret: out of memory\n",
          stderr);
    regret_buffer_free(&whole);
}

int screen_ending(struct regret_buffer *out, const struct regret_results *results,
                  const char *folder)
{
    return regret_report_ending(out, results, folder,
                                isatty(STDERR_FILENO) ? screen_columns() : SCREEN_MOST);
}
