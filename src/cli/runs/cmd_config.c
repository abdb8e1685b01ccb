#include <stdio.h>

#include "base/core/try.h"
#include "cli/terminal/cli.h"
#include "cli/terminal/find.h"
#include "regret/config.h"

static void print_allowed(const struct regret_key_help *key)
{
    if (key->has_range) {
        printf(" from %.12g to %.12g", key->low, key->high);
    }
    for (size_t i = 0; key->choices != NULL && key->choices[i] != NULL; i++) {
        printf("%s%s", i == 0 ? " of " : ", ", key->choices[i]);
    }
}

static int list_keys(void)
{
    struct regret_config config;
    struct regret_key_help key;
    regret_config_default(&config);
    for (size_t i = 0; regret_config_key(&key, i); i++) {
        struct regret_buffer value = REGRET_BUFFER_INIT;
        regret_config_key_json(&value, &config, i);
        int rc = regret_buffer_status(&value);
        if (rc != REGRET_OK) {
            return cli_report(rc);
        }
        printf("%-30s %s\n%-30s %s", key.name, key.help, "", key.type);
        print_allowed(&key);
        printf("; default %s\n", regret_buffer_get(&value));
        regret_buffer_free(&value);
    }
    return CLI_OK;
}

static int print_resolved(const char *path, const struct cli_list *sets)
{
    struct regret_run_plan *plan = NULL;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    int rc;
    TRY_CLEANUP(find_plan(&plan, path, sets));
    regret_run_plan_json(&text, plan);
    regret_buffer_append_char(&text, '\n');
cleanup:
    regret_run_plan_free(plan);
    return cli_print(&text, rc);
}

static int run_config(const struct cli_command *self, int argc, char **argv)
{
    struct cli_arguments rest;
    struct cli_list sets = {{NULL}, 0};
    int code = 0;
    const struct cli_option options[] = {CLI_SET(&sets), {0}};
    if (cli_parse(&rest, &code, self, options, 0, 1, argc, argv)) {
        return code;
    }
    if (rest.count == 0 && sets.count > 0) {
        return cli_usage_error("--set changes a configuration; name its file");
    }
    if (rest.count == 0) {
        return list_keys();
    }
    struct find_inputs found;
    code = find_inputs(&found, &rest.items[0], &sets, 0);
    return code != 0 ? code : print_resolved(rest.items[0], &sets);
}

const struct cli_command cmd_config = {
    .name = "config",
    .synopsis = "[CONFIG] [--set KEY=VALUE]...",
    .summary = "list every configuration key, or show a configuration resolved",
    .detail = "Without a file: every key with its meaning, type, range and default. With one: the\n"
              "configuration with every default filled in and its sweep, as JSON.",
    .examples = "regret config\n"
                "regret config configs/main.json --set seeds=3",
    .run = run_config,
};
