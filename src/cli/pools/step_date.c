#include "cli/pools/step_date.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "regret/status.h"

int step_date(const char **out, char room[STEP_DATE], const char *given)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    struct tm day;
    *out = given;
    if (given != NULL) {
        return REGRET_OK;
    }
    int is_said = epoch != NULL && epoch[0] != '\0',
        is_number = is_said && strlen(epoch) <= 11 && epoch[strspn(epoch, "0123456789")] == '\0';
    time_t seconds = is_number ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
    if ((is_said && !is_number) || gmtime_r(&seconds, &day) == NULL ||
        strftime(room, STEP_DATE, "%Y-%m-%dT%H:%M:%SZ", &day) == 0) {
        return regret_fail(REGRET_E_INPUT,
                           "SOURCE_DATE_EPOCH is \"%.40s\"; it must be seconds since 1970",
                           is_said ? epoch : "");
    }
    *out = room;
    return REGRET_OK;
}
