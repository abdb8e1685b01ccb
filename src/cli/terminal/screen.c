#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/terminal/screen.h"

int screen_is_terminal(void)
{
    const char *kind = getenv("TERM");
    return isatty(STDERR_FILENO) && (kind == NULL || strcmp(kind, "dumb") != 0);
}

/* The first that is set decides, as in setlocale(3); which locales are installed here says nothing of
 * the terminal. */
static int is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && value[0] != '\0') {
            const char *set = strchr(value, '.');
            return set != NULL &&
                   (strncasecmp(set, ".utf-8", 6) == 0 || strncasecmp(set, ".utf8", 5) == 0);
        }
    }
    return 0;
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

static int wants_colour(void)
{
    const char *no = getenv("NO_COLOR"); /* no-color.org: present and not empty */
    return no == NULL || no[0] == '\0';
}

/* Unicode on a terminal whose locale is UTF-8, colours on a terminal unless NO_COLOR is set. */
int screen_ranking(struct regret_buffer *out, const struct regret_results *results)
{
    int is_terminal = screen_is_terminal();
    const struct regret_terminal terminal = {.columns = screen_columns(),
                                             .unicode = is_terminal && is_utf8(),
                                             .colour = is_terminal && wants_colour()};
    return regret_report_ranking(out, results, &terminal);
}
