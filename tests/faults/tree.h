/* A folder with everything in it, in memory: what stood there before, to be put back and compared. */
#ifndef REGRET_TESTS_FAULTS_TREE_H
#define REGRET_TESTS_FAULTS_TREE_H

#include <stddef.h>

struct tree_entry {
    char *path; /* below the folder */
    char *data; /* bytes of a file, target of a link; NULL for a folder */
    size_t size;
    int type; /* 'f', 'l', 'd', or '?' */
};

struct tree {
    struct tree_entry *entries; /* by path */
    size_t n;
};

#define TREE_INIT                                                                                  \
    {                                                                                              \
        NULL, 0                                                                                    \
    }

/* All of these end the process with a message where the machine fails us. A folder that is not there
 * is an empty tree. */
void tree_read(struct tree *out, const char *folder);
void tree_free(struct tree *tree);
/* Makes the folder anew with these contents. */
void tree_write(const struct tree *tree, const char *folder);
void tree_remove(const char *folder);

/* Compares what lies below `part` ("" for everything) and leaves words on the first difference. Seconds in timing-*.jsonl may differ, and lines of it be missing in
 * `a`, but not be others. */
int tree_same(char *words, size_t size, const struct tree *a, const struct tree *b,
              const char *part);
/* Is every file below `part` one of `old` or of `new`, whole? */
int tree_mixes(char *words, size_t size, const struct tree *now, const struct tree *old,
               const struct tree *new, const char *part);
/* Forgets the folders in which an output was being built or to which an old one was moved, and says
 * how many files and folders these were. */
size_t tree_drop_left_over(struct tree *tree);
const struct tree_entry *tree_find(const struct tree *tree, const char *path);
/* Bytes that the files take in pages of 4 KiB, folders counted as one. */
size_t tree_pages(const struct tree *tree);

/* "cannot ACTION PATH: reason", then exit. */
_Noreturn void tree_die(const char *action, const char *path);

#endif
