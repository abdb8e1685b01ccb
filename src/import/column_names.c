#include "import/column_names.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "import/importer.h"
#include "import/table_wide.h"
#include "regret/buffer.h"

enum { WORD = 40 };

/* Words of column names, by what they speak for. */
static const char *const WORDS[COLUMN_KINDS] = {
    [COLUMN_AGENT] =
        " agent model system method generator engine llm bot candidate variant submission ",
    [COLUMN_TEXT] = " text prompt article question instruction document source input query issue ",
    [COLUMN_TAG] = " tag dataset category kind topic subject domain section type language lang ",
    [COLUMN_COST] = " cost price usd dollars cents ",
    [COLUMN_SCORE] =
        " score scores rating ratings mark marks verdict judge judgement reward quality preference "
        "win correct success resolved "
        "accuracy "
        "coherence consistency fluency relevance helpfulness faithful clarity grade overall "
        "correctness "
        "honesty truthfulness harmlessness faithfulness usefulness naturalness completeness "
        "factuality "
        "groundedness informativeness adequacy safety satisfaction passed ",
    [COLUMN_SMALLER] =
        " rank ranks ranking place placement standing error errors loss toxicity toxic "
        "hallucination hallucinations hallucinated perplexity ppl nll wer cer ter "
        "mae mse rmse brier harm harmful harmfulness unsafe violation violations "
        "failed failure failures fails wrong incorrect mistake mistakes bug bugs "
        "escalated escalation escalations crash crashes crashed complaint complaints "
        "churn churned flagged broken jailbreak jailbreaks jailbroken timeout "
        "timeouts refund refunds refunded bias regret distance latency ms seconds elapsed "
        "penalty penalties risk defect defects false fpr fnr deviation inaccuracy inaccurate "
        "unresolved unsolved "
        "unfaithful unhelpful dissatisfaction dissatisfied reopened abandoned bounced "
        "dislike dislikes disliked downvote downvotes downvoted issues fault faults miss misses "
        "missed attack attacks ",
    [COLUMN_RATER] =
        " rater annotator judge judger reviewer assessor evaluator grader coder expert "
        "marker referee labeler labeller worker turker ",
    [COLUMN_MEASURE] =
        " name metric measure criterion criteria aspect dimension attribute key statistic ",
};

int column_words(const char *name, enum column_kind kind)
{
    return column_count_words(name, WORDS[kind]);
}

/* The next word of a name in small letters between blanks, and where the search goes on; 0: there is none. */
static int next_word(char word[WORD + 3], const char **at)
{
    const char *p = *at;
    size_t n = 0;
    while (*p != '\0' && !isalpha((unsigned char)*p)) {
        p++;
    }
    for (const char *first = p; isalpha((unsigned char)*p); p++) {
        if (p > first && isupper((unsigned char)*p) && islower((unsigned char)p[-1])) {
            break;
        }
        if (n < WORD) {
            word[++n] = (char)tolower((unsigned char)*p);
        }
    }
    *at = p;
    word[0] = ' ';
    snprintf(word + n + 1, 2, " ");
    return n > 0;
}

int column_count_words(const char *name, const char *list)
{
    char word[WORD + 3];
    int found = 0;
    while (next_word(word, &name)) {
        found += list == NULL || strstr(list, word) != NULL;
    }
    return found;
}

enum column_direction column_direction(const char *name)
{
    static const char next[] = " no zero un never fixed resolved solved closed ",
                      all[] = " not non without lack avoid avoids ",
                      after[] = " free less recovery recovered handling handled resistance "
                                "resistant robustness avoidance avoided prevention prevented "
                                "detection detected correction corrected fix fixed fixes resolved "
                                "resolution reduction reduced ",
                      plain[] = " score scores rating ratings mark marks verdict judge judgement "
                                "reward grade overall ",
                      open[] = " refusal refusals refused abstention abstained rejection "
                               "rejections rejected deflection deflections deflected drop drops "
                               "inverted inverse reversed ",
                      timed[] = " latency ms seconds elapsed ",
                      low[] = " low lower lowest less smaller fewer ";
    char word[WORD + 3];
    int was = 0, turns_next = 0, turns_all = 0, good = 0, bad = 0, is_timed = 0, is_low = 0;
    while (next_word(word, &name)) {
        int turns = turns_next || turns_all, is_bad = strstr(WORDS[COLUMN_SMALLER], word) != NULL,
            is_good = strstr(WORDS[COLUMN_SCORE], word) != NULL && strstr(plain, word) == NULL,
            turned_back = was && strstr(after, word) != NULL;
        int says_good = strcmp(word, " good ") == 0 || strcmp(word, " better ") == 0;
        if (says_good || strcmp(word, " bad ") == 0) {
            return says_good != is_low ? COLUMN_IS_PLAIN : COLUMN_IS_BAD;
        }
        is_low |= strstr(low, word) != NULL;
        good += is_timed && strstr(plain, word) != NULL; /* of the time, or for it */
        is_timed |= strstr(timed, word) != NULL;
        was = is_bad && !turns;
        bad += was - turned_back;
        good += is_good && !turned_back;
        bad += is_good && turns;
        bad += strstr(open, word) != NULL; /* of some requests it is good */
        good += strstr(open, word) != NULL;
        turns_next = strstr(next, word) != NULL;
        turns_all |= strstr(all, word) != NULL;
    }
    return bad <= 0 ? COLUMN_IS_PLAIN : good > 0 ? COLUMN_IS_OPEN : COLUMN_IS_BAD;
}

int column_is_total_cost(const char *name)
{
    return column_words(name, COLUMN_COST) > 0 &&
           column_count_words(name, " total sum overall combined ") > 0;
}

int column_fits_map(const char *column)
{
    return column[0] != '\0' && strlen(column) <= REGRET_TABLE_MAX_FIELD &&
           strstr(column, TABLE_AGENT_MARK) == NULL;
}

static const struct {
    const char *grade;
    double counts;
} GRADES[] = {{"A+", GRADES_HIGH}, {"A", 4.0},  {"A-", 3.7},      {"B+", 3.3}, {"B", 3.0},
              {"B-", 2.7},         {"C+", 2.3}, {"C", 2.0},       {"C-", 1.7}, {"D+", 1.3},
              {"D", 1.0},          {"D-", 0.7}, {"F", GRADES_LOW}};
enum { N_GRADES = sizeof GRADES / sizeof *GRADES };

int grades_has(const char *text)
{
    text += strspn(text, " \t\r\n");
    size_t n = strcspn(text, " \t\r\n");
    int found = 0;
    for (size_t i = 0; i < N_GRADES && n <= 2; i++) {
        found |= n == strlen(GRADES[i].grade) && strncasecmp(text, GRADES[i].grade, n) == 0;
    }
    return found && text[n + strspn(text + n, " \t\r\n")] == '\0';
}

void grades_put(struct regret_buffer *out)
{
    for (size_t i = 0; i < N_GRADES; i++) {
        regret_buffer_printf(out, "%s\"%s\": %.2g", i == 0 ? "{" : ", ", GRADES[i].grade,
                             GRADES[i].counts);
    }
    regret_buffer_append(out, "}");
}

enum { SCALES = 8 };
static const double scales[SCALES][2] = {
    {0, 1},  {1, 5},  {0, 5},  {1, 7}, /* the narrow ones first */
    {1, 10}, {0, 10}, {-1, 1}, {0, 100}};

const double *scale_filled_by(double least, double most)
{
    for (size_t i = 0; i < SCALES; i++) {
        if (least >= scales[i][0] && most <= scales[i][1] &&
            2.0 * (most - least) >= scales[i][1] - scales[i][0]) {
            return scales[i];
        }
    }
    return NULL;
}

void scale_of(double out[2], double least, double most)
{
    const double *scale = scale_filled_by(least, most);
    out[0] = scale != NULL ? scale[0] : least;
    out[1] = scale != NULL ? scale[1] : most;
}

enum { MOST_WORDS = 24, LEAST_ROWS = 20, LEAST_OTHERS = 5 };

static int by_summary(const void *left, const void *right)
{
    const struct told *a = left, *b = right;
    return (a->summary > b->summary) - (a->summary < b->summary);
}

/* 1 where a word stands before place i. */
static int is_back(const struct told *told, size_t i)
{
    size_t j = 0;
    while (told[j].word != told[i].word) {
        j++;
    }
    return j < i;
}

static int is_same(const struct told *a, const struct told *b, int is_number)
{
    return is_number ? a->number == b->number : a->word == b->word;
}

/* Different values that the column has along the summary, none of which comes again once another has, nor beside another at one
 * summary; its numbers only rise or fall. 0 where that is not so, or its words are many. *wide: places where it stays and the summary does not. */
static size_t told_levels(struct told *told, size_t n, int is_number, size_t *wide)
{
    size_t levels = n > 0;
    int rises = 0, falls = 0, broken = 0;
    qsort(told, n, sizeof *told, by_summary);
    *wide = 0;
    for (size_t i = 1; i < n && !broken; i++) {
        int is_tied = told[i].summary == told[i - 1].summary;
        int stays = is_same(&told[i], &told[i - 1], is_number);
        levels += !stays;
        *wide += stays && !is_tied;
        rises |= told[i].number > told[i - 1].number;
        falls |= told[i].number < told[i - 1].number;
        broken = !stays && (is_tied ||
                            (is_number ? rises && falls : levels > MOST_WORDS || is_back(told, i)));
    }
    return broken ? 0 : levels;
}

static int is_made(struct told *told, size_t n, int is_number)
{
    size_t wide, run = 1, longest = 1;
    if (n < LEAST_ROWS || told_levels(told, n, is_number, &wide) < 2) {
        return 0;
    }
    for (size_t i = 1; i < n; i++) {
        run = is_same(&told[i], &told[i - 1], is_number) ? run + 1 : 1;
        longest = run > longest ? run : longest;
    }
    return n - longest >= LEAST_OTHERS;
}

int told_is_made(struct told *told, size_t n, int is_number)
{
    if (is_made(told, n, is_number)) {
        return 1;
    }
    for (size_t i = 0; i < n && is_number; i++) {
        told[i] = (struct told){told[i].number, told[i].summary, 0};
    }
    return is_number && is_made(told, n, 1);
}

int told_is_apart(struct told *told, size_t n)
{
    enum { ENOUGH = 20, TIMES = 10 };
    double least = INFINITY, different = 1.0;
    qsort(told, n, sizeof *told, by_summary);
    for (size_t i = 1; i < n; i++) {
        double gap = told[i].summary - told[i - 1].summary;
        different += gap > 0.0;
        least = told[i].word != told[i - 1].word ? fmin(least, gap) : least;
    }
    return different >= ENOUGH &&
           least > TIMES * (told[n - 1].summary - told[0].summary) / (different - 1.0);
}
