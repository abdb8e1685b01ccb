#include "import/profile/grades.h"

#include <string.h>
#include <strings.h>

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
