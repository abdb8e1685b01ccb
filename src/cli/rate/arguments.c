#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "cli/rate/arguments.h"
#include "regret/alloc.h"
#include "regret/parallel.h"

FREED_POINTER(struct regret_rate_rows, regret_rate_rows_free)

void rate_arguments_init(struct rate_arguments *a)
{
    memset(a, 0, sizeof *a);
    a->format = "md";
    a->se = "paired";
    a->threads = regret_processor_count();
    a->seed = 1;
    a->w_above = a->z_above = NAN;
}

/* The words themselves are checked by the parser of options, here and elsewhere in this room. */
static int check_inference(const struct rate_arguments *a)
{
    int unpaired = strcmp(a->se, "unpaired") == 0;
    if (unpaired && a->interval != NULL && a->interval[0] == 's') {
        return regret_fail(REGRET_E_INPUT, "--se unpaired is the authors' code's, which has normal "
                                           "intervals; leave --interval student or it out");
    }
    if (unpaired && a->cluster != NULL && strcmp(a->cluster, "none") != 0) {
        return regret_fail(REGRET_E_INPUT,
                           "--se unpaired is the authors' code's, which takes rows as "
                           "independent; leave --cluster or it out");
    }
    return REGRET_OK;
}

int rate_arguments_settle(struct rate_arguments *a)
{
    TRY(regret_format_parse(&a->table_format, a->format));
    TRY(check_inference(a));
    a->options = (struct regret_rate_options){
        .se = a->se[0] == 'u' ? REGRET_SE_UNPAIRED : REGRET_SE_PAIRED,
        .clusters = a->cluster == NULL                ? REGRET_CLUSTERS_OF_GROUP
                    : strcmp(a->cluster, "none") == 0 ? REGRET_CLUSTERS_NONE
                                                      : REGRET_CLUSTERS_ALWAYS,
        .interval = a->interval != NULL && a->interval[0] == 'n' ? REGRET_INTERVAL_NORMAL
                                                                 : REGRET_INTERVAL_STUDENT,
        .bootstrap = a->bootstrap,
        .seed = a->seed,
        .threads = a->threads,
    };
    return REGRET_OK;
}

int rate_parse(struct cli_arguments *files, int *code, struct rate_arguments *a,
               const struct cli_command *self, const struct cli_option *options, int argc,
               char **argv)
{
    int is_over = cli_parse(files, code, self, options, 1, 256, argc, argv);
    int rc = is_over ? REGRET_OK : rate_arguments_settle(a);
    *code = rc != REGRET_OK ? cli_report(rc) : *code;
    return is_over || rc != REGRET_OK;
}

int rate_print(struct regret_buffer *document, int rc, const struct rate_arguments *a)
{
    return cli_print_csv(document, rc, a->safe_csv && a->table_format == REGRET_FORMAT_CSV);
}

/* In CSV there is no room for the issues beside the table: says them on stderr. */
static int print_issues(const struct regret_rate_rows *rows, enum regret_format format)
{
    FREED_BY(regret_buffer_free) struct regret_buffer issues = REGRET_BUFFER_INIT;
    if (format == REGRET_FORMAT_CSV) {
        regret_rate_write_issues(&issues, rows);
        TRY(regret_buffer_status(&issues));
        fputs(regret_buffer_get(&issues), stderr);
    }
    return REGRET_OK;
}

/* "NAME=EDITED,BASE" */
static int add_edit(struct regret_rate_rows *rows, const char *text)
{
    char *copy = NULL;
    TRY(regret_strdup(&copy, text));
    char *equals = strchr(copy, '=');
    char *comma = equals != NULL ? strchr(equals, ',') : NULL;
    int rc;
    if (comma == NULL || equals == copy) {
        rc = regret_fail(REGRET_E_INPUT,
                         "--edit wants NAME=EDITED,BASE (two columns of log-likelihoods), not "
                         "\"%s\"",
                         text);
    } else {
        *equals = *comma = '\0';
        rc = regret_rate_add_edit(rows, copy, equals + 1, comma + 1);
    }
    regret_free(copy);
    return rc;
}

int rate_load(struct regret_rate_rows **out, const struct rate_arguments *a,
              const struct cli_arguments *files)
{
    FREED_BY(regret_rate_rows_free_at) struct regret_rate_rows *rows = NULL;
    struct regret_rate_read_options how = {
        .dataset = a->dataset,
        .attribute = a->attribute,
        .z_field = a->z_field,
        .cluster_key = a->cluster,
        .dataset_field = a->dataset_field,
        .w_field = a->w_field,
        .w_above = isnan(a->w_above) ? NULL : &a->w_above,
        .z_above = isnan(a->z_above) ? NULL : &a->z_above,
        .need_scores = 1,
        .without_ids = a->without_ids == NULL     ? REGRET_RATE_IDS_WANTED
                       : a->without_ids[0] == 'p' ? REGRET_RATE_IDS_PAIR
                                                  : REGRET_RATE_IDS_SEPARATE,
        .skip_bad = a->skip_bad,
        .keep_texts = a->keep_texts || a->max_words > 0 ||
                      (a->predict != NULL && strncmp(a->predict, "score:", 6) != 0),
    };
    TRY(regret_rate_read(&rows, files->items, files->count, &how));
    if (a->options.clusters == REGRET_CLUSTERS_ALWAYS && rows->n_clusters == 0) {
        return regret_fail(
            REGRET_E_INPUT,
            "no row has a \"%s\" to tell clusters by; name another key by --cluster, or "
            "leave it out",
            a->cluster);
    }
    TRY(regret_rate_average_rewrites(rows));
    for (size_t k = 0; k < a->edits.count; k++) {
        TRY(add_edit(rows, a->edits.items[k]));
    }
    if (a->max_words > 0) {
        TRY(regret_rate_drop_long(rows, a->max_words));
    }
    if (a->predict != NULL) {
        TRY(regret_rate_predict_w(rows, a->predict));
    }
    if (a->combine) {
        TRY(regret_rate_combine_datasets(rows));
    }
    TRY(regret_rate_rows_finish(rows));
    *out = rows;
    rows = NULL;
    return REGRET_OK;
}

int rate_run(rate_study *study, const void *options, const struct rate_arguments *a,
             const struct cli_arguments *files)
{
    struct regret_rate_rows *rows = NULL;
    struct regret_buffer document = REGRET_BUFFER_INIT;
    int rc, estimated = 1;
    TRY_CLEANUP(rate_load(&rows, a, files));
    TRY_CLEANUP(study(&document, &estimated, rows, a, options));
    rc = print_issues(rows, a->table_format);
cleanup:
    regret_rate_rows_free(rows);
    int code = rate_print(&document, rc, a);
    if (code == CLI_OK && !estimated) {
        cli_say("nothing could be estimated; the table says why");
        return CLI_FAILED;
    }
    return code;
}
