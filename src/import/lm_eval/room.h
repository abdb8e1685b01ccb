/* The samples that lm-evaluation-harness writes (--log_samples): a folder a model, a file a task.
 *
 * Offers: importer_lm_eval.
 * Way: results.c reads what results_*.json say of models, versions and metrics → lm_eval.c goes through samples_*.jsonl →
 * sample.c makes an answer of each row → import/harness makes the pool.
 * Uses: base/archive, base/core, base/json, base/text, import/build, import/harness.
 */
#ifndef REGRET_IMPORT_LM_EVAL_ROOM_H
#define REGRET_IMPORT_LM_EVAL_ROOM_H

#endif
