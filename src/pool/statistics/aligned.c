#include "pool/statistics/aligned.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 4, MOST_DECIMALS = 20, ROOM = 400 };

/* "0.003992", "12", "1234568": what four digits or the whole part say, without zeros at the end. */
static void print(char out[ROOM], double x)
{
    double order = x != 0.0 && isfinite(x) ? floor(log10(fabs(x))) : 0.0;
    int decimals = order >= DIGITS - 1 ? 0 : (int)fmin(DIGITS - 1 - order, MOST_DECIMALS);
    snprintf(out, ROOM, "%.*f", decimals, x);
    for (size_t n = strlen(out); decimals > 0 && isfinite(x); n--) {
        int is_point = out[n - 1] == '.';
        if (!is_point && out[n - 1] != '0') {
            break;
        }
        out[n - 1] = '\0';
        if (is_point) {
            break;
        }
    }
}

void aligned_fit(struct aligned *a, double x)
{
    char text[ROOM];
    print(text, x);
    size_t left = strcspn(text, "."), right = strlen(text) - left;
    a->left = left > a->left ? left : a->left;
    a->right = right > a->right ? right : a->right;
}

void aligned_put(struct regret_buffer *t, const struct aligned *a, double x)
{
    char text[ROOM];
    print(text, x);
    size_t left = strcspn(text, ".");
    regret_buffer_printf(t, "%*s%-*s", (int)(a->left - left), "", (int)(left + a->right), text);
}
