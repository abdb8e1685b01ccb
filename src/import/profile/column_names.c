#include "import/profile/column_names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "import/table/table_wide.h"
#include "regret/import.h"

enum { WORD = 40 };

/* Words of column names, by what they speak for. */
static const char *const WORDS[COLUMN_KINDS] = {
    [GUESS_CONTEXT] = " context doc document article prompt instruction question item task issue "
                      "instance example id qid query ",
    [GUESS_AGENT] =
        " agent model system method generator engine llm bot candidate variant submission ",
    [GUESS_OUTPUT] =
        " output response answer summary completion generation patch decoded prediction reply ",
    [GUESS_TEXT] = " text prompt article question instruction document source input query issue ",
    [GUESS_TAG] = " tag dataset category kind topic subject domain section type language lang ",
    [GUESS_COST] = " cost price usd dollars cents ",
    [GUESS_COMPONENT] =
        " score scores rating ratings mark marks verdict judge judgement reward quality preference "
        "win correct success resolved "
        "accuracy "
        "coherence consistency fluency relevance helpfulness faithful clarity grade overall "
        "correctness "
        "honesty truthfulness harmlessness faithfulness usefulness naturalness completeness "
        "factuality "
        "groundedness informativeness adequacy safety satisfaction passed ",
    [GUESS_REFERENCE] = " reference references gold golden target expected ideal truth ",
    [COLUMN_SMALLER] = " rank ranks ranking place placement error errors loss toxicity toxic "
                       "hallucination hallucinations hallucinated perplexity ppl nll wer cer ter "
                       "mae mse rmse brier harm harmful harmfulness unsafe violation violations "
                       "failed failure failures fails wrong incorrect mistake mistakes bug bugs ",
    [COLUMN_WINNER] =
        " winner vote votes preference preferred choice chosen verdict outcome result "
        "judgment judgement better label decision ",
    [COLUMN_TURNS] = " conversation conversations conv messages dialog dialogue turns ",
    [COLUMN_ID] = " id ids qid uid uuid hash key ",
    [COLUMN_SUMMARY] = " average avg mean total sum median overall max maximum min minimum best "
                       "worst highest lowest aggregate combined oracle ",
    [GUESS_RATER] = " rater annotator judge judger reviewer assessor evaluator grader coder expert "
                    "marker referee labeler labeller worker turker ",
    [COLUMN_INCIDENTAL] =
        " latency time seconds ms duration elapsed timestamp tstamp tokens token length words "
        "chars "
        "characters count num seed temperature turn turns index idx position step epoch year age "
        "size difficulty level "
        "complexity priority hops lines ",
    [COLUMN_MEASURE] =
        " name metric measure criterion criteria aspect dimension attribute key statistic ",
};

int column_words(const char *name, unsigned kind)
{
    return WORDS[kind] != NULL ? column_count_words(name, WORDS[kind]) : 0;
}

int column_count_words(const char *name, const char *list)
{
    char word[WORD + 3];
    int found = 0;
    for (size_t i = 0, n = 0;; i++) {
        unsigned char c = (unsigned char)name[i];
        int breaks = !isalpha(c) || (isupper(c) && i > 0 && islower((unsigned char)name[i - 1]));
        if (breaks && n > 0) {
            snprintf(word + n + 1, 2, " ");
            word[0] = ' ';
            found += list == NULL || strstr(list, word) != NULL;
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

/* ---------------------------------------------------------------- names in twos */

static const char *const SIDES[][2] = {
    {"a", "b"}, {"1", "2"}, {"left", "right"}, {"first", "second"}, {"one", "two"}};
enum { KINDS = sizeof SIDES / sizeof *SIDES };

/* A word ends where letters turn into figures or into others, or a capital follows a small letter. */
static size_t word_at(const char *p)
{
    size_t n = 1;
    int is_figure = isdigit((unsigned char)p[0]) != 0;
    while (isalnum((unsigned char)p[n]) && (isdigit((unsigned char)p[n]) != 0) == is_figure &&
           !(isupper((unsigned char)p[n]) && islower((unsigned char)p[n - 1]))) {
        n++;
    }
    return n;
}

void side_of(struct name_side *out, const char *name)
{
    out->which = -1;
    for (size_t i = 0, n; name[i] != '\0'; i += n) {
        n = isalnum((unsigned char)name[i]) ? word_at(name + i) : 1;
        for (size_t k = 0; k < (size_t)KINDS * 2; k++) {
            const char *word = SIDES[k / 2][k % 2];
            if (n == strlen(word) && strncasecmp(name + i, word, n) == 0) {
                out->which = (int)(k % 2);
                out->kind = k / 2;
                snprintf(out->rest, sizeof out->rest, "%.*s*%s", (int)(i < 99 ? i : 99), name,
                         name + i + n);
                return;
            }
        }
    }
}

int side_is_pair(const struct name_side *first, const struct name_side *second)
{
    return first->which == 0 && second->which == 1 && first->kind == second->kind &&
           strcmp(first->rest, second->rest) == 0;
}
