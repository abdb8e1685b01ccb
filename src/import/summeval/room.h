/* SummEval's expert judgements: a table with a map, titles and a card of its own.
 *
 * Offers: importer_summeval, regret_import_summeval().
 * Way: the recipe of summeval.c → import/table.
 * Uses: base/core, base/files, base/json, base/text, import/build, import/table.
 */
#ifndef REGRET_IMPORT_SUMMEVAL_ROOM_H
#define REGRET_IMPORT_SUMMEVAL_ROOM_H

#endif
