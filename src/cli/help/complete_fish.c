#include "cli/help/complete.h"
#include "cli/terminal/help.h"
#include "regret/config.h"

static const char FUNCTIONS[] =
    "function __regret_names # configs or pools: what there is by name, as the program at hand "
    "finds it\n"
    "    set -l words (commandline -opc)\n"
    "    set -l program (string replace -r '^~/' $HOME/ -- $words[1])\n"
    "    type -q $program; and $program --names $argv[1] 2>/dev/null </dev/null\n"
    "end\n"
    "function __regret_at # COMMAND...: whether the words begin with this command\n"
    "    set -l words (commandline -opc)\n"
    "    test \"$words[2]\" = help; and set -e words[2]\n"
    "    set -l n (count $argv)\n"
    "    test (count $words) -gt $n; or return 1\n"
    "    set -l last (math $n + 1)\n"
    "    test $n -eq 0; or test \"$words[2..$last]\" = \"$argv\"\n"
    "end\n"
    "function __regret_next # COMMAND...: whether they are this command, and no more\n"
    "    set -l words (commandline -opc)\n"
    "    test \"$words[2]\" = help; and set -e words[2]\n"
    "    test (count $words) -eq (math (count $argv) + 1); and __regret_at $argv\n"
    "end\n"
    "function __regret_key # KEY=VALUE of a configuration\n"
    "    set -l word (string replace -r '^(--set=|-s)' '' -- (commandline -ct))\n"
    "    if string match -q '*=*' -- $word\n"
    "        set -l key (string replace -r '=.*' '' -- $word)\n"
    "        for choice in (__regret_choices (string replace -r '^sweep\\.' '' -- $key))\n"
    "            echo $key=$choice\n"
    "        end\n"
    "    else if string match -q 'sweep.*' -- $word\n"
    "        string replace -r '^' sweep. -- (__regret_keys)\n"
    "    else\n"
    "        __regret_keys\n"
    "    end\n"
    "end\n";

/* Text in the single quotes of fish. */
static void put_quoted(struct regret_buffer *t, const char *text)
{
    regret_buffer_append_char(t, '\'');
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '\'' || *p == '\\') {
            regret_buffer_append_char(t, '\\');
        }
        regret_buffer_append_char(t, *p);
    }
    regret_buffer_append_char(t, '\'');
}

static void put_kind(struct regret_buffer *t, enum complete_kind kind, const char *words)
{
    switch (kind) {
    case COMPLETE_FILE:
        regret_buffer_append(t, " -r -F");
        return;
    case COMPLETE_FOLDER:
        regret_buffer_append(t, " -x -a '(__fish_complete_directories)'");
        return;
    case COMPLETE_CONFIG:
        regret_buffer_append(t, " -F -a '(__regret_names configs)'");
        return;
    case COMPLETE_POOL:
        regret_buffer_append(t, " -f -a '(__fish_complete_directories; __regret_names pools)'");
        return;
    case COMPLETE_KEY:
        regret_buffer_append(t, " -x -a '(__regret_key)'");
        return;
    case COMPLETE_WORDS:
        regret_buffer_printf(t, " -x -a '%s'", words);
        return;
    case COMPLETE_NOTHING:
        break;
    }
    regret_buffer_append(t, " -x");
}

static void put_option(struct regret_buffer *t, const char *command, const struct cli_option *o)
{
    struct regret_buffer words = REGRET_BUFFER_INIT;
    regret_buffer_printf(t, "complete -c regret -n '__regret_at %s' -l %s", command, o->name);
    if (o->letter != 0) {
        regret_buffer_printf(t, " -s %c", o->letter);
    }
    if (o->type != CLI_FLAG) {
        enum complete_kind kind = complete_option(&words, o);
        put_kind(t, kind, regret_buffer_get(&words));
    }
    regret_buffer_append(t, " -d ");
    put_quoted(t, o->help);
    regret_buffer_append_char(t, '\n');
    regret_buffer_free_into(t, &words);
}

/* `parent` is that of the sub-commands: "pool", or "" of the program. */
static void put_listed(struct regret_buffer *t, const char *parent, const struct cli_command *c)
{
    regret_buffer_printf(t, "complete -c regret -n '__regret_next %s' -a %s -d ", parent,
                         complete_own_name(c));
    put_quoted(t, c->summary);
    regret_buffer_append_char(t, '\n');
}

static void put_command(void *context, const struct cli_command *c,
                        const struct cli_option *options, const struct cli_command *below)
{
    struct regret_buffer *t = context;
    struct regret_buffer words = REGRET_BUFFER_INIT;
    for (const struct cli_command *b = below; b != NULL && b->run != NULL; b++) {
        put_listed(t, c->name, b);
    }
    for (const struct cli_option *o = options; o != NULL && o->target != NULL; o++) {
        put_option(t, c->name, o);
    }
    if (below == NULL) {
        enum complete_kind kind = complete_argument(&words, c);
        regret_buffer_printf(t, "complete -c regret -n '__regret_at %s'", c->name);
        if (kind == COMPLETE_WORDS) {
            regret_buffer_printf(t, " -f -a '%s'", regret_buffer_get(&words));
        } else if (kind == COMPLETE_FILE) {
            regret_buffer_append(t, " -F");
        } else {
            put_kind(t, kind, "");
        }
        regret_buffer_append_char(t, '\n');
    }
    regret_buffer_free_into(t, &words);
}

static void put_keys(struct regret_buffer *t)
{
    struct regret_key_help key;
    regret_buffer_append(t, "function __regret_keys\n    printf '%s\\n' \\\n");
    for (size_t i = 0; regret_config_key(&key, i); i++) {
        regret_buffer_printf(t, "        %s=\\t", key.name);
        put_quoted(t, key.help);
        regret_buffer_append(t, " \\\n");
    }
    regret_buffer_append(t, "\nend\nfunction __regret_choices\n    switch $argv[1]\n");
    complete_key_words(t, "        case ", "\n            printf '%s\\n' ", "\n");
    regret_buffer_append(t, "        case pool\n            __regret_names pools\n");
    regret_buffer_append(t, "    end\nend\n");
}

int complete_fish(struct regret_buffer *t, const struct cli_command *const *commands)
{
    regret_buffer_append(t, "# Completion of regret for fish, written by 'regret --completion "
                            "fish'.\n");
    put_keys(t);
    regret_buffer_append(t, FUNCTIONS);
    regret_buffer_append(t, "complete -c regret -f\n"
                            "complete -c regret -n __regret_at -s h -l help -d 'show the usage'\n"
                            "complete -c regret -n __regret_next -s V -l version -d 'show the "
                            "version'\n"
                            "complete -c regret -n __regret_next -l man-page -d 'print a manual "
                            "page'\n"
                            "complete -c regret -n __regret_next -l names -x -a 'configs pools' -d "
                            "'list what can be given by name'\n"
                            "complete -c regret -n __regret_next -l completion -x -a 'bash zsh "
                            "fish' -d 'print a completion'\n");
    for (size_t i = 0; commands[i] != NULL; i++) {
        put_listed(t, "", commands[i]);
    }
    return help_visit_all(commands, put_command, t);
}
