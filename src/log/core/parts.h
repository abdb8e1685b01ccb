/* Parts of a log that may be taken out of it. */
#ifndef REGRET_LOG_PARTS_H
#define REGRET_LOG_PARTS_H

#include "regret/log.h"

void log_free_column(struct regret_log_column *column);
void log_free_tags(struct regret_log *log);

#endif
