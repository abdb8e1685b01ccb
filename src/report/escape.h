/* Texts of strangers in the formats of the reports; every table writer goes through these. */
#ifndef REGRET_REPORT_ESCAPE_H
#define REGRET_REPORT_ESCAPE_H

#include "regret/text_buffer.h"

/* `text` as plain words of a Markdown table cell or paragraph. */
void markdown_escape(struct regret_text *out, const char *text);
/* `text` as text or a double-quoted attribute of HTML or SVG; control characters become blanks. */
void html_escape(struct regret_text *out, const char *text);
/* One RFC 4180 field, quoted where it must be. */
void csv_field(struct regret_text *out, const char *text);

#endif
