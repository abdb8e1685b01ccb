/* The results that AlpacaEval publishes: a folder a model, with judgements of an annotator.
 *
 * Offers: importer_alpacaeval, regret_import_alpacaeval().
 * Way: alpacaeval_models.c lists the models that were asked for and have judgements → alpacaeval_records.c reads
 * those of each, record by record → alpacaeval.c names users and costs, and builds the pool.
 * Uses: base/core, base/files, base/json, base/text, import/build, import/table.
 */
#ifndef REGRET_IMPORT_ALPACAEVAL_ROOM_H
#define REGRET_IMPORT_ALPACAEVAL_ROOM_H

#endif
