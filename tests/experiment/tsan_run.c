/* A run on four threads against one thread, byte for byte. A program of its own without Criterion,
 * which does not start under the thread sanitizer: there it also shows that replicates share
 * nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regret/buffer.h"
#include "regret/experiment.h"
#include "regret/status.h"
#include "synth/newswire.h"

static char folder[64] = "/tmp/regret-threads-XXXXXX";

static void check(int rc)
{
    if (rc != 0) {
        fprintf(stderr, "threads: %s\n", regret_error_message());
        regret_folder_remove(folder);
        exit(1);
    }
}

static char *path_of(const char *name)
{
    char *path = NULL;
    check(regret_path_join(&path, folder, name));
    return path;
}

static void make_pool(void)
{
    const struct regret_synth_options options = {1, 5, 1};
    struct regret_pool *pool = NULL;
    char *path = path_of("pool");
    check(regret_synth_pool(&pool, &newswire_generator, &options));
    check(regret_pool_write(pool, path, NULL, 0));
    regret_pool_free(pool);
    regret_free(path);
}

static char *run(const char *config, const char *name, size_t threads)
{
    struct regret_run_options o = REGRET_RUN_OPTIONS_INIT;
    struct regret_run_summary summary;
    char *out = path_of(name), *rows = NULL, *text = NULL;
    o.config = config;
    o.out = out;
    o.threads = threads;
    check(regret_run(&summary, &o));
    check(regret_path_join(&rows, out, "results-1-of-1.jsonl"));
    check(regret_file_read(&text, NULL, rows, (size_t)1 << 24));
    regret_free(rows);
    regret_free(out);
    return text;
}

/* 1 when one thread and four write the same rows of a configuration. */
static int same_rows(const char *keys, const char *name)
{
    char many[32], *config = path_of("config.json");
    snprintf(many, sizeof many, "%s-on-four", name);
    check(regret_file_write(config, keys, strlen(keys)));
    char *one = run(config, name, 1), *four = run(config, many, 4);
    int same = strlen(one) > 0 && strcmp(one, four) == 0;
    if (!same) {
        fprintf(stderr, "threads: %s: the rows of four threads differ from those of one\n", name);
    }
    regret_free(one);
    regret_free(four);
    regret_free(config);
    return same;
}

#define FAMILIES                                                                                   \
    " \"families\": [\"exp-only\", \"obs-only\", \"representation-exp\", \"grounded\", \"cvci\","  \
    " \"cvci-residual\", \"grounded-linear\", \"grounded-anchored\"]}"

int main(void)
{
    static const char pool[] =
        "{\"pool\": \"pool\", \"contexts.hard\": 0, \"seeds\": 3, \"n_obs\": 60, \"n_exp\": 40,"
        " \"features.buckets\": 256, \"sweep\": {\"beta\": [0, 1], \"features.shape\": [0, "
        "1]}," FAMILIES;
    static const char world[] = "{\"task\": \"world\", \"pool\": \"synth:newswire\", "
                                "\"synth.articles\": 5, \"synth.draws\": 2,"
                                " \"contexts.hard\": 0, \"seeds\": 3, \"n_obs\": 60, \"n_exp\": "
                                "40, \"features.buckets\": 64,"
                                " \"proxy.kind\": \"predicted-labels\", \"world.context_rank\": 3,"
                                " \"world.context_sample\": 10, \"sweep\": {\"beta\": [0, 1], "
                                "\"world.labels\": [8, 16]}," FAMILIES;
    if (mkdtemp(folder) == NULL) {
        perror("threads");
        return 1;
    }
    check(synth_register());
    make_pool();
    int same = same_rows(pool, "pool-task");
    same &= same_rows(world, "world-task");
    check(regret_folder_remove(folder));
    return same ? 0 : 1;
}
