#include "import/harness/lines.h"

#include "base/archive/source.h"
#include "base/core/try.h"
#include "import/harness/harness.h"
#include "regret/parallel.h"

enum { MOST_THREADS = 8 };

int harness_lines(struct harness *h, struct source *source, jsonl_line *line, void *context)
{
    struct regret_jsonl *lines = NULL;
    const struct jsonl_taker taker = {.context = context, .line = line};
    size_t threads = regret_processor_count(), n = 0;
    threads = threads < MOST_THREADS ? threads : MOST_THREADS;
    TRY(source_jsonl(source, &lines));
    TRY(jsonl_each(&n, lines, REGRET_JSON_IMPORT, threads, &taker));
    return n == 0 && h != NULL ? harness_left_out_at(h, "files without a row", source_where(source))
                               : REGRET_OK;
}
