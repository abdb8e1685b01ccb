/* Cells that stand for numbers: figures, words, what says that there is none. */
#include "table/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LONGEST_FIGURES = 32 }; /* bytes, where they are copied */

/* What R, pandas and spreadsheets write where a number is missing. */
int table_source_is_missing(const char *text)
{
    static const char *const marks[] = {"na",   "n/a",  "nan", "null", "none",
                                        "<na>", "#n/a", "-",   "--",   "\u2014"};
    text += strspn(text, " \t\r\n");
    size_t n = strcspn(text, " \t\r\n");
    int found = 0;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        found |= n == strlen(marks[i]) && strncasecmp(text, marks[i], n) == 0;
    }
    return found && text[n + strspn(text + n, " \t\r\n")] == '\0';
}

/* The text without the blanks around it, n bytes, if there are none in it. */
static const char *trim(size_t *n, const char *text)
{
    text += strspn(text, " \t\r\n");
    *n = strcspn(text, " \t\r\n");
    return text[*n + strspn(text + *n, " \t\r\n")] == '\0' ? text : NULL;
}

/* Good words, and at the same place bad ones; the last of logs alone: in tables they may be answers, and F a grade. */
static const char *const GOOD_BAD[][2] = {{"true", "false"},
                                          {"yes", "no"},
                                          {"y", "n"},
                                          {"pass", "fail"},
                                          {"passed", "failed"},
                                          {"correct", "incorrect"},
                                          {"right", "wrong"},
                                          {"success", "failure"},
                                          {"resolved", "unresolved"},
                                          {"solved", "unsolved"},
                                          {"accepted", "rejected"},
                                          {"win", "loss"},
                                          {"like", "dislike"},
                                          {"liked", "disliked"},
                                          {"up", "down"},
                                          {"thumbs up", "thumbs down"},
                                          {"thumbs_up", "thumbs_down"},
                                          {"thumbsup", "thumbsdown"},
                                          {"\U0001F44D", "\U0001F44E"},
                                          {"\u2713", "\u2717"},
                                          {"\u2714", "\u2718"},
                                          {"\u2705", "\u274C"},
                                          {"good", "bad"},
                                          {"positive", "negative"},
                                          {"t", "f"}};
enum { LONGEST_WORD = sizeof "thumbs_down" - 1 };
enum { VERDICTS = sizeof GOOD_BAD / sizeof *GOOD_BAD, WORDS_OF_TABLES = VERDICTS - 3 };

static int parse_pair(double *out, const char *text, size_t n)
{
    text += strspn(text, " \t\r\n");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL) {
        length--;
    }
    int may_be_word =
        length > 0 && length <= LONGEST_WORD && strchr("+-.0123456789", text[0]) == NULL;
    for (size_t i = 0; may_be_word && i < 2 * n; i++) {
        const char *word = GOOD_BAD[i / 2][i % 2];
        if (length == strlen(word) && strncasecmp(text, word, length) == 0) {
            *out = i % 2 == 0;
            return 1;
        }
    }
    return 0;
}

int table_source_parse_word(double *out, const char *text)
{
    return parse_pair(out, text, WORDS_OF_TABLES);
}

int table_source_parse_verdict(double *out, const char *text)
{
    return parse_pair(out, text, VERDICTS);
}

int table_source_parse(double *out, const char *text)
{
    char *end = NULL;
    size_t n = 0;
    if (table_source_parse_word(out, text)) {
        return 1;
    }
    text = trim(&n, text);
    if (text == NULL || n == 0) {
        return 0;
    }
    double x = strcspn(text, "xX") < n ? NAN : strtod(text, &end); /* nothing hexadecimal */
    if (end != text + n || !isfinite(x)) {
        return 0;
    }
    *out = x;
    return 1;
}

int table_source_parse_money(double *out, const char *text)
{
    static const char *const MARKS[] = {"US$", "$", "\u20AC", "\u00A3", "USD", "EUR", "GBP"};
    char plain[LONGEST_FIGURES];
    text += strspn(text, " \t\r\n");
    size_t length = strlen(text);
    for (size_t i = 0; i < sizeof MARKS / sizeof *MARKS && length < sizeof plain; i++) {
        size_t n = strlen(MARKS[i]);
        if (length > n && strncmp(text, MARKS[i], n) == 0) {
            return table_source_parse(out, text + n);
        }
        if (length > n && strcmp(text + length - n, MARKS[i]) == 0) {
            snprintf(plain, sizeof plain, "%.*s", (int)(length - n), text);
            return table_source_parse(out, plain);
        }
    }
    return 0;
}

int table_source_parse_comma(double *out, const char *text)
{
    char plain[LONGEST_FIGURES];
    size_t n = 0;
    text = trim(&n, text);
    const char *comma = text != NULL ? strchr(text, ',') : NULL;
    if (comma == NULL || n >= sizeof plain || strspn(text, "+-0123456789,eE") < n ||
        comma[1] < '0' || comma[1] > '9') {
        return 0;
    }
    snprintf(plain, sizeof plain, "%.*s", (int)n, text);
    plain[comma - text] = '.';
    return table_source_parse(out, plain);
}

int table_source_comma_is_clear(const char *text)
{
    const char *after = strchr(text, ',') + 1;
    size_t figures = strspn(after, "0123456789");
    return figures != 3 || after[figures + strspn(after + figures, " \t\r\n")] != '\0' ||
           text[strspn(text, " \t\r\n+-")] == '0';
}

int table_source_parse_percent(double *out, const char *text)
{
    char plain[LONGEST_FIGURES];
    text += strspn(text, " \t\r\n");
    size_t n = strcspn(text, "%");
    if (text[n] != '%' || n == 0 || n >= sizeof plain ||
        text[n + 1 + strspn(text + n + 1, " \t\r\n")] != '\0') {
        return 0;
    }
    snprintf(plain, sizeof plain, "%.*s", (int)n, text);
    return strspn(plain, "+-.,0123456789eE ") == n &&
           (table_source_parse(out, plain) || table_source_parse_comma(out, plain));
}
