#include <string.h>

#include "base/text/escape.h"
#include "cli/help/complete.h"
#include "cli/terminal/help.h"
#include "regret/config.h"

static const char BELOW[] =
    "_regret_below() { # PREFIX: of the functions of the commands in $commands\n"
    "    local curcontext=$curcontext state line\n"
    "    typeset -A opt_args\n"
    "    _arguments -C '(- *)'{-h,--help}'[show the commands]' \"${@:2}\" \\\n"
    "        '1:command:->command' '*::argument:->argument' && return\n"
    "    case $state in\n"
    "    command) _describe -t commands command commands ;;\n"
    "    argument) (( $+functions[$1_${words[1]}] )) && $1_${words[1]} || _files ;;\n"
    "    esac\n"
    "}\n";

static const char NAMES[] =
    "_regret_names() { # configs or pools, and what else it can be: what there is by name\n"
    "    local -a names\n"
    "    names=(${(f)\"$(_call_program $1 ${service:-regret} --names $1 2>/dev/null "
    "</dev/null)\"})\n"
    "    _alternative \"$1:name:($names)\" \"${@:2}\"\n"
    "}\n"
    "_regret_a_config() { _regret_names configs 'files:file:_files' }\n"
    "_regret_a_pool() { _regret_names pools 'directories:folder:_files -/' }\n";

static const char KEYS[] = "_regret_key() { # KEY=VALUE of a configuration\n"
                           "    local key\n"
                           "    if [[ $PREFIX == *=* ]]; then\n"
                           "        key=${PREFIX%%=*}\n"
                           "        compset -P '*='\n"
                           "        _regret_choices ${key#sweep.}\n"
                           "    else\n"
                           "        compset -P sweep.\n"
                           "        _describe -t keys 'configuration key' _regret_keys -S =\n"
                           "    fi\n"
                           "}\n";

/* Text of a description: `special` are the characters that end it, with a backslash before each. */
static void put_described(struct regret_buffer *t, const char *text, const char *special)
{
    struct regret_buffer escaped = REGRET_BUFFER_INIT, quoted = REGRET_BUFFER_INIT;
    for (const char *p = text; *p != '\0'; p++) {
        if (strchr(special, *p) != NULL) {
            regret_buffer_append_char(&escaped, '\\');
        }
        regret_buffer_append_char(&escaped, *p);
    }
    shell_quote(&quoted, regret_buffer_get(&escaped));
    if (quoted.length > 1) { /* without its quotes: it stands in those of its caller */
        regret_buffer_append_n(t, regret_buffer_get(&quoted) + 1, quoted.length - 2);
    }
    regret_buffer_free_into(t, &escaped);
    regret_buffer_free_into(t, &quoted);
}

static void put_action(struct regret_buffer *t, enum complete_kind kind, const char *words)
{
    static const char *const actions[] = {
        [COMPLETE_NOTHING] = " ",           [COMPLETE_FILE] = "_files",
        [COMPLETE_FOLDER] = "_files -/",    [COMPLETE_CONFIG] = "_regret_a_config",
        [COMPLETE_POOL] = "_regret_a_pool", [COMPLETE_KEY] = "_regret_key"};
    if (kind == COMPLETE_WORDS) {
        regret_buffer_printf(t, "(%s)", words);
    } else {
        regret_buffer_append(t, actions[kind]);
    }
}

static void put_option(struct regret_buffer *t, const struct cli_option *o)
{
    struct regret_buffer words = REGRET_BUFFER_INIT;
    const char *end = o->type == CLI_FLAG ? "" : "=";
    const char *often = o->type == CLI_LIST ? "*" : "";
    regret_buffer_append(t, " \\\n        ");
    if (o->letter == 0) {
        regret_buffer_printf(t, "'%s--%s%s", often, o->name, end);
    } else if (o->type == CLI_LIST) {
        regret_buffer_printf(t, "'*'{-%c+,--%s=}'", o->letter, o->name);
    } else {
        regret_buffer_printf(t, "'(-%c --%s)'{-%c%s,--%s%s}'", o->letter, o->name, o->letter,
                             *end == '=' ? "+" : "", o->name, end);
    }
    regret_buffer_append_char(t, '[');
    put_described(t, o->help, "[]\\");
    regret_buffer_append_char(t, ']');
    if (o->type != CLI_FLAG) {
        enum complete_kind kind = complete_option(&words, o);
        regret_buffer_append_char(t, ':');
        put_described(t, o->value, ":\\");
        regret_buffer_append_char(t, ':');
        put_action(t, kind, regret_buffer_get(&words));
    }
    regret_buffer_append_char(t, '\'');
    regret_buffer_free_into(t, &words);
}

/* _regret_pool_show of "pool show" */
static void put_name(struct regret_buffer *t, const char *name)
{
    regret_buffer_append(t, "_regret_");
    for (const char *p = name; *p != '\0'; p++) {
        regret_buffer_append_char(t, *p == ' ' ? '_' : *p);
    }
}

static void put_listed(struct regret_buffer *t, const struct cli_command *c)
{
    regret_buffer_printf(t, "\n        '%s:", complete_own_name(c));
    put_described(t, c->summary, ":\\");
    regret_buffer_append_char(t, '\'');
}

static void put_arguments(struct regret_buffer *t, const struct cli_command *c)
{
    struct regret_buffer words = REGRET_BUFFER_INIT;
    enum complete_kind kind = complete_argument(&words, c);
    regret_buffer_append(t, " \\\n        '(- *)'{-h,--help}'[show the usage]' '*:argument:");
    put_action(t, kind, regret_buffer_get(&words));
    regret_buffer_append_char(t, '\'');
    regret_buffer_free_into(t, &words);
}

/* A function for each command. */
static void put_command(void *script, const struct cli_command *c, const struct cli_option *options,
                        const struct cli_command *below)
{
    struct regret_buffer *t = script;
    put_name(t, c->name);
    regret_buffer_append(t, "() {\n");
    if (below != NULL) {
        regret_buffer_append(t, "    local -a commands=(");
        for (const struct cli_command *b = below; b->run != NULL; b++) {
            put_listed(t, b);
        }
        regret_buffer_append(t, "\n    )\n    _regret_below ");
        put_name(t, c->name);
    } else {
        regret_buffer_append(t, "    _arguments -s -S");
        for (const struct cli_option *o = options; o != NULL && o->target != NULL; o++) {
            put_option(t, o);
        }
        put_arguments(t, c);
    }
    regret_buffer_append(t, "\n}\n");
}

static void put_keys(struct regret_buffer *t)
{
    struct regret_key_help key;
    regret_buffer_append(t, "typeset -ga _regret_keys=(\n");
    for (size_t i = 0; regret_config_key(&key, i); i++) {
        regret_buffer_printf(t, "    '%s:", key.name);
        put_described(t, key.help, ":\\");
        regret_buffer_append(t, "'\n");
    }
    regret_buffer_append(t, ")\n_regret_choices() {\n    case $1 in\n");
    complete_key_words(t, "    ", ") compadd ", " ;;\n");
    regret_buffer_append(t, "    pool) _regret_a_pool ;;\n");
    regret_buffer_append(t, "    esac\n}\n");
    regret_buffer_append(t, NAMES);
    regret_buffer_append(t, KEYS);
}

int complete_zsh(struct regret_buffer *t, const struct cli_command *const *commands)
{
    regret_buffer_append(t, "#compdef regret\n"
                            "# Completion of regret for zsh, written by 'regret --completion "
                            "zsh'.\n");
    put_keys(t);
    regret_buffer_append(t, BELOW);
    int code = help_visit_all(commands, put_command, t);
    regret_buffer_append(t, "_regret() {\n    local -a commands=(");
    for (size_t i = 0; commands[i] != NULL; i++) {
        put_listed(t, commands[i]);
    }
    regret_buffer_append(t, "\n    )\n    _regret_below _regret "
                            "'(- *)'{-V,--version}'[show the version]' \\\n"
                            "        '--man-page=[print a manual page]:command: ' \\\n"
                            "        '--names=[list what can be given by name]:kind:(configs "
                            "pools)' \\\n"
                            "        '--completion=[print a completion]:shell:(bash zsh fish)'\n}\n"
                            "_regret \"$@\"\n");
    return code;
}
