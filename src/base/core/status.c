#include "regret/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "version.h"

enum { MESSAGE_SIZE = 1024 };

static _Thread_local char message[MESSAGE_SIZE];

/* Bytes of a character at p that steers a terminal, else 0. */
static size_t unprintable_bytes(const unsigned char *p)
{
    if (p[0] == 0xC2 && p[1] >= 0x80 && p[1] <= 0x9F) { /* U+0080 to U+009F */
        return 2;
    }
    if (p[0] == 0xE2 && ((p[1] == 0x80 && p[2] >= 0xAA && p[2] <= 0xAE) ||  /* U+202A to U+202E */
                         (p[1] == 0x81 && p[2] >= 0xA6 && p[2] <= 0xA9))) { /* U+2066 to U+2069 */
        return 3;
    }
    return p[0] < 0x20 || p[0] == 0x7F;
}

/* Messages quote untrusted file names and fields: what could steer a terminal (control
 * characters, escape sequences, bidirectional overrides) is shown as '?', and a message stays one line. */
static void make_printable(char *text)
{
    for (unsigned char *p = (unsigned char *)text; *p != '\0'; p++) {
        size_t n = unprintable_bytes(p);
        memset(p, '?', n);
        p += n > 1 ? n - 1 : 0;
    }
}

int regret_fail(int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    make_printable(message);
    return code;
}

/* Appends text to the message, as much of it as there is room for. */
static void append(const char *text)
{
    size_t n = strlen(message), room = sizeof message - 1 - n, length = strlen(text);
    length = length < room ? length : room;
    memcpy(message + n, text, length);
    message[n + length] = '\0';
}

int regret_fail_prefix(int code, const char *format, ...)
{
    char old[MESSAGE_SIZE];
    memcpy(old, message, sizeof old);
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    append(": ");
    append(old);
    make_printable(message);
    return code;
}

int regret_fail_suffix(int code, const char *format, ...)
{
    size_t n = strlen(message);
    va_list args;
    va_start(args, format);
    vsnprintf(message + n, sizeof message - n, format, args);
    va_end(args);
    make_printable(message);
    return code;
}

const char *regret_error_message(void)
{
    return message;
}

const char *regret_version(void)
{
    return REGRET_VERSION;
}
