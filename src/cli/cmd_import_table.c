#include <stdio.h>
#include <string.h>

#include "cli/cmd_import.h"
#include "regret/import.h"

static int read_repeats(enum regret_repeats *out, const char *word)
{
    static const char *const WORDS[] = {"refuse", "first", "last", "draws"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(word, WORDS[i]) == 0) {
            *out = (enum regret_repeats)i;
            return 0;
        }
    }
    return cli_usage_error("--repeats is refuse, first, last or draws, not \"%s\"", word);
}

static int read_separator(char *out, const char *word)
{
    if (strcmp(word, "tab") == 0) {
        *out = '\t';
        return 0;
    }
    if (strlen(word) != 1 || strchr("\"\r\n", word[0]) != NULL) {
        return cli_usage_error("--separator is one character, or the word tab, not \"%s\"", word);
    }
    *out = word[0];
    return 0;
}

static void show(const char *output, const struct regret_table_report *r)
{
    fprintf(stderr, "regret: %s holds %zu contexts, %zu agents, %zu outputs out of %zu rows\n",
            output, r->contexts, r->agents, r->outputs, r->rows);
    import_show_count(r->bad, "bad rows left out");
    import_show_count(r->repeated, "rows left out because their pair has another one");
    import_show_count(r->empty, "outputs are empty");
    import_show_missing(r->contexts, r->agents, r->pairs);
}

int run_import_table(const struct cli_command *self, int argc, char **argv)
{
    const char *output = NULL, *map = NULL, *repeats = "refuse", *separator = ",";
    struct regret_table_options import = REGRET_TABLE_OPTIONS_INIT;
    struct regret_table_report report;
    size_t shown = 0;
    int force = 0, code = 0, csv = strcmp(self->name, "import csv") == 0;
    const struct cli_option options[] = {
        {"output", 'o', CLI_STRING, &output, "POOL", "the folder to write (required)", 0, 0},
        {"map", 'm', CLI_STRING, &map, "MAP.json", "what stands in which field (required)", 0, 0},
        {"contexts", 0, CLI_STRING, &import.contexts_path, "FILE",
         "the contexts' texts, where they are not in the table", 0, 0},
        {"repeats", 0, CLI_STRING, &repeats, "RULE",
         "two rows of a context and agent: refuse (default), first, last, or draws", 0, 0},
        {"skip-bad", 0, CLI_FLAG, &import.skip_bad, NULL,
         "leave out bad rows, naming them, instead of refusing the file", 0, 0},
        {"force", 'f', CLI_FLAG, &force, NULL, "replace a pool that is there already", 0, 0},
        {csv ? "separator" : NULL, 0, CLI_STRING, csv ? &separator : NULL, "CHARACTER",
         "between fields (default: a comma); tab for tabs", 0, 0},
        {0}};
    struct cli_arguments rest;
    if (cli_parse(&rest, &code, self, options, 1, 1, argc, argv)) {
        return code;
    }
    if (output == NULL || map == NULL) {
        return cli_usage_error(output == NULL ? "say where to write: -o POOL"
                                              : "say what stands where: --map MAP.json");
    }
    if ((code = read_repeats(&import.repeats, repeats)) != 0 ||
        (code = read_separator(&import.separator, separator)) != 0) {
        return code;
    }
    import.layout = csv ? REGRET_TABLE_LAYOUT_CSV : REGRET_TABLE_LAYOUT_JSONL;
    import.note = import_show_bad_row;
    import.note_context = &shown;
    int rc = regret_import_table(&report, rest.items[0], map, output, &import, force);
    if (rc == REGRET_OK) {
        show(output, &report);
    }
    return cli_report(rc);
}
