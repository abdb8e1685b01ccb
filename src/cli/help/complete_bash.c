#include "base/text/escape.h"
#include "cli/help/complete.h"
#include "cli/terminal/help.h"
#include "regret/config.h"

/* What does not depend on the tables. Bash takes "--set", "beta", "=" and "1" for four words, so they are
 * put together first; what it replaces is what follows the last "=". */
static const char FUNCTION[] =
    "_regret_names() { # configs or pools: what there is by name, as the program at hand finds it\n"
    "    \"${COMP_WORDS[0]/#\\~/$HOME}\" --names \"$1\" 2>/dev/null </dev/null\n"
    "}\n"
    "_regret() {\n"
    "    local words=() n=-1 joined=0 at=1 path= what= word cur value option head\n"
    "    for word in \"${COMP_WORDS[@]:0:COMP_CWORD+1}\"; do\n"
    "        if [[ $n -ge 0 && ($word == '=' || $joined -eq 1) ]]; then\n"
    "            words[n]+=$word\n"
    "        else\n"
    "            words[++n]=$word\n"
    "        fi\n"
    "        [[ $word == '=' ]] && joined=1 || joined=0\n"
    "    done\n"
    "    cur=${words[n]} value=$cur option=${words[n-1]} COMPREPLY=()\n"
    "    [[ ${words[1]} == help && $n -gt 1 ]] && at=2\n"
    "    while [[ -n $(_regret_below \"$path\") ]]; do\n"
    "        if [[ $n -eq $at ]]; then\n"
    "            what=\"words $(_regret_below \"$path\") --help\"\n"
    "            [[ $n -eq 1 ]] && what+=' --version --man-page --completion --names help'\n"
    "            break\n"
    "        fi\n"
    "        path=${path:+$path }${words[at]} at=$((at + 1))\n"
    "    done\n"
    "    if [[ -z $what ]]; then\n"
    "        [[ $cur == --*=* ]] && option=${cur%%=*} value=${cur#*=}\n"
    "        what=$(_regret_value \"$path\" \"$option\")\n"
    "        [[ -z $what && $cur == -* ]] && what=\"words $(_regret_options \"$path\")\"\n"
    "        [[ -z $what ]] && what=$(_regret_argument \"$path\")\n"
    "    fi\n"
    "    if [[ $what == key && $value == *=* ]]; then\n"
    "        what=\"words $(_regret_choices \"${value%%=*}\")\" value=${value#*=}\n"
    "    fi\n"
    "    local IFS=$' \\n'\n"
    "    case $what in\n"
    "    words*) COMPREPLY=($(compgen -W \"${what#words}\" -- \"$value\")) ;;\n"
    "    folder)\n"
    "        IFS=$'\\n'\n"
    "        COMPREPLY=($(compgen -d -- \"$value\"))\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        ;;\n"
    "    config | pool)\n"
    "        word=-f\n"
    "        [[ $what == pool ]] && word=-d\n"
    "        IFS=$'\\n'\n"
    "        COMPREPLY=($(compgen \"$word\" -- \"$value\"\n"
    "            compgen -W \"$(_regret_names \"${what}s\")\" -- \"$value\"))\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        ;;\n"
    "    file) compopt -o default 2>/dev/null ;;\n"
    "    key)\n"
    "        word=\n"
    "        [[ $value == sweep.* ]] && word=sweep.\n"
    "        COMPREPLY=($(compgen -P \"$word\" -S = -W \"$_regret_keys\" -- \"${value#sweep.}\"))\n"
    "        compopt -o nospace 2>/dev/null\n"
    "        ;;\n"
    "    esac\n"
    "    head=${cur%\"$value\"}\n"
    "    if [[ $COMP_WORDBREAKS != *=* && ${#COMPREPLY[@]} -gt 0 ]]; then\n"
    "        COMPREPLY=(\"${COMPREPLY[@]/#/$head}\")\n"
    "    fi\n"
    "}\n"
    "complete -F _regret regret\n";

static void put_below(void *context, const struct cli_command *c, const struct cli_option *options,
                      const struct cli_command *below)
{
    struct regret_buffer *t = context;
    (void)options;
    if (below == NULL) {
        return;
    }
    regret_buffer_append(t, "    ");
    shell_quote(t, c->name);
    regret_buffer_append(t, ") echo '");
    for (const struct cli_command *b = below; b->run != NULL; b++) {
        regret_buffer_printf(t, "%s%s", b == below ? "" : " ", complete_own_name(b));
    }
    regret_buffer_append(t, "' ;;\n");
}

static void put_options(void *context, const struct cli_command *c,
                        const struct cli_option *options, const struct cli_command *below)
{
    struct regret_buffer *t = context;
    if (below != NULL) {
        return;
    }
    regret_buffer_append(t, "    ");
    shell_quote(t, c->name);
    regret_buffer_append(t, ") echo '");
    for (const struct cli_option *o = options; o != NULL && o->target != NULL; o++) {
        regret_buffer_printf(t, "--%s ", o->name);
    }
    regret_buffer_append(t, "--help' ;;\n");
}

static const char *const kinds[] = {
    [COMPLETE_NOTHING] = "nothing", [COMPLETE_FILE] = "file", [COMPLETE_FOLDER] = "folder",
    [COMPLETE_CONFIG] = "config",   [COMPLETE_POOL] = "pool", [COMPLETE_KEY] = "key",
    [COMPLETE_WORDS] = "words "};

static void put_kind(struct regret_buffer *t, enum complete_kind kind, const char *words)
{
    regret_buffer_printf(t, ") echo '%s%s' ;;\n", kinds[kind], words);
}

static void put_values(void *context, const struct cli_command *c, const struct cli_option *options,
                       const struct cli_command *below)
{
    struct regret_buffer *t = context;
    (void)below;
    for (const struct cli_option *o = options; o != NULL && o->target != NULL; o++) {
        if (o->type == CLI_FLAG) {
            continue;
        }
        struct regret_buffer words = REGRET_BUFFER_INIT;
        enum complete_kind kind = complete_option(&words, o);
        regret_buffer_printf(t, "    '%s --%s'", c->name, o->name);
        if (o->letter != 0) {
            regret_buffer_printf(t, " | '%s -%c'", c->name, o->letter);
        }
        put_kind(t, kind, regret_buffer_get(&words));
        regret_buffer_free_into(t, &words);
    }
}

static void put_argument(void *context, const struct cli_command *c,
                         const struct cli_option *options, const struct cli_command *below)
{
    struct regret_buffer words = REGRET_BUFFER_INIT;
    (void)options;
    enum complete_kind kind = complete_argument(&words, c);
    if (below == NULL && kind != COMPLETE_FILE) {
        regret_buffer_append(context, "    ");
        shell_quote(context, c->name);
        put_kind(context, kind, regret_buffer_get(&words));
    }
    regret_buffer_free_into(context, &words);
}

static void put_keys(struct regret_buffer *t)
{
    struct regret_key_help key;
    regret_buffer_append(t, "_regret_keys='");
    for (size_t i = 0; regret_config_key(&key, i); i++) {
        regret_buffer_printf(t, "%s%s", i > 0 ? " " : "", key.name);
    }
    regret_buffer_append(t, "'\n_regret_choices() { # KEY: the words that it can be\n"
                            "    case ${1#sweep.} in\n");
    complete_key_words(t, "    '", "') echo '", "' ;;\n");
    regret_buffer_append(t, "    pool) _regret_names pools ;;\n");
    regret_buffer_append(t, "    esac\n}\n");
}

static int put_function(struct regret_buffer *t, const struct cli_command *const *commands,
                        const char *head, help_visitor *cases, const char *otherwise)
{
    regret_buffer_printf(t, "%s\n    case $1 in\n", head);
    int code = help_visit_all(commands, cases, t);
    regret_buffer_printf(t, "%s    esac\n}\n", otherwise);
    return code;
}

int complete_bash(struct regret_buffer *t, const struct cli_command *const *commands)
{
    regret_buffer_append(t, "# Completion of regret for bash, written by 'regret --completion "
                            "bash'.\n");
    put_keys(t);
    regret_buffer_append(t, "_regret_below() { # COMMAND: the commands below it\n    case $1 in\n"
                            "    '') echo '");
    for (size_t i = 0; commands[i] != NULL; i++) {
        regret_buffer_printf(t, "%s%s", i > 0 ? " " : "", commands[i]->name);
    }
    regret_buffer_append(t, "' ;;\n");
    int code = help_visit_all(commands, put_below, t);
    regret_buffer_append(t, "    esac\n}\n");
    if (code == CLI_OK) {
        code = put_function(t, commands, "_regret_options() { # COMMAND: its options", put_options,
                            "");
    }
    if (code == CLI_OK) {
        code = put_function(t, commands,
                            "_regret_value() { # COMMAND OPTION: what the option wants\n"
                            "    set -- \"$1 $2\"",
                            put_values, "");
    }
    if (code == CLI_OK) {
        code = put_function(t, commands, "_regret_argument() { # COMMAND: what its arguments are",
                            put_argument, "    *) echo file ;;\n");
    }
    regret_buffer_append(t, FUNCTION);
    return code;
}
