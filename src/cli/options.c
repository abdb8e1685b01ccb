#include "cli/internal.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/status.h"
#include "base/text.h"
#include "regret/buffer.h"
#include "regret/status.h"

static struct {
    help_visitor *visit; /* NULL: --help goes to stdout */
    void *context;
} visitor;

static void print_options(const struct cli_option *options)
{
    puts("\nOptions:");
    for (const struct cli_option *o = options; o != NULL && o->target != NULL; o++) {
        char left[64];
        char letter[8] = "    ";
        if (o->letter != 0) {
            snprintf(letter, sizeof letter, "-%c, ", o->letter);
        }
        snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name, o->value ? " " : "",
                 o->value ? o->value : "");
        printf("  %-26s %s\n", left, o->help);
    }
    printf("  %-26s %s\n", "-h, --help", "show this text");
}

static void print_help(const struct cli_command *c, const struct cli_option *options)
{
    printf("Usage: regret %s %s\n\n%s\n", c->name, c->synopsis, c->summary);
    if (c->detail != NULL) {
        printf("\n%s\n", c->detail);
    }
    print_options(options);
    if (c->examples != NULL) {
        puts("\nExamples:");
        const char *line = c->examples;
        while (*line != '\0') {
            size_t n = strcspn(line, "\n");
            printf("  %.*s\n", (int)n, line);
            line += n + (line[n] == '\n');
        }
    }
}

/* To stdout, or to the visitor that is at work. */
static void help_show(const struct cli_command *command, const struct cli_option *options)
{
    if (visitor.visit != NULL) {
        visitor.visit(visitor.context, command, options, NULL);
        return;
    }
    print_help(command, options);
}

/* A line for each of a table of commands below one. */
static void help_list(const struct cli_command *table, FILE *stream)
{
    for (const struct cli_command *c = table; c->run != NULL; c++) {
        fprintf(stream, "  %-24s %s\n", c->name, c->summary);
    }
}

/* "COMMAND --help" */
static int ask(const struct cli_command *command)
{
    static char name[] = "regret", option[] = "--help";
    char *words[] = {name, option, NULL};
    return command->run(command, 2, words);
}

/* The same of a command with others below it, `table` as in cli_dispatch(). Returns the exit code. */
static int help_show_group(const struct cli_command *parent, const struct cli_command *table)
{
    int worst = CLI_OK;
    if (visitor.visit == NULL) {
        printf("Usage: regret %s %s\n\n%s\n\n", parent->name, parent->synopsis, parent->summary);
        help_list(table, stdout);
        return CLI_OK;
    }
    visitor.visit(visitor.context, parent, NULL, table);
    for (const struct cli_command *c = table; c->run != NULL; c++) {
        int code = ask(c);
        worst = code > worst ? code : worst;
    }
    return worst;
}

int help_visit(const struct cli_command *command, help_visitor *visit, void *context)
{
    visitor.visit = visit;
    visitor.context = context;
    int code = ask(command);
    visitor.visit = NULL;
    return code;
}

int cli_usage_error(const char *format, ...)
{
    char message[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return cli_report(regret_fail(REGRET_E_INPUT, "%s", message)); /* made printable there */
}

int cli_report(int rc)
{
    if (rc != REGRET_OK) {
        screen_put_message(regret_error_message(), 0);
        return rc == REGRET_E_INPUT ? CLI_USAGE : CLI_FAILED;
    }
    return CLI_OK;
}

void cli_say(const char *format, ...)
{
    enum { COLUMNS = 4096 };
    char message[COLUMNS];
    struct regret_buffer line = REGRET_BUFFER_INIT;
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    regret_buffer_append_safe(&line, message, COLUMNS);
    screen_put_message(regret_buffer_status(&line) == REGRET_OK ? regret_buffer_get(&line)
                                                                : regret_error_message(),
                       0);
    regret_buffer_free(&line);
}

static int output_cause;

int cli_output_cause(void)
{
    return output_cause;
}

int cli_write(const char *text, size_t length)
{
    FREED_BY(regret_buffer_free) struct regret_buffer visible = REGRET_BUFFER_INIT;
    if (isatty(STDOUT_FILENO)) {
        regret_buffer_append_visible(&visible, text);
        TRY(regret_buffer_status(&visible));
        text = regret_buffer_get(&visible);
        length = visible.length;
    }
    if (fwrite(text, 1, length, stdout) != length || fflush(stdout) != 0) {
        output_cause = errno; /* main.c tells of it */
    }
    return REGRET_OK;
}

int cli_print(struct regret_buffer *document, int rc)
{
    regret_buffer_fail(document, rc);
    rc = regret_buffer_status(document);
    if (rc != REGRET_OK) {
        regret_buffer_free(document);
        return cli_report(rc);
    }
    rc = cli_write(regret_buffer_get(document), document->length);
    regret_buffer_free(document);
    return output_cause != 0 ? CLI_FAILED : cli_report(rc);
}

int cli_print_csv(struct regret_buffer *document, int rc, int is_guarded)
{
    struct regret_buffer guarded = REGRET_BUFFER_INIT;
    if (!is_guarded) {
        return cli_print(document, rc);
    }
    regret_buffer_fail(document, rc);
    rc = regret_buffer_status(document);
    regret_csv_guard(&guarded, regret_buffer_get(document), document->length);
    regret_buffer_free(document);
    return cli_print(&guarded, rc);
}

/* By its name or, where that is NULL, its letter. */
static const struct cli_option *find_option(const struct cli_option *options, const char *name,
                                            size_t length, char letter)
{
    for (const struct cli_option *o = options; o != NULL && o->target != NULL; o++) {
        if (name != NULL ? strlen(o->name) == length && strncmp(o->name, name, length) == 0
                         : o->letter == letter) {
            return o;
        }
    }
    return NULL;
}

/* The only name that begins with `word`, or NULL. */
static const char *only_beginning(const char *word, const char *const *names, size_t n)
{
    const char *found = NULL;
    for (size_t i = 0; i < n; i++) {
        if (strncmp(names[i], word, strlen(word)) == 0) {
            if (found != NULL) {
                return NULL;
            }
            found = names[i];
        }
    }
    return word[0] != '\0' ? found : NULL;
}

int cli_unknown(const struct cli_unknown *as, const char *word, const char *const *known, size_t n)
{
    const char *near = name_nearest(word, known, n);
    near = near != NULL ? near : only_beginning(word, known, n);
    if (near != NULL) {
        return cli_usage_error("unknown %s \"%s%s\"; did you mean \"%s%s\"?", as->what, as->before,
                               word, as->before, near);
    }
    return cli_usage_error("unknown %s \"%s%s\"; %s", as->what, as->before, word, as->otherwise);
}

size_t cli_value_words(const char **words, char *storage, const char *value)
{
    size_t n = 0, length = strlen(value);
    if (strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789-|") < length ||
        strchr(value, '|') == NULL || length >= CLI_WORDS_SIZE) {
        return 0;
    }
    memcpy(storage, value, length + 1);
    for (char *at = storage; at != NULL && n < CLI_MOST_WORDS; n++) {
        words[n] = at;
        at = strchr(at, '|');
        if (at != NULL) {
            *at++ = '\0';
        }
    }
    return n;
}

static int unknown_option(const struct cli_command *c, const struct cli_option *options,
                          const char *given)
{
    const char *names[64];
    char word[64], otherwise[128];
    size_t n = 0;
    snprintf(otherwise, sizeof otherwise, "see 'regret %s --help'", c->name);
    if (given[1] != '-') {
        snprintf(word, sizeof word, "%s", given + 1);
        return cli_unknown(&(struct cli_unknown){"option", "-", otherwise}, word, NULL, 0);
    }
    for (const struct cli_option *o = options; o != NULL && o->target != NULL && n < 63; o++) {
        names[n++] = o->name;
    }
    names[n++] = "help";
    snprintf(word, sizeof word, "%.*s", (int)strcspn(given + 2, "="), given + 2);
    return cli_unknown(&(struct cli_unknown){"option", "--", otherwise}, word, names, n);
}

/* Results are the same, and what is slower for it is hard to see. */
static void warn_of_threads(size_t n)
{
    size_t processors = regret_processor_count();
    if (n > processors) {
        cli_say("--threads %zu is more than the %zu processor%s this process may use; more threads "
                "than that take more memory and are no faster",
                n, processors, plural(processors));
    }
}

static int take_number(const struct cli_option *o, const char *text)
{
    char *end = NULL;
    errno = 0;
    if (o->type == CLI_DOUBLE) {
        double x = strtod(text, &end);
        if (end == text || *end != '\0' || !isfinite(x) ||
            (o->low != o->high && (x < o->low || x > o->high))) {
            return o->low != o->high
                       ? cli_usage_error("--%s wants a number from %g to %g, not \"%s\"", o->name,
                                         o->low, o->high, text)
                       : cli_usage_error("--%s wants a number, not \"%s\"", o->name, text);
        }
        *(double *)o->target = x;
        return 0;
    }
    unsigned long long n = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0) {
        return cli_usage_error("--%s wants a whole number, not \"%s\"", o->name, text);
    }
    if (o->low != o->high && ((double)n < o->low || (double)n > o->high)) {
        return cli_usage_error("--%s wants a whole number from %.0f to %.0f, not %s", o->name,
                               o->low, o->high, text);
    }
    if (o->type == CLI_U64) {
        *(uint64_t *)o->target = n;
    } else {
        *(size_t *)o->target = (size_t)n;
    }
    if (o->type == CLI_THREADS) {
        warn_of_threads((size_t)n);
    }
    return 0;
}

/* One of the words that the help names. */
static int check_word(const struct cli_option *o, const char *text)
{
    const char *words[CLI_MOST_WORDS];
    char storage[CLI_WORDS_SIZE], what[80], otherwise[CLI_WORDS_SIZE + 32];
    size_t n = cli_value_words(words, storage, o->value);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(text, words[i]) == 0) {
            return 0;
        }
    }
    snprintf(what, sizeof what, "value of --%s", o->name);
    snprintf(otherwise, sizeof otherwise, "it is one of %s", o->value);
    return n == 0 ? 0 : cli_unknown(&(struct cli_unknown){what, "", otherwise}, text, words, n);
}

static int take_value(const struct cli_option *o, const char *text)
{
    if (o->type == CLI_STRING && check_word(o, text) != 0) {
        return CLI_USAGE;
    }
    if (o->type == CLI_STRING) {
        *(const char **)o->target = text;
        return 0;
    }
    if (o->type == CLI_LIST) {
        struct cli_list *list = o->target;
        if (list->count == sizeof list->items / sizeof *list->items) {
            return cli_usage_error("--%s is given more than %zu times", o->name, list->count);
        }
        list->items[list->count++] = text;
        return 0;
    }
    return take_number(o, text);
}

/* Handles the option at argv[*i], moving *i over its value. */
static int take_option(const struct cli_command *c, const struct cli_option *options, int argc,
                       char **argv, int *i)
{
    const char *arg = argv[*i];
    const struct cli_option *o = NULL;
    const char *value = NULL;
    if (arg[1] == '-') {
        size_t n = strcspn(arg + 2, "=");
        o = find_option(options, arg + 2, n, 0);
        value = arg[2 + n] == '=' ? arg + 3 + n : NULL;
    } else {
        o = find_option(options, NULL, 0, arg[1]);
        value = arg[2] != '\0' ? arg + 2 : NULL;
    }
    if (o == NULL) {
        return unknown_option(c, options, arg);
    }
    if (o->type == CLI_FLAG) {
        if (value != NULL) {
            return cli_usage_error("--%s takes no value", o->name);
        }
        *(int *)o->target = 1;
        return 0;
    }
    if (value == NULL) {
        if (*i + 1 >= argc) {
            return cli_usage_error("--%s wants a value: %s", o->name, o->value);
        }
        value = argv[++*i];
    }
    return take_value(o, value);
}

int cli_read_character(char *out, const char *name, const char *word)
{
    if (strcmp(word, "tab") == 0) {
        *out = '\t';
        return 0;
    }
    if (strlen(word) != 1 || strchr("\"\r\n", word[0]) != NULL) {
        return cli_usage_error("--%s is one character, or the word tab, not \"%s\"", name, word);
    }
    *out = word[0];
    return 0;
}

const char *cli_format(const char *word, int json)
{
    if (json && word != NULL && strcmp(word, "json") != 0) {
        cli_usage_error("--json is --format json, and --format %s is another; give one", word);
        return NULL;
    }
    return json ? "json" : word != NULL ? word : "text";
}

int cli_parse(struct cli_arguments *rest, int *exit_code, const struct cli_command *command,
              const struct cli_option *options, size_t least, size_t most, int argc, char **argv)
{
    int words_only = 0;
    rest->count = 0;
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        if (!words_only && (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0)) {
            help_show(command, options);
            *exit_code = CLI_OK;
            return 1;
        }
        if (!words_only && strcmp(arg, "--") == 0) {
            words_only = 1;
        } else if (!words_only && arg[0] == '-' && arg[1] != '\0') {
            *exit_code = take_option(command, options, argc, argv, &i);
            if (*exit_code != 0) {
                return 1;
            }
        } else if (rest->count == most || rest->count == sizeof rest->items / sizeof *rest->items) {
            *exit_code = cli_usage_error("one argument too many: \"%s\"; usage: regret %s %s", arg,
                                         command->name, command->synopsis);
            return 1;
        } else {
            rest->items[rest->count++] = arg;
        }
    }
    if (rest->count < least) {
        *exit_code = cli_usage_error("usage: regret %s %s", command->name, command->synopsis);
        return 1;
    }
    return 0;
}

int cli_parse_options(int *exit_code, const struct cli_command *command,
                      const struct cli_option *options, int argc, char **argv)
{
    struct cli_arguments none;
    return cli_parse(&none, exit_code, command, options, 0, 0, argc, argv);
}

int cli_dispatch(const struct cli_command *parent, const struct cli_command *table, int argc,
                 char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;
    if (word != NULL && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)) {
        return help_show_group(parent, table);
    }
    const char *names[32];
    size_t n = 0;
    size_t prefix = strlen(parent->name) + 1; /* sub-commands are named "pool show" */
    for (const struct cli_command *c = table; c->run != NULL; c++) {
        const char *own = c->name + prefix;
        if (word != NULL && strcmp(own, word) == 0) {
            return c->run(c, argc - 1, argv + 1);
        }
        if (n < 32) {
            names[n++] = own;
        }
    }
    if (word == NULL) {
        fprintf(stderr, "regret: %s wants one of these:\n", parent->name);
        help_list(table, stderr);
        return CLI_USAGE;
    }
    char before[64], otherwise[96];
    snprintf(before, sizeof before, "%s ", parent->name);
    snprintf(otherwise, sizeof otherwise, "see 'regret %s --help'", parent->name);
    return cli_unknown(&(struct cli_unknown){"command", before, otherwise}, word, names, n);
}
