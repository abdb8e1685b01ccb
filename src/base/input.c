#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "regret/status.h"

int input_open(int *fd, const char *path)
{
    struct stat info;
    int opened = open(path, O_RDONLY | O_CLOEXEC);
    if (opened < 0) {
        return regret_fail(errno == ENOENT ? REGRET_E_INPUT : REGRET_E_IO, "cannot open %s: %s",
                           path, strerror(errno));
    }
    if (fstat(opened, &info) == 0 && S_ISDIR(info.st_mode)) {
        close(opened);
        return regret_fail(REGRET_E_INPUT, "%s is a folder; give a file in it", path);
    }
    *fd = opened;
    return REGRET_OK;
}

/* Marks by which forms are known. All but those of UTF-16 hold bytes that UTF-8 or text has not. */
static const struct {
    const char *mark;
    size_t length;
    const char *what, *remedy;
} FORMS[] = {
    {"\x1f\x8b", 2, "compressed by gzip", "decompress it first: gzip -dk"},
    {"BZh\x31\x41\x59\x26\x53\x59", 9, "compressed by bzip2", "decompress it first: bzip2 -dk"},
    {"\xfd"
     "7zXZ\0",
     6, "compressed by xz", "decompress it first: xz -dk"},
    {"\x28\xb5\x2f\xfd", 4, "compressed by zstd", "decompress it first: zstd -dk"},
    {"PK\x03\x04", 4, "a zip archive", "unpack it first, or save a spreadsheet as CSV:"},
    {"PAR1\x15", 5, "in the Parquet format", "write it as CSV or JSONL first:"},
    {"\xff\xfe", 2, "in UTF-16", "convert it first: iconv -f UTF-16 -t UTF-8"},
    {"\xfe\xff", 2, "in UTF-16", "convert it first: iconv -f UTF-16 -t UTF-8"},
};

int input_check_head(const char *head, size_t n, const char *name)
{
    for (size_t i = 0; i < sizeof FORMS / sizeof *FORMS; i++) {
        if (n >= FORMS[i].length && memcmp(head, FORMS[i].mark, FORMS[i].length) == 0) {
            return regret_fail(REGRET_E_INPUT, "%s is %s, not text in UTF-8; %s %s", name,
                               FORMS[i].what, FORMS[i].remedy, name);
        }
    }
    return REGRET_OK;
}
