#include "import/importer.h"

const struct importer *const importers[] = {&importer_csv,         &importer_jsonl,
                                            &importer_summeval,    &importer_swebench,
                                            &importer_predictions, NULL};

void importer_report_counts(struct regret_text *report, const struct importer_count *counts,
                            size_t n, const void *values)
{
    for (size_t i = 0; i < n; i++) {
        size_t count = *(const size_t *)((const char *)values + counts[i].offset);
        if (count > 0) {
            regret_text_printf(report, "  %8zu %s\n", count, counts[i].what);
        }
    }
}

void importer_report_missing(struct regret_text *report, size_t contexts, size_t agents,
                             size_t pairs)
{
    regret_text_printf(report, "  %8zu of %zu pairs of context and agent are missing\n",
                       contexts * agents - pairs, contexts * agents);
}
