/* Memory of drawn rows. */
#ifndef REGRET_TASK_ROWS_H
#define REGRET_TASK_ROWS_H

#include "regret/estimate.h"

/* Room for n rows; freed with regret_rows_clear(). *rows is empty on failure. */
int rows_create(struct regret_rows *rows, size_t n);

#endif
