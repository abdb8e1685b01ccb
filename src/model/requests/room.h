/* New requests: the model of a run, tables of requests, and the answers to them.
 *
 * Offers: regret_model_of_run(), regret_model_check_run(), regret_requests_answer().
 * Way: of_run.c makes the scores of a cell's grid into what model/fit wants → table.c reads requests, answers.c has
 * model/core answer them block by block and writes a line each.
 * Uses: base/core, base/csv, base/files, base/json, base/text, experiment/config, experiment/inputs, experiment/pool, import/profile,
 * import/table, model/core, model/fit, pool/files, pool/grid, pool/spread, pool/votes, task/reward.
 */
#ifndef REGRET_MODEL_REQUESTS_ROOM_H
#define REGRET_MODEL_REQUESTS_ROOM_H

#endif
