/* The files of a folder and its folders, one after the other. */
#ifndef REGRET_BASE_ARCHIVE_WALK_H
#define REGRET_BASE_ARCHIVE_WALK_H

#include <stddef.h>

#include "base/files/folder_list.h"
#include "regret/buffer.h"

enum { WALK_MOST_DEPTH = 16 }; /* folders in each other */

struct walk {
    struct walk_folder {
        struct folder_list list;
        size_t next;   /* entry of it */
        size_t length; /* of `path` at this folder */
    } * folder;        /* those that are open, one in the other; owned */
    size_t depth, capacity;
    struct regret_buffer path; /* the file at hand */
    size_t root;               /* bytes of `path` before the part within what was opened */
    int is_file, is_over;      /* what was opened is one; it has been given out */
};

/* Of a file: it alone. REGRET_E_INPUT: nothing there, a link, a pipe or a device. */
int walk_begin(struct walk *w, const char *path);
/* The next file, NULL after the last one; borrowed until the next call. *is_file 0: it is a link, a pipe or a device, which is not
 * to be opened. */
int walk_next(struct walk *w, const char **path, int *is_file);
void walk_free(struct walk *w);

#endif
