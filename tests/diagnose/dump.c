/* Writes a made log, its table of gaps and its diagnostics for somebody else to compute anew (tests/outside/check_diagnose.py).
 *
 * usage: dump-diagnose FOLDER SEED exp|alone */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose/log_world.h"
#include "regret/diagnose.h"

static FILE *open_file(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(1);
    }
    return file;
}

static void write_log(const char *folder, const struct regret_log *log)
{
    FILE *file = open_file(folder, "log.csv");
    fputs("source,agent,tag,cluster,outcome,propensity,size,length\n", file);
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        const struct regret_log_rows *r = &log->rows[s];
        for (size_t i = 0; i < r->n; i++) {
            uint32_t x = r->context[i];
            fprintf(file, "%zu,%u,%u,%u,%.17g,%.17g,%.17g,%zu\n", s, r->agent[i], log->tag[x],
                    r->cluster[i], r->outcome[i], r->propensity ? r->propensity[i] : 1.0,
                    log->column[0].value[x], strlen(log->text[x]));
        }
    }
    fclose(file);
}

static void write_gaps(const char *folder, const struct regret_log_gaps *gaps)
{
    FILE *file = open_file(folder, "gaps.csv");
    fputs("agent,tag,difference,error,df,low,high,adjusted,adjusted_error\n", file);
    for (size_t i = 0; i < gaps->n; i++) {
        const struct regret_log_gap *g = &gaps->gap[i];
        fprintf(file, "%zu,%zu,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", g->agent, g->tag,
                g->difference, g->error, g->df, g->low, g->high, g->adjusted, g->adjusted_error);
    }
    fclose(file);
}

static void write_entries(const char *folder, const struct regret_diagnostics *d)
{
    FILE *file = open_file(folder, "entries.tsv");
    for (size_t i = 0; i < d->n; i++) {
        const struct regret_diagnostic *e = &d->entry[i];
        fprintf(file, "%s\t%s\t%.17g\t%.17g\t%.17g\t%.17g\t%s\n", e->name,
                regret_diagnostic_verdict_name(e->verdict), e->value, e->low, e->high, e->p,
                e->sentence);
    }
    fclose(file);
}

int main(int argc, char **argv)
{
    struct regret_diagnose_options options = REGRET_DIAGNOSE_OPTIONS_INIT;
    struct log_world world = LOG_WORLD_INIT;
    struct regret_log_gaps *gaps = NULL;
    struct regret_diagnostics *d = NULL;
    if (argc != 4) {
        fprintf(stderr, "usage: dump-diagnose FOLDER SEED exp|alone\n");
        return 2;
    }
    world.seed = strtoull(argv[2], NULL, 10);
    world.user_rows = 3.0;
    world.recorded = 0.5;
    world.hidden = 0.3;
    world.binary = world.seed % 2 == 0;
    world.probabilities = WORLD_BY_ROW;
    world.n_exp = strcmp(argv[3], "alone") == 0 ? 0 : 500;
    struct regret_log *log = log_world_make(&world);
    if (!log || regret_log_gaps(&gaps, log, &options) != REGRET_OK ||
        regret_diagnose(&d, log, &options) != REGRET_OK) {
        fprintf(stderr, "dump-diagnose: %s\n", regret_error_message());
        return 1;
    }
    write_log(argv[1], log);
    write_gaps(argv[1], gaps);
    write_entries(argv[1], d);
    regret_log_gaps_free(gaps);
    regret_diagnostics_free(d);
    regret_log_free(log);
    return 0;
}
