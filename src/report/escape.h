/* Untrusted texts in the formats of the reports; every table writer goes through these. What
 * could steer a terminal or hide in a page is written as regret_text_append_visible() does. */
#ifndef REGRET_REPORT_ESCAPE_H
#define REGRET_REPORT_ESCAPE_H

#include "regret/text_buffer.h"

/* `text` as plain words of a Markdown table cell or paragraph. */
void markdown_escape(struct regret_text *out, const char *text);
/* `text` as text or a double-quoted attribute of HTML or SVG. */
void html_escape(struct regret_text *out, const char *text);
/* One RFC 4180 field, quoted where it must be. */
void csv_field(struct regret_text *out, const char *text);
/* `text` in a LaTeX paragraph or table. */
void latex_escape(struct regret_text *out, const char *text);

/* Appends what `escape` makes of `text` after that; how the four above do it. */
void escape_visible(struct regret_text *out, const char *text,
                    void (*escape)(struct regret_text *, const char *));

#endif
