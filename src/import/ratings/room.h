/* Ratings that people chose to give beside ratings of items drawn for them at random: what no map can say becomes a log, a
 * trial and the evaluate.json of both.
 *
 * Offers: importer_coat, importer_r3.
 * Way: coat.c reads matrices and features, r3.c lists of ratings → ratings.c writes obs.csv, exp.csv and evaluate.json.
 * Uses: base/core, base/files, base/json, base/text, import/build.
 */
#ifndef REGRET_IMPORT_RATINGS_ROOM_H
#define REGRET_IMPORT_RATINGS_ROOM_H

#endif
