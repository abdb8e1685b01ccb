/* What another program says: arrays in NumPy files, predictions in tables, a worker process that answers lines. It
 * knows nothing of families or replicates.
 *
 * Offers: npy_read() and npy_write(), prediction_file_*, worker_*.
 * Way: npy.c writes the arrays of a question → worker.c starts the program, asks and waits with patience → npy.c
 * reads its answer; prediction_file.c reads answers that were made before.
 * Uses: base/core, base/csv, base/files, base/json, base/text, pool/files.
 */
#ifndef REGRET_EXTERNAL_ROOM_H
#define REGRET_EXTERNAL_ROOM_H

#include "external/npy.h"
#include "external/prediction_file.h"
#include "external/worker.h"

#endif
