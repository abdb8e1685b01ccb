/* The recommendation as records. */
#ifndef REPORT_RECORDS_H
#define REPORT_RECORDS_H

#include <stddef.h>

#include "regret/buffer.h"

enum leaf_form { LEAF_TEXT, LEAF_MARKDOWN, LEAF_HTML };

/* What of HTML is still to be closed. */
enum leaf_open { LEAF_NOTHING, LEAF_LIST, LEAF_TABLE };

struct leaf {
    struct regret_buffer *out;
    enum leaf_form form;
    int whole_names; /* of text: 1: none is cut in its middle to LEAF_NAME columns */
    size_t column;   /* of the row at hand */
    enum leaf_open open;
    const char
        *heading;  /* the last one, by which a table below it is called; borrowed until then */
    int is_head;   /* of HTML: the row at hand is that of the heads */
    int has_words; /* of HTML: the first paragraph stands */
};

/* Of a table; widths and two blanks before each column make at most LEAF_COLUMNS. */
struct leaf_column {
    const char *head;
    size_t width;
};

void leaf_title(struct leaf *s, const char *text);
void leaf_heading(struct leaf *s, const char *text);
/* Frees the text, which is written wrapped and to which names were added by leaf_name(). */
void leaf_paragraph(struct leaf *s, struct regret_buffer *text);
void leaf_item(struct leaf *s, struct regret_buffer *text);
/* A name of other people's in a text of this leaf. */
void leaf_name(const struct leaf *s, struct regret_buffer *text, const char *name);
/* A whole sentence with names in it. */
void leaf_words(const struct leaf *s, struct regret_buffer *text, const char *words);
/* What is added to the text between the two is stressed, where the form can. */
void leaf_begin_strong(const struct leaf *s, struct regret_buffer *text);
void leaf_end_strong(const struct leaf *s, struct regret_buffer *text);

void leaf_table(struct leaf *s, const struct leaf_column *columns, size_t n);
/* Cells from left to right, then the end of the row. */
void leaf_cell(struct leaf *s, const struct leaf_column *columns, const char *text);
/* A cell of a text that is made for it, which is emptied. */
void leaf_take(struct leaf *s, const struct leaf_column *columns, struct regret_buffer *text);
void leaf_end_row(struct leaf *s);
void leaf_gap(struct leaf *s);
size_t leaf_lines(const struct leaf *s); /* written so far */
/* Closes what is open. */
void leaf_end(struct leaf *s);

#endif
