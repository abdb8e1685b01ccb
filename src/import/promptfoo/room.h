/* Results of promptfoo: providers and prompts against test cases.
 *
 * Offers: importer_promptfoo.
 * Way: promptfoo.c goes through the files twice, for the prompts there are and for the results → result.c makes an answer of
 * each → import/harness.
 * Uses: base/archive, base/core, base/json, base/text, import/harness.
 */
#ifndef REGRET_IMPORT_PROMPTFOO_ROOM_H
#define REGRET_IMPORT_PROMPTFOO_ROOM_H

#endif
