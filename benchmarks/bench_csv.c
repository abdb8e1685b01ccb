/* Speed of the CSV scanner.
 *
 *   bench-csv FOLDER [SAMPLE] [MEGABYTES]
 *
 * Makes FOLDER/bench.csv of about MEGABYTES (1000) by repeating the records of SAMPLE (such as
 * all_patches.csv; without one, or with "-", records of made-up patches), unless a file of that
 * size is there already, and reads it: the bytes alone with read(), the scan, and the scan with
 * every field resolved. Each is done three times and the fastest counts (processor time), so that the file is in the
 * page cache. The same file is for csv_pandas.py. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/csv.h"
#include "regret/buffer.h"
#include "regret/status.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void made_up_sample(struct regret_buffer *text)
{
    regret_buffer_append(text, "instance_id,agent,patch,resolved,tests_status,benchmark\n");
    for (int i = 0; i < 2000; i++) {
        regret_buffer_printf(text, "project__project-%d,agent_%d,\"diff --git a/m.py b/m.py\n",
                             i / 20, i % 20);
        regret_buffer_append(text, "--- a/m.py\n+++ b/m.py\n@@ -1,20 +1,20 @@ def f(x):\n");
        for (int line = 0; line < 20; line++) {
            regret_buffer_printf(text, "%c    value_%d = compute(\"\"key %d\"\", other=%d)\n",
                                 " +-"[(i + line) % 3], line, i, line * i);
        }
        regret_buffer_append(text, i % 2 ? "\",True,,lite\n" : "\",False,,lite\n");
    }
}

/* The sample's header once, its records again and again. */
static int make_file(const char *path, const char *sample, size_t length, size_t bytes)
{
    const char *records = memchr(sample, '\n', length);
    FILE *file = records != NULL ? fopen(path, "wb") : NULL;
    if (file == NULL) {
        perror(path);
        return 1;
    }
    size_t header = (size_t)(++records - sample), body = length - header;
    size_t written = fwrite(sample, 1, header, file);
    while (body > 0 && written < bytes) {
        size_t n = fwrite(records, 1, body, file);
        if (n < body) {
            break;
        }
        written += n;
    }
    return fclose(file) != 0 || written < bytes;
}

static int ensure_file(const char *path, const char *sample, size_t bytes)
{
    struct stat info;
    if (stat(path, &info) == 0 && (size_t)info.st_size >= bytes &&
        (size_t)info.st_size < bytes + bytes / 10) {
        return 0;
    }
    struct regret_buffer text = REGRET_BUFFER_INIT;
    char *read = NULL;
    size_t length = 0;
    int failed = 1;
    if (sample == NULL) {
        made_up_sample(&text);
        failed = make_file(path, regret_buffer_get(&text), text.length, bytes);
    } else if (regret_file_read(&read, &length, sample, (size_t)1 << 30) == REGRET_OK) {
        failed = make_file(path, read, length, bytes);
    } else {
        fprintf(stderr, "%s\n", regret_error_message());
    }
    regret_free(read);
    regret_buffer_free(&text);
    return failed;
}

static double read_bytes(const char *path)
{
    static char buffer[256 << 10];
    double start = now();
    int fd = open(path, O_RDONLY);
    while (fd >= 0 && read(fd, buffer, sizeof buffer) > 0) {
    }
    close(fd);
    return now() - start;
}

/* Seconds, or a negative number on failure. */
static double scan(const char *path, int resolve, size_t *records, size_t *bytes)
{
    struct regret_csv *csv = NULL;
    double start = now();
    size_t n = 0, length = 0;
    *records = *bytes = 0;
    int rc = regret_csv_open(&csv, path, NULL);
    while (rc == REGRET_OK && (rc = regret_csv_next(csv, &n)) == REGRET_OK && n > 0) {
        for (size_t i = 0; resolve && i < n; i++) {
            regret_csv_field(&length, csv, i);
            *bytes += length;
        }
        ++*records;
    }
    regret_csv_close(csv);
    if (rc != REGRET_OK) {
        fprintf(stderr, "%s\n", regret_error_message());
        return -1.0;
    }
    return now() - start;
}

static void line(const char *what, double seconds, double bytes)
{
    printf("%-28s %8.3f s %8.2f GB/s\n", what, seconds, 1e-9 * bytes / seconds);
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 4) {
        fprintf(stderr, "usage: bench-csv FOLDER [SAMPLE|-] [MEGABYTES]\n");
        return 2;
    }
    const char *sample = argc > 2 && strcmp(argv[2], "-") != 0 ? argv[2] : NULL;
    size_t bytes = (argc > 3 ? strtoul(argv[3], NULL, 10) : 1000) * 1000000;
    char *path = NULL;
    if (regret_path_join(&path, argv[1], "bench.csv") || ensure_file(path, sample, bytes)) {
        fprintf(stderr, "cannot make the file in %s\n", argv[1]);
        regret_free(path);
        return 1;
    }
    struct stat info;
    double best[3] = {1e9, 1e9, 1e9}, size = stat(path, &info) == 0 ? (double)info.st_size : 0.0;
    size_t records = 0, held = 0;
    for (int round = 0; round < 3; round++) {
        for (int task = 0; task < 3; task++) {
            double t = task == 0 ? read_bytes(path) : scan(path, task == 2, &records, &held);
            best[task] = t < best[task] ? t : best[task];
        }
    }
    printf("%s: %.0f bytes, %zu records, %zu bytes in fields\n", path, size, records, held);
    line("read() alone", best[0], size);
    line("scan", best[1], size);
    line("scan, all fields resolved", best[2], size);
    regret_free(path);
    return best[1] < 0.0 || best[2] < 0.0;
}
