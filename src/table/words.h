/* Cells that stand for numbers. */
#ifndef TABLE_WORDS_H
#define TABLE_WORDS_H

/* 1 where a text is what the next takes for a number without words and commas of its own, with blanks around it or none:
 * figures with a decimal point; or true, yes, pass, correct, resolved, thumbs up and their like, which are 1; or their opposites, 0. */
int table_source_parse(double *out, const char *text);
/* The same of words alone. */
int table_source_parse_word(double *out, const char *text);
/* The same of the words of a log's outcomes: good, negative, f, too. */
int table_source_parse_verdict(double *out, const char *text);
/* A number beside the mark of a currency: $0.02, 0.02 EUR. */
int table_source_parse_money(double *out, const char *text);
/* 1 where a text is a number but for a comma in the place of the point: 3,5. */
int table_source_parse_comma(double *out, const char *text);
/* 1 where the comma of such a text is none between thousands: 3,5 and 0,125 but not 1,200. */
int table_source_comma_is_clear(const char *text);
/* 1 where a text is a number with a percent sign behind it, which no map takes: 45% is 45 here and .45 there. */
int table_source_parse_percent(double *out, const char *text);
/* 1 where a text stands for a number that is missing: NA, N/A, NaN, null, none and the like, in any case of letters,
 * with blanks around it or none. */
int table_source_is_missing(const char *text);

#endif
