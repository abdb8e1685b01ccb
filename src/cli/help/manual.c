#include "cli/help/manual.h"

#include <ctype.h>
#include <string.h>
#include <utf8proc.h>

#include "cli/terminal/help.h"
#include "regret/config.h"
#include "regret/status.h"

/* An entry of a list, "-h, --help"; value NULL where there is none. */
struct manual_word {
    const char *word, *value, *help;
};

/* What the program has before any command. */
static const struct manual_word program_options[] = {
    {"-h, --help", NULL, "show the commands"},
    {"-V, --version", NULL, "show the version"},
    {"--man-page", "[COMMAND]", "print the manual page of a command, or this one, as roff"},
    {"--names", "configs|pools", "list the configurations or pools that can be given by name"},
    {"--completion", "SHELL", "print what completes commands in bash, zsh or fish"},
    {0}};

static const struct manual_word exits[] = {
    {"0", NULL, "fine"},
    {"1", NULL, "the run failed, or its output could not be written"},
    {"2", NULL, "wrong usage or bad input"},
    {"3", NULL, "of recommend: nothing can be told"},
    {0}};

/* ---------------------------------------------------------------- roff */

/* One character that is no letter of ASCII, by its code: "\[u2026]". */
static size_t put_code_point(struct regret_buffer *t, const char *text, size_t n)
{
    utf8proc_int32_t code = 0xFFFD;
    utf8proc_ssize_t used =
        utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)n, &code);
    regret_buffer_printf(t, "\\[u%04X]", (unsigned)(used > 0 ? code : 0xFFFD));
    return used > 0 ? (size_t)used : 1;
}

/* The characters that roff takes for its own or for typographic ones: groff_char(7). */
static const char *name_of(char c)
{
    static const struct {
        char c;
        const char *name;
    } names[] = {{'\\', "\\(rs"}, {'-', "\\-"},   {'\'', "\\(aq"}, {'`', "\\(ga"},
                 {'^', "\\(ha"},  {'~', "\\(ti"}, {'"', "\\(dq"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].c == c) {
            return names[i].name;
        }
    }
    return NULL;
}

/* Text anywhere in a line. */
static void put_n(struct regret_buffer *t, const char *text, size_t n)
{
    for (size_t i = 0; i < n;) {
        unsigned char c = (unsigned char)text[i];
        const char *name = name_of(text[i]);
        if (c >= 0x80) {
            i += put_code_point(t, text + i, n - i);
            continue;
        }
        if (name != NULL) {
            regret_buffer_append(t, name);
        } else {
            regret_buffer_append_char(t, iscntrl(c) ? ' ' : text[i]);
        }
        i++;
    }
}

static void put(struct regret_buffer *t, const char *text)
{
    put_n(t, text, strlen(text));
}

/* Text at the beginning of a line, where a full stop would begin a request. */
static void put_line_n(struct regret_buffer *t, const char *text, size_t n)
{
    if (n > 0 && text[0] == '.') {
        regret_buffer_append(t, "\\&");
    }
    put_n(t, text, n);
    regret_buffer_append_char(t, '\n');
}

static void put_line(struct regret_buffer *t, const char *text)
{
    put_line_n(t, text, strlen(text));
}

static void put_in(struct regret_buffer *t, char font, const char *text)
{
    regret_buffer_printf(t, "\\f%c", font);
    put(t, text);
    regret_buffer_append(t, "\\fR");
}

/* Lines as they are. */
static const char *put_verbatim(struct regret_buffer *t, const char *text, int indented_only)
{
    regret_buffer_append(t, ".RS 4\n.nf\n");
    while (*text != '\0' && (!indented_only || *text == ' ')) {
        size_t n = strcspn(text, "\n");
        put_line_n(t, text, n);
        text += n + (text[n] == '\n');
    }
    regret_buffer_append(t, ".fi\n.RE\n");
    return text;
}

/* Paragraphs with blank lines between, in which lines that begin with a blank are verbatim. */
static void put_paragraphs(struct regret_buffer *t, const char *text)
{
    while (*text != '\0') {
        size_t n = strcspn(text, "\n");
        if (*text == ' ') {
            text = put_verbatim(t, text, 1);
            continue;
        }
        if (n == 0) {
            regret_buffer_append(t, ".PP\n");
        } else {
            put_line_n(t, text, n);
        }
        text += n + (text[n] == '\n');
    }
}

/* ---------------------------------------------------------------- parts */

/* "regret-run" of "run", and of "pool show" "regret-pool". */
static void put_page_name(struct regret_buffer *t, const char *command)
{
    regret_buffer_append(t, "regret");
    if (command != NULL) {
        regret_buffer_append(t, "\\-");
        put_n(t, command, strcspn(command, " "));
    }
}

static void put_title(struct regret_buffer *t, const char *command, const char *summary)
{
    regret_buffer_append(t, ".TH REGRET");
    for (const char *p = command; p != NULL && *p != '\0'; p++) {
        regret_buffer_printf(t, "%s%c", p == command ? "\\-" : "", toupper((unsigned char)*p));
    }
    regret_buffer_printf(t, " 1 \"\" \"regret %s\" \"User Commands\"\n.SH NAME\n",
                         regret_version());
    put_page_name(t, command);
    regret_buffer_append(t, " \\- ");
    put_line(t, summary);
}

static void put_entry(struct regret_buffer *t, const struct manual_word *w)
{
    regret_buffer_append(t, ".TP\n");
    put_in(t, 'B', w->word);
    if (w->value != NULL) {
        regret_buffer_append_char(t, ' ');
        put_in(t, 'I', w->value);
    }
    regret_buffer_append_char(t, '\n');
    put_line(t, w->help);
}

static void put_option(struct regret_buffer *t, const struct cli_option *o)
{
    char word[80], help[400], range[80] = "";
    snprintf(word, sizeof word, "-%c, --%s", o->letter, o->name);
    if (o->low != o->high) {
        snprintf(range, sizeof range, " (%.12g to %.12g)", o->low, o->high);
    }
    snprintf(help, sizeof help, "%s%s", o->help, range);
    put_entry(t, &(struct manual_word){o->letter != 0 ? word : word + 4, o->value, help});
}

static void put_options(struct regret_buffer *t, const struct cli_option *options,
                        const char *macro)
{
    regret_buffer_printf(t, "%s\n", strcmp(macro, ".SH") == 0 ? ".SH OPTIONS" : ".PP\nOptions:");
    for (const struct cli_option *o = options; o != NULL && o->target != NULL; o++) {
        put_option(t, o);
    }
    put_entry(t, &(struct manual_word){"-h, --help", NULL,
                                       "show the usage, these options and the examples"});
}

static void put_usage(struct regret_buffer *t, const struct cli_command *c)
{
    regret_buffer_append(t, "\\fBregret ");
    put(t, c->name);
    regret_buffer_append(t, "\\fR ");
    put_line(t, c->synopsis);
}

/* ---------------------------------------------------------------- pages */

static void put_below(struct regret_buffer *t, const struct cli_command *below)
{
    regret_buffer_append(t, ".SH COMMANDS\n");
    for (const struct cli_command *c = below; c->run != NULL; c++) {
        put_entry(t, &(struct manual_word){c->name, NULL, c->summary});
    }
}

/* A command of its own has sections; one of several on a page a subsection each. */
static void put_command(void *context, const struct cli_command *c,
                        const struct cli_option *options, const struct cli_command *below)
{
    struct regret_buffer *t = context;
    int own = strchr(c->name, ' ') == NULL;
    if (own) {
        put_title(t, c->name, c->summary);
        regret_buffer_append(t, ".SH SYNOPSIS\n");
    } else {
        regret_buffer_append(t, ".SS regret ");
        put_line(t, c->name);
    }
    put_usage(t, c);
    if (!own || c->detail != NULL) {
        regret_buffer_append(t, own ? ".SH DESCRIPTION\n" : ".PP\n");
    }
    if (!own) {
        put_line(t, c->summary);
    }
    if (c->detail != NULL) {
        regret_buffer_append(t, own ? "" : ".PP\n");
        put_paragraphs(t, c->detail);
    }
    if (below != NULL) {
        put_below(t, below);
        regret_buffer_append(t, ".SH DETAILS\n");
        return;
    }
    put_options(t, options, own ? ".SH" : ".SS");
    if (c->examples != NULL) {
        regret_buffer_append(t, own ? ".SH EXAMPLES\n" : ".PP\nExamples:\n");
        put_verbatim(t, c->examples, 0);
    }
}

/* A value in JSON, which may be broken after its commas. */
static void put_value(struct regret_buffer *t, const char *json)
{
    while (*json != '\0') {
        size_t n = strcspn(json, ",");
        n += json[n] == ',';
        put_n(t, json, n);
        json += n;
        regret_buffer_append(t, *json != '\0' ? "\\:" : "\n");
    }
}

static void put_key(struct regret_buffer *t, const struct regret_key_help *key,
                    const struct regret_config *config, size_t i)
{
    struct regret_buffer value = REGRET_BUFFER_INIT;
    regret_config_key_json(&value, config, i);
    regret_buffer_append(t, ".TP\n");
    put_in(t, 'B', key->name);
    regret_buffer_append_char(t, '\n');
    put_line(t, key->help);
    regret_buffer_append(t, ".br\n");
    put(t, key->type);
    if (key->has_range) {
        regret_buffer_printf(t, " from %.12g to %.12g", key->low, key->high);
    }
    for (size_t j = 0; key->choices != NULL && key->choices[j] != NULL; j++) {
        regret_buffer_append(t, j == 0 ? " of " : ", ");
        put(t, key->choices[j]);
    }
    regret_buffer_append(t, "; default ");
    put_value(t, regret_buffer_get(&value));
    regret_buffer_free_into(t, &value);
}

static void put_keys(struct regret_buffer *t)
{
    struct regret_config config;
    struct regret_key_help key;
    regret_config_default(&config);
    regret_buffer_append(t,
                         ".SH KEYS\nEvery key may be given in a configuration file, swept in its "
                         "\\fBsweep\\fR, and overridden by \\fB\\-\\-set\\fR.\n");
    for (size_t i = 0; regret_config_key(&key, i); i++) {
        put_key(t, &key, &config, i);
    }
}

static const struct manual_word environment[] = {
    {"REGRET_POOL_PATH", NULL, "folders, with colons between, of pools that may be given by name"},
    {"NO_COLOR", NULL, "where it is set and not empty, no colours on a terminal"},
    {0}};

static void put_end(struct regret_buffer *t, const struct cli_command *command,
                    const struct cli_command *const *commands)
{
    regret_buffer_append(t, ".SH EXIT STATUS\n");
    for (const struct manual_word *w = exits; w->word != NULL; w++) {
        put_entry(t, w);
    }
    regret_buffer_append(t, ".SH ENVIRONMENT\n");
    for (const struct manual_word *w = environment; w->word != NULL; w++) {
        put_entry(t, w);
    }
    regret_buffer_append(t, ".SH SEE ALSO\n");
    if (command != NULL) {
        regret_buffer_append(t, "\\fBregret\\fR(1)");
    }
    for (size_t i = 0, n = command != NULL; commands[i] != NULL; i++) {
        if (commands[i] == command) {
            continue;
        }
        regret_buffer_append(t, n++ > 0 ? ",\n\\fB" : "\\fB");
        put_page_name(t, commands[i]->name);
        regret_buffer_append(t, "\\fR(1)");
    }
    regret_buffer_append_char(t, '\n');
}

static void put_program(struct regret_buffer *t, const struct cli_command *const *commands)
{
    put_title(t, NULL,
              "which way of combining logs, experiments and replayed outputs recommends best?");
    regret_buffer_append(t, ".SH SYNOPSIS\n\\fBregret\\fR \\fICOMMAND\\fR [options]\n"
                            ".SH DESCRIPTION\nAn offline benchmark suite. Data go to standard "
                            "output, words to standard error.\n.SH COMMANDS\n");
    for (size_t i = 0; commands[i] != NULL; i++) {
        put_entry(t, &(struct manual_word){commands[i]->name, NULL, commands[i]->summary});
    }
    regret_buffer_append(t, ".SH OPTIONS\n");
    for (const struct manual_word *w = program_options; w->word != NULL; w++) {
        put_entry(t, w);
    }
}

int manual_print(const struct cli_command *command, const struct cli_command *const *commands)
{
    struct regret_buffer page = REGRET_BUFFER_INIT;
    if (command == NULL) {
        put_program(&page, commands);
    } else {
        int code = help_visit(command, put_command, &page);
        if (code != CLI_OK) {
            regret_buffer_free(&page);
            return code;
        }
    }
    if (command != NULL && strcmp(command->name, "config") == 0) {
        put_keys(&page);
    }
    put_end(&page, command, commands);
    return cli_print(&page, REGRET_OK);
}
