/* Runs of HELM (Stanford CRFM): a folder a run, which is a scenario answered by one model.
 *
 * Offers: importer_helm.
 * Way: stats.c keeps the statistics of a run's instances → states.c reads the requests beside them, one at a time, and hands
 * them to import/harness → helm.c goes through the runs; metrics.c knows which metric HELM's tables show of which scenario.
 * Uses: base/archive, base/core, base/json, base/text, import/build, import/harness, import/prices.
 */
#ifndef REGRET_IMPORT_HELM_ROOM_H
#define REGRET_IMPORT_HELM_ROOM_H

#endif
