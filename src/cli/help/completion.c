#include "cli/help/completion.h"

#include <string.h>

#include "cli/help/complete.h"

int completion_print(const char *shell, const struct cli_command *const *commands)
{
    static const struct {
        const char *name;
        int (*write)(struct regret_buffer *t, const struct cli_command *const *commands);
    } shells[] = {{"bash", complete_bash}, {"zsh", complete_zsh}, {"fish", complete_fish}};
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(shell, shells[i].name) == 0) {
            struct regret_buffer script = REGRET_BUFFER_INIT;
            int code = shells[i].write(&script, commands);
            if (code != CLI_OK) {
                regret_buffer_free(&script);
                return code;
            }
            return cli_print(&script, REGRET_OK);
        }
    }
    return cli_usage_error("--completion wants bash, zsh or fish, not \"%s\"", shell);
}
