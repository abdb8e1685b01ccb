/* Outputs of batch services (OpenAI's Batch API and what speaks like it), with scores from a file beside them.
 *
 * Offers: importer_batch.
 * Way: requests.c keeps the prompts of the input file → scores.c the scores of a table or of a judge's own batch → outputs.c makes
 * an answer of each line, its request named by ids.c and its response read by body.c, and hands it over to import/harness.
 * Uses: base/archive, base/core, base/csv, base/json, base/text, import/harness, import/prices, import/table.
 */
#ifndef REGRET_IMPORT_BATCH_ROOM_H
#define REGRET_IMPORT_BATCH_ROOM_H

#endif
