/* The numbers of a claim, for people. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/claims/evidence.h"

static void say(struct claim_result *f, const char *label, double value, int decimals,
                const char *positive)
{
    char digits[64];
    struct regret_buffer *t = &f->numbers;
    snprintf(digits, sizeof digits, "%.*f", decimals, fabs(value));
    int zero = strspn(digits, "0.") == strlen(digits);
    regret_buffer_append(t, t->length == 0 ? "" : f->no_comma ? " " : ", ");
    regret_buffer_printf(t, "%s%s", label != NULL ? label : "", label != NULL ? " " : "");
    f->no_comma = 0;
    if (!isfinite(value)) {
        regret_buffer_append(t, "–");
        return;
    }
    regret_buffer_append(t, value < 0.0 && !zero ? "−" : positive);
    regret_buffer_append(t, digits);
}

void say_number(struct claim_result *f, const char *label, double value, int decimals)
{
    say(f, label, value, decimals, "");
}

void say_signed(struct claim_result *f, const char *label, double value, int decimals)
{
    say(f, label, value, decimals, "+");
}

void say_mean(struct claim_result *f, const struct slice *s, int measure, size_t subject)
{
    say(f, s->r->subjects[subject].name, claim_mean(s, measure, subject), claim_decimals(measure),
        "");
}

void say_words(struct claim_result *f, const char *words)
{
    regret_buffer_append(&f->numbers, words);
    f->no_comma = 1;
}
