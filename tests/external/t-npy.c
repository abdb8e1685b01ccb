/* .npy files: what is written byte by byte, and what is read of untrusted ones. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/scratch.h"
#include "external/prediction_file.h"
#include "regret/buffer.h"
#include "regret/status.h"

TestSuite(npy, .init = scratch_enter, .fini = scratch_leave);

/* Writes a file of the parts of NumPy's format. */
static void put(const char *name, const char *header, const void *data, size_t bytes)
{
    FILE *f = fopen(name, "wb");
    unsigned char length[2] = {(unsigned char)(strlen(header) & 0xFF),
                               (unsigned char)(strlen(header) >> 8)};
    fwrite("\x93NUMPY\x01\x00", 1, 8, f);
    fwrite(length, 1, 2, f);
    fwrite(header, 1, strlen(header), f);
    fwrite(data, 1, bytes, f);
    fclose(f);
}

Test(npy, the_bytes_that_the_format_wants)
{
    const int32_t numbers[] = {7, -1};
    const struct npy_array array = {NPY_I32, 2, 0, numbers};
    char *text = NULL;
    size_t n = 0;
    cr_assert_eq(npy_write(scratch_folder, "a.npy", &array), 0);
    cr_assert_eq(regret_file_read(&text, &n, "a.npy", 1000), 0);
    static const char header[] = "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }";
    cr_assert_eq(n, 128 + 8, "data begin at a multiple of 64");
    cr_assert_eq(memcmp(text, "\x93NUMPY\x01\x00\x76\x00", 10), 0);
    cr_assert_eq(memcmp(text + 10, header, strlen(header)), 0);
    cr_assert_eq(text[127], '\n');
    cr_assert_eq(memcmp(text + 128, numbers, 8), 0);
    regret_free(text);
    cr_assert_eq(npy_write(scratch_folder, "a.npy", &array), REGRET_E_IO,
                 "what is there is not written over");
}

Test(npy, matrices_are_column_major_and_none_is_too_small)
{
    const double z[] = {1, 2, 3, 4, 5, 6};
    const struct npy_array matrix = {NPY_F64, 3, 2, z}, nothing = {NPY_F64, 0, 0, NULL};
    char *text = NULL;
    cr_assert_eq(npy_write(scratch_folder, "z.npy", &matrix), 0);
    cr_assert_eq(regret_file_read(&text, NULL, "z.npy", 1000), 0);
    cr_assert_not_null(strstr(text + 10, "'fortran_order': True, 'shape': (3, 2), "));
    regret_free(text);
    cr_assert_eq(npy_write(scratch_folder, "n.npy", &nothing), 0);
}

Test(npy, what_is_written_is_read)
{
    double x[5] = {0.25, -1e300, 5e-324, NAN, 3.0}, y[5];
    const struct npy_array array = {NPY_F64, 5, 0, x};
    char detail[256];
    cr_assert_eq(npy_write(scratch_folder, "x.npy", &array), 0);
    cr_assert_eq(npy_read(y, 5, scratch_folder, "x.npy", detail, sizeof detail), NPY_READ);
    for (size_t i = 0; i < 5; i++) {
        cr_assert(x[i] == y[i] || (isnan(x[i]) && isnan(y[i])), "%zu: %g", i, y[i]);
    }
    cr_assert_eq(npy_read(y, 4, scratch_folder, "x.npy", detail, sizeof detail), NPY_SHAPE);
    cr_assert_str_eq(detail, "x.npy has the shape (5,), not (4,)");
    cr_assert_eq(npy_read(y, 5, scratch_folder, "y.npy", detail, sizeof detail), NPY_ABSENT);
}

Test(npy, untrusted_headers)
{
    static const struct {
        const char *header;
        enum npy_found found;
    } cases[] = {
        {"{'shape': (3,), 'fortran_order': True, 'descr': '<f8'}", NPY_READ},
        {"{'descr': '<f8', 'shape': (3, )}", NPY_READ},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", NPY_MALFORMED},
        {"{'descr': '>f8', 'fortran_order': False, 'shape': (3,), }", NPY_MALFORMED},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (3,), }", NPY_MALFORMED},
        {"{'descr': [('a', '<f8')], 'shape': (3,), }", NPY_MALFORMED},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (), }", NPY_SHAPE},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (3, 1), }", NPY_SHAPE},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (-3,), }", NPY_SHAPE},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,), }", NPY_SHAPE},
        {"{'descr': '<f8', 'shape': (3", NPY_SHAPE},
        {"{'descr': '<f8'", NPY_MALFORMED},
        {"", NPY_MALFORMED},
    };
    const double x[3] = {1, 2, 3};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double y[3];
        char detail[64];
        put("s.npy", cases[i].header, x, sizeof x);
        enum npy_found found = npy_read(y, 3, scratch_folder, "s.npy", detail, sizeof detail);
        cr_expect_eq(found, cases[i].found, "%s: %d", cases[i].header, found);
    }
}

Test(npy, files_that_are_none)
{
    const double x[3] = {1, 2, 3};
    double y[3];
    char detail[64];
    put("long.npy", "{'descr': '<f8', 'shape': (3,)}", x, sizeof x - 1);
    cr_expect_eq(npy_read(y, 3, scratch_folder, "long.npy", detail, sizeof detail), NPY_MALFORMED);
    scratch_put("text.npy", "0.5\n");
    cr_expect_eq(npy_read(y, 3, scratch_folder, "text.npy", detail, sizeof detail), NPY_MALFORMED);
    cr_assert_eq(mkdir("folder.npy", 0700), 0);
    cr_expect_eq(npy_read(y, 3, scratch_folder, "folder.npy", detail, sizeof detail),
                 NPY_MALFORMED);
    cr_assert_eq(mkfifo("pipe.npy", 0600), 0);
    cr_expect_eq(npy_read(y, 3, scratch_folder, "pipe.npy", detail, sizeof detail), NPY_MALFORMED);
    put("good.npy", "{'descr': '<f8', 'shape': (3,)}", x, sizeof x);
    cr_assert_eq(symlink("good.npy", "link.npy"), 0);
    cr_expect_eq(npy_read(y, 3, scratch_folder, "link.npy", detail, sizeof detail), NPY_MALFORMED,
                 "links may lead anywhere");
}
