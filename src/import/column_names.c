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
    [COLUMN_WINNER] =
        " winner vote votes preference preferred choice chosen verdict outcome result "
        "judgment judgement better label decision ",
    [COLUMN_TURNS] = " conversation conversations conv messages dialog dialogue turns ",
    [COLUMN_ID] = " id ids qid uid uuid hash key ",
    [COLUMN_SUMMARY] = " average avg mean total sum median overall max maximum min minimum best "
                       "worst highest lowest aggregate combined oracle bound ceiling ",
    [GUESS_RATER] = " rater annotator judge judger reviewer assessor evaluator grader coder expert "
                    "marker referee labeler labeller worker turker ",
    [COLUMN_INCIDENTAL] =
        " latency time seconds ms duration elapsed timestamp tstamp tokens token length words "
        "chars "
        "characters count num seed temperature turn turns index idx position step epoch year age "
        "size difficulty level "
        "complexity priority hops lines weight weights batch sec secs date created updated version "
        "revision retries calls bytes kb mb gb vram ram gpu memory energy throughput confidence "
        "prob probability logprob loglik propensity shard stratum order row line len number nr "
        "pages rounds ",
    [COLUMN_METRIC] = " bleu rouge rougel rougelsum meteor chrf comet bleurt bertscore similarity "
                      "cosine jaccard levenshtein recall precision auc auroc iou ndcg mrr mqm "
                      "exact match matches pass passes acc em fscore predicted pred truth valid "
                      "accepted approved likes liked upvotes stars thumbs thumbsup ok solved ",
    [COLUMN_REPEAT] = " draw draws epoch run seed trial repeat repetition attempt iteration try "
                      "replicate rep fold round sample ",
    [COLUMN_FAMILY] =
        " gpt chatgpt claude llama codellama mistral mixtral gemini gemma qwen deepseek phi opus "
        "sonnet haiku cohere command grok falcon t bart pegasus bert palm yi codex starcoder "
        "vicuna "
        "alpaca wizardlm zephyr nova titan jamba dbrx olmo mpt bloom chatglm glm ernie baichuan "
        "internlm kimi copilot bard davinci turbo flan lead textrank deepl nllb whisper aider "
        "sweagent openhands devin sonar minimax hermes nemotron granite aya smollm tulu solar orca "
        "model agent system baseline gpto ",
    [COLUMN_MEASURE] =
        " name metric measure criterion criteria aspect dimension attribute key statistic ",
};

int column_words(const char *name, unsigned kind)
{
    return WORDS[kind] != NULL ? column_count_words(name, WORDS[kind]) : 0;
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

int column_is_measure(const char *name)
{
    static const unsigned kinds[] = {GUESS_COMPONENT,   COLUMN_SMALLER, COLUMN_METRIC,
                                     COLUMN_INCIDENTAL, GUESS_COST,     GUESS_REFERENCE,
                                     COLUMN_SUMMARY,    GUESS_OUTPUT,   GUESS_RATER,
                                     COLUMN_MEASURE,    GUESS_TAG,      COLUMN_ID};
    static const char beside[] = " f l n of per in by at to is has ground ";
    char word[WORD + 3];
    const char *at = name;
    int known = 0;
    while (next_word(word, &at)) {
        int is_known = strcmp(word, " f ") == 0 && strpbrk(name, "0123456789") != NULL;
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !is_known; i++) {
            is_known = strstr(WORDS[kinds[i]], word) != NULL;
        }
        if (!is_known && strstr(beside, word) == NULL) {
            return 0;
        }
        known += is_known;
    }
    return known > 0;
}

int column_is_no_context(const char *name)
{
    return column_words(name, GUESS_CONTEXT) + column_words(name, COLUMN_ID) +
                   column_count_words(name, " index idx row line number num nr no position ") ==
               0 &&
           column_words(name, COLUMN_INCIDENTAL) + column_words(name, GUESS_COST) +
                   column_words(name, COLUMN_METRIC) + column_words(name, GUESS_COMPONENT) +
                   column_words(name, COLUMN_SMALLER) + column_words(name, COLUMN_REPEAT) >
               0;
}

int column_is_model(const char *name)
{
    size_t letters = 0, n = strlen(name);
    for (size_t i = 0; i < n; i++) {
        letters += isalpha((unsigned char)name[i]) != 0;
        int is_size = isdigit((unsigned char)name[i]) &&
                      (name[i + 1] == 'b' || name[i + 1] == 'B') &&
                      !isalpha((unsigned char)name[i + 2 < n ? i + 2 : n]);
        if (is_size || (name[i] == '/' && i > 0 && i + 1 < n)) {
            return 1; /* 7b, org/name */
        }
    }
    return (letters == 1 && isalpha((unsigned char)name[0])) || /* A, m1 */
           column_words(name, COLUMN_FAMILY) > 0;
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
            is_good = strstr(WORDS[GUESS_COMPONENT], word) != NULL && strstr(plain, word) == NULL,
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
    return column_words(name, GUESS_COST) > 0 &&
           column_count_words(name, " total sum overall combined ") > 0;
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

int grades_is_clear(const char *text)
{
    return strpbrk(text, "+-Ff") != NULL;
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

size_t told_levels(struct told *told, size_t n, int is_number, size_t *wide)
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
