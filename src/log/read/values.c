#include "log/read/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "import/table/table_cell.h"

static const char BLANKS[] = " \t\r\n";

int log_outcome_parse(double *out, int *is_word, const char *text)
{
    *is_word = table_source_parse_verdict(out, text);
    return *is_word || table_source_parse(out, text);
}

/* `digits` figures at *p, which then stands behind them. */
static int take_figures(int *out, const char **p, int digits)
{
    *out = 0;
    for (int i = 0; i < digits; i++, ++*p) {
        if (**p < '0' || **p > '9') {
            return 0;
        }
        *out = 10 * *out + (**p - '0');
    }
    return 1;
}

static int take(const char **p, char c)
{
    *p += **p == c;
    return (*p)[-1] == c;
}

/* Days since 1970-01-01 of a date of the Gregorian calendar (H. Hinnant, "chrono-compatible low-level date algorithms",
 * days_from_civil). */
static long days_of(int year, int month, int day)
{
    long y = year - (month <= 2), era = (y >= 0 ? y : y - 399) / 400;
    long of_era = y - era * 400;
    long of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static int take_date(double *out, const char **p)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year, month, day;
    if (!take_figures(&year, p, 4) || !take(p, '-') || !take_figures(&month, p, 2) ||
        !take(p, '-') || !take_figures(&day, p, 2) || month < 1 || month > 12 || day < 1) {
        return 0;
    }
    int is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    *out = 86400.0 * (double)days_of(year, month, day);
    return day <= days[month - 1] + (month == 2 && is_leap);
}

/* The seconds of a clock: 12:30, 12:30:05 or 12:30:05.25. */
static int take_clock(double *out, const char **p)
{
    int hour, minute, second = 0;
    double part = 0.0, unit = 0.1;
    if (!take_figures(&hour, p, 2) || !take(p, ':') || !take_figures(&minute, p, 2)) {
        return 0;
    }
    if (**p == ':') {
        ++*p;
        if (!take_figures(&second, p, 2)) {
            return 0;
        }
        if (**p == '.' || **p == ',') {
            for (++*p; **p >= '0' && **p <= '9'; ++*p, unit /= 10.0) {
                part += unit * (**p - '0');
            }
        }
    }
    *out += 3600.0 * hour + 60.0 * minute + second + part;
    return hour <= 24 && minute < 60 && second <= 60; /* a leap second is one */
}

/* Z, UTC, +01:00, +0100, +01, or nothing. */
static int take_zone(double *out, const char **p)
{
    int hour = 0, minute = 0;
    *p += **p == ' ';
    if (**p != '+' && **p != '-') {
        *p += strncasecmp(*p, "UTC", 3) == 0 ? 3 : **p == 'Z' || **p == 'z';
        return 1;
    }
    double sign = **p == '-' ? -60.0 : 60.0;
    ++*p;
    if (!take_figures(&hour, p, 2)) {
        return 0;
    }
    *p += **p == ':';
    if (**p >= '0' && **p <= '9' && !take_figures(&minute, p, 2)) {
        return 0;
    }
    *out -= sign * (60.0 * hour + minute);
    return 1;
}

static int parse_iso(double *out, const char *p)
{
    double seconds = 0.0;
    if (!take_date(&seconds, &p)) {
        return 0;
    }
    if ((*p == 'T' || *p == 't' || *p == ' ') && p[1] >= '0' && p[1] <= '9') {
        ++p;
        if (!take_clock(&seconds, &p) || !take_zone(&seconds, &p)) {
            return 0;
        }
    }
    *out = seconds;
    return p[strspn(p, BLANKS)] == '\0';
}

int log_time_parse(double *out, const char *text)
{
    char *end = NULL;
    text += strspn(text, BLANKS);
    if (parse_iso(out, text)) {
        return 1;
    }
    double x = strpbrk(text, "xXnN") == NULL ? strtod(text, &end) : NAN; /* nothing hexadecimal */
    if (end == NULL || end == text || !isfinite(x) || end[strspn(end, BLANKS)] != '\0') {
        return 0;
    }
    double size = fabs(x);
    *out = size < 1e11 ? x : size < 1e14 ? x / 1e3 : size < 1e17 ? x / 1e6 : x / 1e9;
    return 1;
}
