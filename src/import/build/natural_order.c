#include "import/build/natural_order.h"

#include <string.h>

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

int natural_order(const void *left, const void *right)
{
    const char *a = *(const char *const *)left, *b = *(const char *const *)right;
    const char *p = a, *q = b;
    while (*p != '\0' && *q != '\0') {
        if (is_digit(*p) && is_digit(*q)) {
            p += strspn(p, "0");
            q += strspn(q, "0");
            size_t m = strspn(p, "0123456789"), n = strspn(q, "0123456789");
            int c = m != n ? (m > n) - (m < n) : strncmp(p, q, n);
            if (c != 0) {
                return c;
            }
            p += m;
            q += n;
        } else if (*p != *q) {
            return (unsigned char)*p < (unsigned char)*q ? -1 : 1;
        } else {
            p++;
            q++;
        }
    }
    int c = (*p != '\0') - (*q != '\0');
    return c != 0 ? c : strcmp(a, b); /* "M02" and "M2" differ, too */
}
