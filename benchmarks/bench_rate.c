/* Speed of the attribute-effect module: JSONL in, table out, on one core; and the bootstrap.
 *
 *   bench-rate make FILE [ROWS]    writes score rows with four reward models (default 1,000,000)
 *   bench-rate estimate FILE       the whole way, five times; the best one counts
 *   bench-rate bootstrap [THREADS] 2,000 replicates of 25,000 rows (default 2 threads)
 *
 * benchmarks/rate_pandas.py does the first estimate with pandas, for comparison. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "rate/report.h"
#include "rate/typos.h"
#include "regret/buffer.h"
#include "regret/rate.h"
#include "regret/status.h"
#include "regret/task.h"

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int complain(const char *what)
{
    fprintf(stderr, "bench-rate: %s: %s\n", what, regret_error_message());
    return 1;
}

static void append_row(struct regret_buffer *line, size_t i, struct regret_rng *rng)
{
    static const char *const keys[] = {"original", "rewrite", "rewrite_of_rewrite"};
    int w = (int)regret_rng_below(rng, 2);
    regret_buffer_clear(line);
    regret_buffer_printf(line,
                         "{\"id\": \"row-%07zu\", \"dataset\": \"IMDB\", \"attribute\": "
                         "\"sentiment\", \"w\": %s, \"scores\": {",
                         i, w ? "true" : "false");
    for (int m = 0; m < 4; m++) {
        regret_buffer_printf(line, "%s\"reward-model-%d\": {", m > 0 ? ", " : "", m);
        for (int side = 0; side < 3; side++) {
            regret_buffer_printf(line, "%s\"%s\": ", side > 0 ? ", " : "", keys[side]);
            regret_buffer_json_number(line, 0.1 * m + 0.05 * (side == 1 ? !w : w) +
                                                0.02 * regret_rng_normal(rng));
        }
        regret_buffer_append(line, "}");
    }
    regret_buffer_append(line, "}}\n");
}

static int make(const char *path, size_t n)
{
    struct regret_buffer line = REGRET_BUFFER_INIT;
    struct regret_rng rng = regret_rng_at(1, REGRET_RNG_RATE, 0);
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        perror(path);
        return 1;
    }
    for (size_t i = 0; i < n; i++) {
        append_row(&line, i, &rng);
        fwrite(line.data, 1, line.length, file);
    }
    regret_buffer_free(&line);
    if (fclose(file) != 0) {
        perror(path);
        return 1;
    }
    return 0;
}

static int estimate_once(const char *path, double at[4], struct regret_buffer *document)
{
    struct regret_rate_rows *rows = NULL;
    struct regret_rate_estimate *estimates = NULL;
    const struct regret_rate_read_options how = {0};
    const struct regret_rate_options options = {.threads = 1};
    size_t n = 0;
    at[0] = seconds();
    int rc = regret_rate_read(&rows, &path, 1, &how);
    at[1] = seconds();
    rc = rc ? rc : regret_rate_rows_finish(rows);
    rc = rc ? rc : regret_rate_estimate(&estimates, &n, rows, &options);
    at[2] = seconds();
    if (rc == 0) {
        regret_buffer_clear(document);
        regret_rate_write_estimates(document, REGRET_FORMAT_CSV, rows, estimates, n);
        rc = regret_buffer_status(document);
    }
    regret_free(estimates);
    regret_rate_rows_free(rows);
    at[3] = seconds();
    return rc;
}

static int estimate(const char *path)
{
    struct regret_buffer document = REGRET_BUFFER_INIT;
    struct stat info;
    double best = 1e9;
    if (stat(path, &info) != 0) {
        perror(path);
        return 1;
    }
    double megabytes = 1e-6 * (double)info.st_size;
    for (int k = 0; k < 5; k++) {
        double at[4];
        if (estimate_once(path, at, &document) != 0) {
            return complain(path);
        }
        double total = at[3] - at[0];
        best = total < best ? total : best;
        printf("read %.3f s, estimate %.3f s, table and clean-up %.3f s: %.0f MB/s\n",
               at[1] - at[0], at[2] - at[1], at[3] - at[2], megabytes / total);
    }
    printf("best of 5: %.1f MB in %.3f s = %.0f MB/s on one core\n", megabytes, best,
           megabytes / best);
    regret_buffer_free(&document);
    return 0;
}

static int bootstrap(size_t threads)
{
    struct regret_rate_rows *rows = NULL;
    struct regret_rate_estimate *estimates = NULL;
    const struct regret_rate_options options = {.bootstrap = 2000, .seed = 1, .threads = threads};
    size_t n = 0;
    if (regret_rate_world_rows(&rows, &regret_rate_worlds()[0], 25000, 1, 0) != 0) {
        return complain("world");
    }
    double start = seconds();
    int rc = regret_rate_estimate(&estimates, &n, rows, &options);
    double took = seconds() - start;
    if (rc == 0) {
        printf("bootstrap: 2,000 replicates of 25,000 rows in %.3f s on %zu threads\n", took,
               threads);
    }
    regret_free(estimates);
    regret_rate_rows_free(rows);
    return rc == 0 ? 0 : complain("bootstrap");
}

int main(int argc, char **argv)
{
    if (argc >= 3 && strcmp(argv[1], "make") == 0) {
        return make(argv[2], argc > 3 ? strtoul(argv[3], NULL, 10) : 1000000);
    }
    if (argc == 3 && strcmp(argv[1], "estimate") == 0) {
        return estimate(argv[2]);
    }
    if (argc >= 2 && strcmp(argv[1], "bootstrap") == 0) {
        return bootstrap(argc > 2 ? strtoul(argv[2], NULL, 10) : 2);
    }
    fputs("usage: bench-rate make FILE [ROWS] | estimate FILE | bootstrap [THREADS]\n", stderr);
    return 2;
}
