#include "import/guess/column_names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "import/table/table_wide.h"
#include "regret/import.h"

enum { WORD = 40 };

/* Words of column names, by what they speak for. */
static const char *const NAMES[GUESS_ROLES] = {
    [GUESS_CONTEXT] = " context doc document article prompt instruction question item task issue "
                      "instance example id query ",
    [GUESS_AGENT] =
        " agent model system method generator engine llm bot candidate variant submission ",
    [GUESS_OUTPUT] =
        " output response answer summary completion generation patch decoded prediction reply ",
    [GUESS_TEXT] = " text prompt article question instruction document source input query issue ",
    [GUESS_TAG] = " tag dataset category kind topic subject domain section type ",
    [GUESS_COST] = " cost price usd dollars cents ",
    [GUESS_COMPONENT] =
        " score rating judge judgement reward quality preference win correct success resolved "
        "accuracy "
        "coherence consistency fluency relevance helpfulness faithful clarity grade overall "
        "correctness "
        "honesty truthfulness harmlessness faithfulness usefulness naturalness completeness "
        "factuality "
        "groundedness informativeness adequacy safety satisfaction passed ",
};

/* How many words of a name ("doc_id", "modelName") stand in a list. */
static int words_in(const char *name, const char *list)
{
    char word[WORD + 3];
    int found = 0;
    for (size_t i = 0, n = 0; list != NULL; i++) {
        unsigned char c = (unsigned char)name[i];
        int breaks = !isalpha(c) || (isupper(c) && i > 0 && islower((unsigned char)name[i - 1]));
        if (breaks && n > 0) {
            snprintf(word + n + 1, 2, " ");
            word[0] = ' ';
            found += strstr(list, word) != NULL;
            n = 0;
        }
        if (c == '\0') {
            break;
        }
        if (isalpha(c) && n < WORD) {
            word[++n] = (char)tolower(c);
        }
    }
    return found;
}

int column_words(const char *name, enum guess_role role)
{
    return words_in(name, NAMES[role]);
}

int column_smaller_is_better(const char *name)
{
    return words_in(name, " rank error errors loss toxicity hallucination hallucinations "
                          "perplexity wer harm harmfulness "
                          "violations ") > 0;
}

int column_is_incidental(const char *name)
{
    return words_in(name,
                    " latency time seconds ms duration elapsed timestamp tstamp tokens token "
                    "length words chars characters "
                    "count num seed temperature turn turns index idx position step epoch year ") >
           0;
}

int column_is_measure(const char *name)
{
    return words_in(name, " name metric measure criterion criteria aspect dimension attribute key "
                          "statistic ") > 0;
}

int column_fits_map(const char *column)
{
    return column[0] != '\0' && strlen(column) <= REGRET_TABLE_MAX_FIELD &&
           strstr(column, TABLE_AGENT_MARK) == NULL;
}
