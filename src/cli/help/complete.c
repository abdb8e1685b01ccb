#include "cli/help/complete.h"

#include <string.h>

#include "base/core/texts.h"
#include "regret/config.h"
#include "regret/report.h"

static void put_words(struct regret_buffer *t, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        regret_buffer_printf(t, "%s%s", i > 0 ? " " : "", words[i]);
    }
}

/* The words of "md|csv|tex" with blanks between; 0 where the value is no such list. */
static int put_word_list(struct regret_buffer *t, const char *value)
{
    const char *words[CLI_MOST_WORDS];
    char storage[CLI_WORDS_SIZE];
    size_t n = cli_value_words(words, storage, value);
    put_words(t, words, n);
    return n > 0;
}

enum complete_kind complete_option(struct regret_buffer *words, const struct cli_option *o)
{
    static const char *const folders[] = {"DIR", "RUN", "POOL", "NEW"};
    static const char *const files[] = {"FILE", "WHAT"};
    if (o->type == CLI_FLAG || o->value == NULL) {
        return COMPLETE_NOTHING;
    }
    if (strcmp(o->value, "KEY=VALUE") == 0) {
        return COMPLETE_KEY;
    }
    if (strcmp(o->value, "TABLE") == 0) {
        const char *const *names = NULL;
        size_t n = regret_report_tables(&names);
        put_words(words, names, n);
        return COMPLETE_WORDS;
    }
    if (put_word_list(words, o->value)) {
        return COMPLETE_WORDS;
    }
    if (texts_have(folders, sizeof folders / sizeof *folders, o->value)) {
        return COMPLETE_FOLDER;
    }
    return texts_have(files, sizeof files / sizeof *files, o->value) || strstr(o->value, "FILE")
               ? COMPLETE_FILE
               : COMPLETE_NOTHING;
}

enum complete_kind complete_argument(struct regret_buffer *words, const struct cli_command *c)
{
    char first[CLI_WORDS_SIZE];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(c->synopsis, " "), c->synopsis);
    if (strstr(first, "CONFIG") != NULL) {
        return COMPLETE_CONFIG;
    }
    if (strncmp(first, "POOL", 4) == 0) {
        return COMPLETE_POOL;
    }
    return put_word_list(words, first) ? COMPLETE_WORDS : COMPLETE_FILE;
}

const char *complete_own_name(const struct cli_command *c)
{
    const char *blank = strrchr(c->name, ' ');
    return blank != NULL ? blank + 1 : c->name;
}

void complete_key_words(struct regret_buffer *t, const char *before, const char *between,
                        const char *after)
{
    static const char *const truth[] = {"true", "false", NULL};
    struct regret_key_help key;
    for (size_t i = 0; regret_config_key(&key, i); i++) {
        const char *const *words = strcmp(key.type, "true/false") == 0 ? truth : key.choices;
        if (words != NULL) {
            regret_buffer_printf(t, "%s%s%s", before, key.name, between);
            size_t n = 0;
            while (words[n] != NULL) {
                n++;
            }
            put_words(t, words, n);
            regret_buffer_append(t, after);
        }
    }
}
