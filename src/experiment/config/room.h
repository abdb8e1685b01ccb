/* A configuration and its sweep: JSON to struct regret_config, cell by cell. Here stand also the options with
 * which a caller runs one.
 *
 * Offers: struct regret_config, regret_run_plan_* (regret/config.h), the types of regret/experiment.h;
 * config_key_* (the table of keys), family_list_*, run_plan_cap().
 * Way: run_plan_read.c applies file and --set key by key, by the table of config_keys.c (family_list.c:
 * "families") → run_plan_check.c refuses what no key forbids by itself → run_plan.c hands out cells.
 * Uses: base/core, base/files, base/json, base/text, estimate, pool/spread, results/row, task/reward, task/world.
 */
#ifndef REGRET_EXPERIMENT_CONFIG_ROOM_H
#define REGRET_EXPERIMENT_CONFIG_ROOM_H

#include "experiment/config/config_keys.h"
#include "experiment/config/family_list.h"
#include "experiment/config/run_plan.h"
#include "regret/config.h"
#include "regret/experiment.h"

#endif
