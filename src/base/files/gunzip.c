#include "base/files/gunzip.h"

#include <limits.h>

#include <zlib.h>

#include "base/core/try.h"
#include "regret/alloc.h"

FREED_POINTER(struct gunzip, gunzip_close)

enum { BLOCK = 1 << 16, GZIP_ALONE = 16 + MAX_WBITS };

struct gunzip {
    gunzip_source *source;
    void *context;
    const char *path; /* borrowed */
    z_stream stream;
    int is_between; /* members: nothing of the next one is read yet */
    char block[BLOCK];
};

static int refuse(const struct gunzip *g, const char *why)
{
    return regret_fail(
        REGRET_E_INPUT,
        "%s is compressed and cannot be unpacked: %s; it may be damaged or cut short", g->path,
        why);
}

int gunzip_open(struct gunzip **out, gunzip_source *source, void *context, const char *path)
{
    FREED_BY(gunzip_close_at) struct gunzip *g = NULL;
    TRY(REGRET_NEW(&g, 1));
    g->source = source;
    g->context = context;
    g->path = path;
    if (inflateInit2(&g->stream, GZIP_ALONE) != Z_OK) {
        return regret_fail(REGRET_E_NOMEM, "out of memory: %s", path);
    }
    *out = g;
    g = NULL;
    return REGRET_OK;
}

void gunzip_close(struct gunzip *g)
{
    if (g != NULL) {
        inflateEnd(&g->stream);
        regret_free(g);
    }
}

/* Sees to it that there are packed bytes; *is_over: the file ends, behind a member or the zeros that fill its last block. */
static int fill(struct gunzip *g, int *is_over)
{
    for (;;) {
        while (g->is_between && g->stream.avail_in > 0 && *g->stream.next_in == '\0') {
            g->stream.next_in++;
            g->stream.avail_in--;
        }
        if (g->stream.avail_in > 0) {
            return REGRET_OK;
        }
        long n = g->source(g->context, g->block, BLOCK);
        TRY(n < 0 ? (int)n : REGRET_OK);
        *is_over = n == 0;
        if (n == 0) {
            return g->is_between ? REGRET_OK : refuse(g, "it ends before its contents do");
        }
        g->stream.next_in = (Bytef *)g->block;
        g->stream.avail_in = (uInt)n;
    }
}

long gunzip_read(struct gunzip *g, char *to, size_t most)
{
    z_stream *s = &g->stream;
    int is_over = 0;
    s->next_out = (Bytef *)to;
    s->avail_out = most < INT_MAX ? (uInt)most : INT_MAX;
    uInt room = s->avail_out;
    while (s->avail_out == room) {
        TRY(fill(g, &is_over));
        if (is_over) {
            return 0;
        }
        g->is_between = 0;
        int code = inflate(s, Z_NO_FLUSH);
        if (code == Z_MEM_ERROR) {
            return regret_fail(REGRET_E_NOMEM, "out of memory: %s", g->path);
        }
        if (code == Z_STREAM_END) {
            inflateReset(s);
            g->is_between = 1;
        } else if (code != Z_OK && code != Z_BUF_ERROR) {
            return refuse(g, s->msg != NULL ? s->msg : "it is no gzip");
        }
    }
    return (long)(room - s->avail_out);
}
