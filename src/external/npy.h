/* Arrays in NumPy's format .npy, version 1.0: written of any of four types, read of doubles. */
#ifndef REGRET_EXTERNAL_NPY_H
#define REGRET_EXTERNAL_NPY_H

#include <stddef.h>
#include <stdint.h>

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

#endif
