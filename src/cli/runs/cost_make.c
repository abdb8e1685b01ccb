#include "cli/runs/cost_make.h"

#include <string.h>

#include "base/core/try.h"
#include "base/text/escape.h"

/* A word for the shell, in a recipe: make reads every dollar. */
static int put_word(struct regret_buffer *out, const char *word)
{
    struct regret_buffer quoted = REGRET_BUFFER_INIT;
    if (strpbrk(word, "\r\n") != NULL) {
        return regret_fail(REGRET_E_INPUT,
                           "a recipe of make holds no line break: give what has one "
                           "in the configuration instead");
    }
    shell_word(&quoted, word);
    for (const char *c = regret_buffer_get(&quoted); c != NULL && *c != '\0'; c++) {
        regret_buffer_append(out, *c == '$' ? "$$" : (const char[]){*c, '\0'});
    }
    regret_buffer_free_into(out, &quoted);
    return REGRET_OK;
}

static int put_shard(struct regret_buffer *out, const char *config, const struct cli_list *sets,
                     const struct regret_run_options *o)
{
    regret_buffer_append(out, "\t$(REGRET) run ");
    TRY(put_word(out, config));
    for (size_t i = 0; i < sets->count; i++) {
        regret_buffer_append(out, " --set ");
        TRY(put_word(out, sets->items[i]));
    }
    regret_buffer_printf(out, "%s --shard $*/%zu --threads %zu -o $(RUN).shards/$* --resume -q\n",
                         o->commands.allow ? " --allow-commands" : "",
                         o->shards > 0 ? o->shards : 1, o->threads);
    return REGRET_OK;
}

int cost_make_put(struct regret_buffer *out, const char *config, const struct cli_list *sets,
                  const struct regret_run_options *options)
{
    regret_buffer_append(
        out,
        "# make -f THIS-FILE -j JOBS [RUN=FOLDER] [REGRET=PROGRAM]. What failed or was stopped\n"
        "# is gone on with by the same command, and nothing else is computed again.\n"
        "REGRET ?= regret\nRUN ?= run\nSHARDS :=");
    for (size_t i = 1; i <= options->shards || i == 1; i++) {
        regret_buffer_printf(out, "%s%zu", i % 16 == 1 && i > 1 ? " \\\n  " : " ", i);
    }
    regret_buffer_append(out, "\n\n$(RUN)/report/report.html: $(RUN)/run.json\n"
                              "\t$(REGRET) report $(RUN)\n\n"
                              "$(RUN)/run.json: $(SHARDS:%=$(RUN).shards/%.done)\n"
                              "\t$(REGRET) merge $(SHARDS:%=$(RUN).shards/%) -o $(RUN)\n\n"
                              "$(SHARDS:%=$(RUN).shards/%.done): $(RUN).shards/%.done:\n"
                              "\tmkdir -p $(RUN).shards\n");
    TRY(put_shard(out, config, sets, options));
    regret_buffer_append(out, "\ttouch $@\n");
    return REGRET_OK;
}
