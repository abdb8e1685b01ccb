#include "cli/terminal/help.h"

#include <string.h>

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

void help_show(const struct cli_command *command, const struct cli_option *options)
{
    if (visitor.visit != NULL) {
        visitor.visit(visitor.context, command, options, NULL);
        return;
    }
    print_help(command, options);
}

void help_list(const struct cli_command *table, FILE *stream)
{
    for (const struct cli_command *c = table; c->run != NULL; c++) {
        fprintf(stream, "  %-22s %s\n", c->name, c->summary);
    }
}

/* "COMMAND --help" */
static int ask(const struct cli_command *command)
{
    static char name[] = "regret", option[] = "--help";
    char *words[] = {name, option, NULL};
    return command->run(command, 2, words);
}

int help_show_group(const struct cli_command *parent, const struct cli_command *table)
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

int help_visit_all(const struct cli_command *const *commands, help_visitor *visit, void *context)
{
    int worst = CLI_OK;
    for (size_t i = 0; commands[i] != NULL; i++) {
        int code = help_visit(commands[i], visit, context);
        worst = code > worst ? code : worst;
    }
    return worst;
}
