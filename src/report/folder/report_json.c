/* What a report says, for programs: docs/formats.md. */
#include "base/core/try.h"
#include "base/files/folder_list.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/report.h"
#include "report/folder/headline.h"

static int put_file(struct regret_buffer *out, const char *folder, const char *name, size_t *n)
{
    char *path = NULL;
    TRY(regret_path_join(&path, folder, name));
    if (!regret_is_folder(path)) {
        regret_buffer_append(out, (*n)++ > 0 ? "," : "");
        table_json_string(out, name);
    }
    regret_free(path);
    return REGRET_OK;
}

/* The files of folder/sub, by name. */
static int put_files(struct regret_buffer *out, const char *folder, const char *sub, size_t *n)
{
    FREED_BY(folder_list_free) struct folder_list files = {NULL, 0};
    FREED char *path = NULL, *name = NULL;
    TRY(regret_path_join(&path, folder, sub));
    TRY(folder_list_read(&files, path));
    for (size_t i = 0; i < files.n; i++) {
        TRY(regret_path_join(&name, sub, files.name[i]));
        TRY(put_file(out, folder, sub[0] == '.' ? files.name[i] : name, n));
        regret_free(name);
        name = NULL;
    }
    return REGRET_OK;
}

static int put_headline(struct regret_buffer *out, const struct regret_results *results)
{
    FREED_BY(regret_buffer_free) struct regret_buffer answer = REGRET_BUFFER_INIT;
    FREED_BY(headline_free) struct headline h = {0};
    TRY(headline_answer(&answer, results));
    TRY(headline_make(&h, results, regret_buffer_get(&answer)));
    regret_buffer_append(out, ",\n\"headline\":[");
    for (size_t i = 0; i < h.n; i++) {
        regret_buffer_append(out, i > 0 ? ",\n " : "\n ");
        table_json_string(out, regret_buffer_get(&h.sentences[i]));
    }
    regret_buffer_append_char(out, ']');
    return REGRET_OK;
}

int regret_report_json(struct regret_buffer *out, const struct regret_results *results,
                       const char *folder)
{
    static const char *const subs[] = {".", "figures", "tables", "tables/wide"};
    size_t n = 0;
    regret_buffer_append(out, "{\"format\":\"regret-report-1\"");
    TRY(put_headline(out, results));
    regret_buffer_append(out, ",\n\"folder\":");
    table_json_string(out, folder);
    regret_buffer_append(out, ",\"files\":[");
    for (size_t i = 0; i < sizeof subs / sizeof *subs; i++) {
        TRY(put_files(out, folder, subs[i], &n));
    }
    regret_buffer_append(out, "],\n\"pool\":");
    table_json_string(out, results->run.pool_name);
    regret_buffer_printf(out, ",\"synthetic\":%s,\"cells\":%zu,\"seeds\":%zu,\"gaps\":",
                         results->run.synthetic ? "true" : "false", results->n_cells,
                         results->n_seeds);
    table_json_string(out, results->gaps);
    regret_buffer_append(out, ",\n\"ranking\":");
    TRY(regret_report_table(out, results, "summary", REGRET_FORMAT_JSON));
    regret_buffer_append(out, "}\n");
    return regret_buffer_status(out);
}
