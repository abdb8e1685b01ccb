/* What numbers and words of a column tell by themselves: the scale that they are on, whether it is one, and of what they are made. */
#include "import/scales.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "regret/buffer.h"

/* ---------------------------------------------------------------- scales */

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

/* NULL: none. */
static const double *scale_filled_by(double least, double most)
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

/* ---------------------------------------------------------------- numbers that are none */

enum { FAR = 5, SKEW = 3, RARE = 50, OFTEN = 12, LEAST_NUMBERS = 20 };

/* One so far from the next to it that it is a slip of the pen, also where all are skewed, as costs and counts are. */
static int is_far(const struct numbers *s, double x, size_t times, double next)
{
    double mean = (s->sum - fabs(x) * (double)times) / (double)(s->n - times);
    double skew = mean > 0.0 ? SKEW * fabs(next) / mean : 0.0;
    return fabs(x) > 10.0 && fabs(x) > fabs(next) * fmax(FAR, skew);
}

/* 1 where the greatest lies beyond the scale of the others: a code, or rare. */
static int lies_beyond(const struct numbers *s)
{
    const double *scale = scale_filled_by(s->least, s->next_most);
    int is_code = (s->most == 9.0 && OFTEN * s->at_most >= s->n) || s->most == 99.0 ||
                  s->most == 999.0 || s->most == 9999.0,
        is_rare = s->at_most <= 3 && RARE * s->at_most <= s->n;
    return scale != NULL && s->most > scale[1] && s->most > s->next_most + 1.0 &&
           (is_code || (is_rare && s->most >= 1.5 * scale[1]));
}

int numbers_find_odd(double *odd, double range[2], const struct numbers *s)
{
    static const double CODES[] = {-1, -9, -99, -999, 999, 9999};
    int is_code = 0, are_three = s->next_least < s->most, are_four = s->next_least < s->next_most;
    for (size_t i = 0; i < sizeof CODES / sizeof *CODES; i++) {
        is_code |= s->least == CODES[i];
    }
    int is_missing =
            is_code && s->next_least >= 0.0 && (s->least < -1.0 || s->next_least > 1.0 || are_four),
        is_slip = are_three && s->n >= LEAST_NUMBERS &&
                  (is_far(s, s->most, s->at_most, s->next_most) || lies_beyond(s));
    is_missing |= are_three && s->n >= LEAST_NUMBERS && s->least < 0.0 &&
                  is_far(s, s->least, s->at_least, s->next_least);
    *odd = is_missing ? s->least : s->most;
    range[0] = is_missing ? s->next_least : s->least;
    range[1] = is_slip ? s->next_most : s->most;
    return is_missing || is_slip;
}

void numbers_see(struct numbers *s, double x)
{
    s->n++;
    s->sum += fabs(x);
    s->next_least = x < s->least ? s->least : x > s->least ? fmin(s->next_least, x) : s->next_least;
    s->next_most = x > s->most ? s->most : x < s->most ? fmax(s->next_most, x) : s->next_most;
    s->at_least = x < s->least ? 1 : s->at_least + (x == s->least);
    s->at_most = x > s->most ? 1 : s->at_most + (x == s->most);
    s->least = fmin(s->least, x);
    s->most = fmax(s->most, x);
}

/* ---------------------------------------------------------------- one scale or two */

int owned_number_compare(const void *left, const void *right)
{
    const struct owned_number *a = left, *b = right;
    return a->owner != b->owner ? (a->owner > b->owner) - (a->owner < b->owner)
                                : (a->x > b->x) - (a->x < b->x);
}

int owners_are_on_two_scales(struct two_scales *out, const struct owned_number *r, size_t n)
{
    struct two_scales s = {0, 0, 0.0};
    size_t owners = 0, ones = 0, zeros = 0, verdicts = 0;
    for (size_t i = 0, end, first; i < n; i = end, owners++) {
        for (end = i + 1; end < n && r[end].owner == r[i].owner; end++) {
        }
        for (first = i; first + 1 < end && r[first].x <= 0.0; first++) {
        }
        double least = r[i].x, most = r[end - 1].x, middle = r[i + (end - i) / 2].x;
        int is_verdict = least == 0.0 && most >= 8.0 && r[first].x >= 8.0; /* 0 or 100 */
        s.shares += least >= 0.0 && most <= 1.0 && least < most;
        ones += least == 1.0 && most == 1.0;
        zeros += least == 0.0 && most == 0.0;
        verdicts += (size_t)is_verdict;
        s.points += most >= 8.0 && (middle > 1.0 || is_verdict);
        s.most = fmax(s.most, most);
    }
    s.shares += verdicts == s.points ? ones : 0; /* else it may be the least of 1 to 10 */
    *out = s;
    return s.shares > 0 && s.points > 0 && s.shares + s.points + zeros >= owners;
}

/* ---------------------------------------------------------------- what is made of scores */

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
