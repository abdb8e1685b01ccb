#include "import/guess/column_names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "import/table/table_wide.h"
#include "regret/import.h"

enum { WORD = 40 };

/* Words of column names, by what they speak for. */
static const char *const WORDS[COLUMN_KINDS] = {
    [GUESS_CONTEXT] = " context doc document article prompt instruction question item task issue "
                      "instance example id query ",
    [GUESS_AGENT] =
        " agent model system method generator engine llm bot candidate variant submission ",
    [GUESS_OUTPUT] =
        " output response answer summary completion generation patch decoded prediction reply ",
    [GUESS_TEXT] = " text prompt article question instruction document source input query issue ",
    [GUESS_TAG] = " tag dataset category kind topic subject domain section type language lang ",
    [GUESS_COST] = " cost price usd dollars cents ",
    [GUESS_COMPONENT] =
        " score rating judge judgement reward quality preference win correct success resolved "
        "accuracy "
        "coherence consistency fluency relevance helpfulness faithful clarity grade overall "
        "correctness "
        "honesty truthfulness harmlessness faithfulness usefulness naturalness completeness "
        "factuality "
        "groundedness informativeness adequacy safety satisfaction passed ",
    [COLUMN_SMALLER] =
        " rank error errors loss toxicity hallucination hallucinations perplexity wer "
        "harm harmfulness violations ",
    [COLUMN_WINNER] =
        " winner vote votes preference preferred choice chosen verdict outcome result "
        "judgment judgement better label decision ",
    [COLUMN_TURNS] = " conversation conversations conv messages dialog dialogue turns ",
    [COLUMN_ID] = " id ids uid uuid hash key ",
    [COLUMN_RATER] =
        " rater annotator judge judger reviewer assessor evaluator grader coder expert "
        "marker referee labeler labeller ",
    [COLUMN_INCIDENTAL] =
        " latency time seconds ms duration elapsed timestamp tstamp tokens token length words "
        "chars "
        "characters count num seed temperature turn turns index idx position step epoch year ",
    [COLUMN_MEASURE] =
        " name metric measure criterion criteria aspect dimension attribute key statistic ",
};

int column_words(const char *name, unsigned kind)
{
    const char *list = WORDS[kind];
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

int column_fits_map(const char *column)
{
    return column[0] != '\0' && strlen(column) <= REGRET_TABLE_MAX_FIELD &&
           strstr(column, TABLE_AGENT_MARK) == NULL;
}
