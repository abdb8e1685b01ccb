/* Predictions in files: CSV and NPY. */
#ifndef EXTERNAL_PREDICTION_FILE_H
#define EXTERNAL_PREDICTION_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "regret/pool.h"

/* Arrays in NumPy's format .npy, version 1.0: written of any of four types, read of doubles. */

enum npy_type { NPY_U8, NPY_I32, NPY_I64, NPY_F64 };

/* An array of one or two dimensions; columns 0: of one. A matrix is column-major, as all of ours. */
struct npy_array {
    enum npy_type type;
    size_t rows, columns;
    const void *data; /* borrowed */
};

/* Writes folder/name, which must not be there. */
int npy_write(const char *folder, const char *name, const struct npy_array *array);

enum npy_found {
    NPY_READ,
    NPY_ABSENT,
    NPY_MALFORMED, /* no .npy file of doubles ("<f8") */
    NPY_SHAPE      /* one of another shape than (n,) */
};

/* Reads the n doubles of folder/name, written by a stranger: anything but a regular file is malformed. `detail`
 * says what is there instead. */
enum npy_found npy_read(double *out, size_t n, const char *folder, const char *name, char *detail,
                        size_t size);

/* Predictions that were made elsewhere: CSV files with a record for each output of the pool (docs/formats.md). */

struct prediction_file; /* opaque */

/* What a prediction is of. Context and agent are numbers of the pool. */
struct prediction_key {
    unsigned long long cell, seed, fold, context, agent, draw;
};

/* Reads a file, or every *.csv of a folder. The header names the columns: "context", "agent" (ids of the pool) and
 * "prediction" must be there, "cell", "seed", "fold" and "draw" may; what is not there does not matter to the
 * prediction. REGRET_E_INPUT with file, line and remedy: columns that are unknown, missing, or other than those of
 * the file before; ids the pool does not have; a prediction that is no finite number; one given twice.
 * O(n log n) in the records, 56 bytes each. */
int prediction_file_read(struct prediction_file **out, const char *path,
                         const struct regret_pool *pool);
void prediction_file_free(struct prediction_file *file); /* NULL is fine */

/* A digest of all that was read. */
const char *prediction_file_digest(const struct prediction_file *file);
/* The prediction of that output; 0 where there is none. O(log n). */
int prediction_file_find(double *out, const struct prediction_file *file,
                         const struct prediction_key *key);

#endif
