#include "cli/runs/slurm_array.h"

#include <stdlib.h>

#include "cli/terminal/cli.h"

/* More than Slurm's own limit of tasks. */
enum { MOST = 1000000 };

static int read_variable(size_t *out, const char *name)
{
    const char *text = getenv(name);
    if (text == NULL || text[0] == '\0') {
        return cli_usage_error("--shard slurm: %s is not set; submit the command as a job array "
                               "(sbatch --array=1-N), or give --shard I/N",
                               name);
    }
    char *end = NULL;
    unsigned long long n = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || n > 100ULL * MOST) {
        return cli_usage_error("--shard slurm: %s is \"%s\", not a whole number; give --shard I/N",
                               name, text);
    }
    *out = (size_t)n;
    return 0;
}

int slurm_array_place(size_t *shard, size_t *shards)
{
    static const char *const names[] = {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN",
                                        "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_COUNT",
                                        "SLURM_ARRAY_TASK_STEP"};
    size_t id = 0, min = 0, max = 0, count = 0, step = 0;
    size_t *const values[] = {&id, &min, &max, &count, &step};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int code = read_variable(values[i], names[i]);
        if (code != 0) {
            return code;
        }
    }
    if (min > 1) {
        return cli_usage_error(
            "--shard slurm: SLURM_ARRAY_TASK_MIN is %zu, so this is a part of an "
            "array; submit the whole array again with --resume (finished "
            "shards end at once), or give --shard I/N",
            min);
    }
    if (step < 1 || max < min || (max - min) % step != 0 || (max - min) / step + 1 != count) {
        return cli_usage_error(
            "--shard slurm: SLURM_ARRAY_TASK_COUNT is %zu, but tasks from %zu to "
            "%zu in steps of %zu are not as many: the array has gaps; submit it "
            "whole, as in --array=1-%zu, or give --shard I/N",
            count, min, max, step, count);
    }
    if (id < min || id > max || (id - min) % step != 0 || count > MOST) {
        return cli_usage_error("--shard slurm: SLURM_ARRAY_TASK_ID is %zu, which is not among %zu "
                               "to %zu in steps of %zu; give --shard I/N",
                               id, min, max, step);
    }
    *shard = (id - min) / step + 1;
    *shards = count;
    return 0;
}
