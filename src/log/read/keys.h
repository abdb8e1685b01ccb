/* What evaluate.json may say: one list, so that a key which nobody reads is refused whoever reads first. */
#ifndef REGRET_LOG_READ_KEYS_H
#define REGRET_LOG_READ_KEYS_H

#include "regret/json.h"

struct cJSON;

/* Refuses a key that is neither of the input (read by regret_log_read()) nor of the estimation (read by who estimates),
 * naming the nearest; and a configuration of `regret run`. A key of the estimation that ends in ".*" in the list stands
 * for all that begin so: what may follow is for its reader to check. */
int log_config_check_keys(const struct cJSON *root, struct regret_place at);

/* 1 where a key is read by regret_log_read(): whoever reads the others passes over it. */
int log_config_is_input_key(const char *key);

#endif
