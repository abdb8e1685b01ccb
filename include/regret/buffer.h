/* A growable byte buffer for building text. Errors are sticky: append freely, then ask once with
 * regret_buffer_status() whether everything fitted in memory. */
#ifndef REGRET_BUFFER_H
#define REGRET_BUFFER_H

#include <stddef.h>

#include "regret/status.h"

struct regret_buffer {
    char *data;      /* `length` bytes and a terminating zero; NULL while empty. Owned. */
    size_t length;   /* bytes in use */
    size_t capacity; /* bytes allocated */
    int status;      /* REGRET_OK, or the first error */
};

/* An empty text. */
#define REGRET_BUFFER_INIT                                                                         \
    {                                                                                              \
        NULL, 0, 0, REGRET_OK                                                                      \
    }

/* Makes room for `extra` more bytes: appending them then cannot fail. */
REGRET_API int regret_buffer_reserve(struct regret_buffer *t, size_t extra);

/* Append a text, `length` bytes of one, a byte, what printf() makes. What fails is kept for regret_buffer_status(). */
REGRET_API void regret_buffer_append(struct regret_buffer *t, const char *text);
REGRET_API void regret_buffer_append_n(struct regret_buffer *t, const char *text, size_t length);
REGRET_API void regret_buffer_append_char(struct regret_buffer *t, char c);
REGRET_API void regret_buffer_printf(struct regret_buffer *t, const char *format, ...)
    REGRET_PRINTF(2, 3);

/* Appends `text` as a JSON string with its quotes; control characters are escaped. The text must be
 * valid UTF-8 (see regret_utf8_valid). NULL is null. */
REGRET_API void regret_buffer_json_string(struct regret_buffer *t, const char *text);

/* Appends the shortest decimal that reads back as exactly `value`; "null" where it is not finite
 * (JSON has no other word for it). */
REGRET_API void regret_buffer_json_number(struct regret_buffer *t, double value);

/* Appends text of unknown origin (UTF-8) for people to read, on one line and in at most `columns`
 * terminal columns: white space becomes one space, and characters that could steer a terminal or
 * hide (control and format characters, ESC and bidirectional overrides among them) are written as
 * \u{…}; what is not UTF-8 becomes U+FFFD. A text cut short ends in "…". */
REGRET_API void regret_buffer_append_safe(struct regret_buffer *t, const char *text,
                                          size_t columns);

/* The same, filled with blanks to exactly `columns`. */
REGRET_API void regret_buffer_append_field(struct regret_buffer *t, const char *text,
                                           size_t columns);

/* The columns that regret_buffer_append_safe() takes for the whole text. */
REGRET_API size_t regret_text_columns(const char *text);

/* The same for a document: all of the text, on as many lines as it has, with blanks and tabs as they
 * are. */
REGRET_API void regret_buffer_append_visible(struct regret_buffer *t, const char *text);

/* The text so far; "" while empty. Never NULL. Valid until the next change. */
REGRET_API const char *regret_buffer_get(const struct regret_buffer *t);
REGRET_API int regret_buffer_status(const struct regret_buffer *t);
/* Makes a failure of something the text is built from, such as another buffer's status, its own first
 * error, unless it has one; REGRET_OK changes nothing. */
REGRET_API void regret_buffer_fail(struct regret_buffer *t, int status);
/* Empties the buffer and keeps its memory, and its sticky error: what failed once stays failed. */
REGRET_API void regret_buffer_clear(struct regret_buffer *t);
/* Frees the memory; the buffer is as new. */
REGRET_API void regret_buffer_free(struct regret_buffer *t);
/* Frees a part that `whole` was built from; what made the part fail makes the whole fail. */
REGRET_API void regret_buffer_free_into(struct regret_buffer *whole, struct regret_buffer *part);

/* 1 when the bytes are well-formed UTF-8 (no overlong forms, no surrogates), else 0 with the offset
 * of the first bad byte in *bad (may be NULL). */
REGRET_API int regret_utf8_valid(const char *text, size_t length, size_t *bad);
/* Appends the bytes with U+FFFD for each that is zero or not of well-formed UTF-8. */
REGRET_API void regret_utf8_append_repaired(struct regret_buffer *out, const char *text,
                                            size_t length);

#endif
