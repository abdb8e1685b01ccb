/* What families of one's own need while a run goes on: worker processes, predictions of files, a temporary folder
 * with φ.
 *
 * Offers: external_open(), external_borrow(), external_ask(), external_waited(),
 * external_features().
 * Way: external.c opens the sources a run plan names → external_phi.c writes φ for them once → external.c lends
 * workers to replicates.
 * Uses: base/core, base/files, base/json, experiment/config, experiment/features, external, linalg/design,
 * linalg/sparse.
 */
#ifndef REGRET_EXPERIMENT_EXTERNAL_ROOM_H
#define REGRET_EXPERIMENT_EXTERNAL_ROOM_H

#include "experiment/external/external.h"
#include "experiment/external/external_phi.h"

#endif
