#include "cli/internal.h"

#include <string.h>

#include "base/files.h"
#include "base/names.h"
#include "base/status.h"
#include "regret/buffer.h"
#include "regret/experiment.h"
#include "regret/report.h"
#include "regret/status.h"

/* The command line up to its last word, and what that may become. */
struct line {
    char **words; /* those at hand; put together at "=" */
    size_t n;
    size_t at;        /* of the command in words: 1 behind "help" */
    size_t cut;       /* bytes of the last word that the shell has taken for words of their own */
    const char *head; /* what stands before `begun` in the last word */
    size_t head_length;
    const char *begun; /* what candidates begin with */
    struct regret_buffer out;
};

static void offer_n(struct line *line, const char *word, size_t length, const char *after)
{
    size_t begun = strlen(line->begun);
    if (length < begun || strncmp(word, line->begun, begun) != 0) {
        return;
    }
    if (line->cut < line->head_length) {
        regret_buffer_append_n(&line->out, line->head + line->cut, line->head_length - line->cut);
    }
    regret_buffer_append_n(&line->out, word, length);
    regret_buffer_printf(&line->out, "%s\n", after);
}

static void offer(struct line *line, const char *word)
{
    offer_n(line, word, strlen(word), "");
}

static void offer_option(struct line *line, const char *name)
{
    char word[64];
    snprintf(word, sizeof word, "--%s", name);
    offer(line, word);
}

/* From here on candidates are what follows `length` bytes more of the last word. */
static void move_on(struct line *line, size_t length)
{
    line->head_length += length;
    line->begun += length;
}

/* What of a folder begins with what there is of the last part of a path. */
static int offer_files(struct line *line, int folders_alone)
{
    const char *slash = strrchr(line->begun, '/');
    size_t length = slash != NULL ? (size_t)(slash - line->begun) + 1 : 0;
    FREED_BY(folder_list_free) struct folder_list list = {0};
    FREED char *folder = NULL;
    TRY(length > 0 ? regret_strndup(&folder, line->begun, length) : regret_strdup(&folder, "."));
    move_on(line, length);
    TRY(line->begun[0] == '.' ? folder_list_read_all(&list, folder)
                              : folder_list_read(&list, folder));
    for (size_t i = 0; i < list.n; i++) {
        FREED char *path = NULL;
        int is_folder = 0;
        TRY(regret_path_join(&path, folder, list.name[i]));
        TRY(folder_is_there(&is_folder, path));
        if (is_folder || !folders_alone) {
            offer_n(line, list.name[i], strlen(list.name[i]), is_folder ? "/" : "");
        }
    }
    return REGRET_OK;
}

/* The names of configurations or pools. */
static int offer_names(struct line *line, const char *what)
{
    FREED_BY(regret_buffer_free) struct regret_buffer names = REGRET_BUFFER_INIT;
    TRY(find_names(&names, what));
    for (const char *at = regret_buffer_get(&names); *at != '\0'; at += strcspn(at, "\n") + 1) {
        offer_n(line, at, strcspn(at, "\n"), "");
    }
    return REGRET_OK;
}

/* The words of "md|csv|tex"; 0 where the value is no such list. */
static int offer_words(struct line *line, const char *value)
{
    const char *words[CLI_MOST_WORDS];
    char storage[CLI_WORDS_SIZE];
    size_t n = cli_value_words(words, storage, value);
    for (size_t i = 0; i < n; i++) {
        offer(line, words[i]);
    }
    return n > 0;
}

/* KEY=VALUE of a configuration, of which the key may be swept. */
static int offer_keys(struct line *line)
{
    static const char *const truth[] = {"true", "false", NULL};
    static const char sweep[] = "sweep.";
    struct regret_key_help key;
    if (strncmp(line->begun, sweep, strlen(sweep)) == 0) {
        move_on(line, strlen(sweep));
    }
    size_t length = strcspn(line->begun, "=");
    int has_value = line->begun[length] == '=';
    const char *name = line->begun;
    if (has_value) {
        move_on(line, length + 1);
    }
    for (size_t i = 0; regret_config_key(&key, i); i++) {
        int is_this = strlen(key.name) == length && strncmp(key.name, name, length) == 0;
        const char *const *words = strcmp(key.type, "true/false") == 0 ? truth : key.choices;
        if (!has_value) {
            offer_n(line, key.name, strlen(key.name), "=");
        }
        for (size_t k = 0; has_value && is_this && words != NULL && words[k] != NULL; k++) {
            offer(line, words[k]);
        }
    }
    return has_value && length == 4 && strncmp(name, "pool", 4) == 0 ? offer_names(line, "pools")
                                                                     : REGRET_OK;
}

static int offer_value(struct line *line, const struct cli_option *o)
{
    static const char *const folders[] = {"DIR", "RUN", "POOL", "NEW"};
    const char *const *tables = NULL;
    if (strcmp(o->value, "KEY=VALUE") == 0) {
        return offer_keys(line);
    }
    if (strcmp(o->value, "TABLE") == 0) {
        size_t n = regret_report_tables(&tables);
        for (size_t i = 0; i < n; i++) {
            offer(line, tables[i]);
        }
        return REGRET_OK;
    }
    if (offer_words(line, o->value)) {
        return REGRET_OK;
    }
    int folder = texts_have(folders, sizeof folders / sizeof *folders, o->value);
    return folder || strstr(o->value, "FILE") != NULL || strcmp(o->value, "WHAT") == 0
               ? offer_files(line, folder)
               : REGRET_OK;
}

/* What the first word of the synopsis asks for. */
static int offer_argument(struct line *line, const struct cli_command *command)
{
    char first[CLI_WORDS_SIZE];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(command->synopsis, " "), command->synopsis);
    int is_pool = strncmp(first, "POOL", 4) == 0;
    if (is_pool || strstr(first, "CONFIG") != NULL) {
        TRY(offer_names(line, is_pool ? "pools" : "configs"));
    } else if (offer_words(line, first)) {
        return REGRET_OK;
    }
    return offer_files(line, is_pool);
}

/* The option that wants a value in the place of the last word, or NULL. */
static const struct cli_option *option_at_hand(struct line *line, const struct cli_option *options)
{
    const char *last = line->words[line->n - 1], *before = line->words[line->n - 2];
    size_t length = strcspn(last, "=");
    int joined = strncmp(last, "--", 2) == 0 && last[length] == '=';
    const char *word = joined ? last : before;
    length = joined ? length : strlen(word);
    for (const struct cli_option *o = options; o != NULL && o->target != NULL; o++) {
        int by_name = length == strlen(o->name) + 2 && strncmp(word, "--", 2) == 0 &&
                      strncmp(word + 2, o->name, length - 2) == 0;
        int by_letter = length == 2 && o->letter != 0 && word[0] == '-' && word[1] == o->letter;
        if (o->type != CLI_FLAG && o->value != NULL && (by_name || by_letter)) {
            if (joined) {
                move_on(line, length + 1);
            }
            return o;
        }
    }
    return NULL;
}

/* The last word of the name of a command: "show" of "pool show". */
static const char *own_name(const struct cli_command *command)
{
    const char *blank = strrchr(command->name, ' ');
    return blank != NULL ? blank + 1 : command->name;
}

/* Is the command the one at `line->at`, or the one below it? */
static int is_at_hand(const struct line *line, const struct cli_command *command)
{
    char name[64];
    snprintf(name, sizeof name, "%s %s", line->words[line->at],
             line->at + 1 < line->n ? line->words[line->at + 1] : "");
    return strcmp(command->name, line->words[line->at]) == 0 ||
           (strcmp(command->name, name) == 0 && line->at + 2 < line->n);
}

/* Failures are for nobody: there are fewer candidates then. */
static void look(void *context, const struct cli_command *command, const struct cli_option *options,
                 const struct cli_command *below)
{
    struct line *line = context;
    if (!is_at_hand(line, command)) {
        return;
    }
    if (below != NULL) {
        for (; below->run != NULL && line->at + 2 == line->n; below++) {
            offer(line, own_name(below));
        }
        return;
    }
    const struct cli_option *option = option_at_hand(line, options);
    if (option != NULL) {
        (void)offer_value(line, option);
    } else if (line->begun[0] == '-') {
        for (; options != NULL && options->target != NULL; options++) {
            offer_option(line, options->name);
        }
        offer_option(line, "help");
    } else {
        (void)offer_argument(line, command);
    }
}

/* Words as they were before the shell cut them: "--set", "beta", "=", "1" is "--set", "beta=1". */
static int join(struct line *line, char **words, size_t n)
{
    int glue = 0;
    TRY(REGRET_NEW(&line->words, n + 1));
    for (size_t i = 0; i < n; i++) {
        int sign = strcmp(words[i], "=") == 0;
        if ((sign || glue) && line->n > 0) {
            FREED_BY(regret_buffer_free) struct regret_buffer whole = REGRET_BUFFER_INIT;
            char **last = &line->words[line->n - 1];
            regret_buffer_printf(&whole, "%s%s", *last, words[i]);
            TRY(regret_buffer_status(&whole));
            regret_free(*last);
            *last = NULL;
            TRY(regret_strdup(last, regret_buffer_get(&whole)));
            line->cut = sign ? whole.length : line->cut;
        } else {
            TRY(regret_strdup(&line->words[line->n++], words[i]));
            line->cut = 0;
        }
        glue = sign;
    }
    return line->n > 0 ? REGRET_OK : regret_strdup(&line->words[line->n++], "");
}

static void line_free(struct line *line)
{
    for (size_t i = 0; i < line->n; i++) {
        regret_free(line->words[i]);
    }
    regret_free(line->words);
    regret_buffer_free(&line->out);
}

static int complete(struct line *line, char **words, size_t n,
                    const struct cli_command *const *commands)
{
    static const char *const options[] = {"help", "version", "names", "complete"};
    TRY(join(line, words, n));
    line->head = line->begun = line->words[line->n - 1];
    line->at = line->n > 1 && strcmp(line->words[0], "help") == 0;
    for (size_t i = 0; commands[i] != NULL; i++) {
        if (line->n == line->at + 1) {
            offer(line, commands[i]->name);
        } else if (strcmp(commands[i]->name, line->words[line->at]) == 0) {
            help_visit(commands[i], look, line);
        }
    }
    if (line->n == 1) {
        offer(line, "help");
        for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
            offer_option(line, options[i]);
        }
    }
    return REGRET_OK;
}

int complete_print(char **words, size_t n, const struct cli_command *const *commands)
{
    FREED_BY(line_free) struct line line = {.out = REGRET_BUFFER_INIT};
    int rc = complete(&line, words, n, commands);
    return cli_print(&line.out, rc);
}
