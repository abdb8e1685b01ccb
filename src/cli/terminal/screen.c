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

void screen_put_message(const char *message, size_t columns)
{
    struct regret_buffer whole = REGRET_BUFFER_INIT, lines = REGRET_BUFFER_INIT;
    regret_buffer_append(&whole, "regret: ");
    regret_buffer_append_visible(&whole, message);
    regret_buffer_append(&whole, "\n");
    columns = isatty(STDERR_FILENO) ? screen_columns() : columns;
    text_wrap_wide(&lines, regret_buffer_get(&whole), columns > 0 ? columns : (size_t)-1);
    regret_buffer_free_into(&lines, &whole);
    if (regret_buffer_status(&lines) == REGRET_OK) {
        fputs(regret_buffer_get(&lines), stderr);
    } else {
        fprintf(stderr, "regret: %s\n", message);
    }
    regret_buffer_free(&lines);
}

int screen_ending(struct regret_buffer *out, const struct regret_results *results,
                  const char *folder)
{
    return regret_report_ending(out, results, folder,
                                isatty(STDERR_FILENO) ? screen_columns() : SCREEN_MOST);
}
