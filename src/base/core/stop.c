#include "regret/stop.h"

#include <stddef.h>

int regret_stop_check(const struct regret_stop *stop)
{
    return stop == NULL || stop->cancelled == NULL || stop->cancelled(stop->context) == 0
               ? REGRET_OK
               : regret_fail(REGRET_E_CANCELLED, "stopped");
}
