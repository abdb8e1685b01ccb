#include "rate/read/reading.h"

#include <stdio.h>
#include <string.h>

#include "rate/rows/rows.h"

static struct regret_span default_name(struct regret_span given, const char *fallback)
{
    return given.text != NULL || fallback == NULL
               ? given
               : (struct regret_span){fallback, strlen(fallback)};
}

int reading_add(struct reading *r, size_t line)
{
    struct regret_rate_row *row = &r->reader.row;
    row->dataset = default_name(row->dataset, r->options->dataset);
    row->attribute = default_name(row->attribute, r->options->attribute);
    row->file = (uint32_t)r->rows->n_files - 1;
    row->line = line;
    r->number++;
    if (row->id.text == NULL && r->options->without_ids == REGRET_RATE_IDS_PAIR) {
        int n = snprintf(r->id, sizeof r->id, "%c%zu", ID_BY_NUMBER, r->number);
        row->id = (struct regret_span){r->id, (size_t)n};
    }
    return regret_rate_rows_add(r->rows, row);
}

int reading_pass_over(struct reading *r, int rc, size_t line)
{
    if (rc != REGRET_E_INPUT || !r->options->skip_bad) {
        return rc;
    }
    const char *message = regret_error_message(), *words = strstr(message, ": ");
    words = words != NULL ? words + 2 : message;
    r->number++; /* so that those behind it keep theirs */
    rows_note_detail(r->rows, REGRET_RATE_ISSUE_ROW_MALFORMED, (uint32_t)r->rows->n_files - 1, line,
                     UINT32_MAX, (struct regret_span){words, strlen(words)});
    return REGRET_OK;
}
