/* What the completions of the shells have in common. */
#ifndef REGRET_CLI_HELP_COMPLETE_H
#define REGRET_CLI_HELP_COMPLETE_H

#include "cli/terminal/cli.h"

/* What a value, or an argument, is completed to. */
enum complete_kind {
    COMPLETE_NOTHING, /* a number, a name of the user's own */
    COMPLETE_FILE,
    COMPLETE_FOLDER,
    COMPLETE_CONFIG, /* a file, or the name of a configuration */
    COMPLETE_POOL,   /* a folder, or the name of a pool */
    COMPLETE_KEY,    /* KEY=VALUE of a configuration */
    COMPLETE_WORDS   /* one of some words */
};

/* What the value of an option is; for COMPLETE_WORDS the words are appended to `words` with blanks between. */
enum complete_kind complete_option(struct regret_buffer *words, const struct cli_option *o);
/* The same of the arguments of a command, by the first word of its synopsis. */
enum complete_kind complete_argument(struct regret_buffer *words, const struct cli_command *c);
/* The last word of the name of a command: "show" of "pool show". */
const char *complete_own_name(const struct cli_command *c);
/* For every configuration key with a list of values: BEFORE key BETWEEN value value … AFTER. */
void complete_key_words(struct regret_buffer *t, const char *before, const char *between,
                        const char *after);

/* One file a shell: appends the whole script, and returns an exit code. */
int complete_bash(struct regret_buffer *t, const struct cli_command *const *commands);
int complete_zsh(struct regret_buffer *t, const struct cli_command *const *commands);
int complete_fish(struct regret_buffer *t, const struct cli_command *const *commands);

#endif
