/* What stands in a folder, of a stranger's or one's own. */
#ifndef REGRET_BASE_FOLDER_LIST_H
#define REGRET_BASE_FOLDER_LIST_H

#include <stddef.h>

enum { FOLDER_LIST_MOST = 100000 }; /* entries that are looked at */

struct folder_list {
    char **name; /* owned */
    size_t n;
};

/* The entries of a folder that do not begin with a dot, in the order of their bytes. REGRET_E_INPUT: no
 * folder that can be read, or more than FOLDER_LIST_MOST. */
int folder_list_read(struct folder_list *out, const char *path);
void folder_list_free(struct folder_list *list); /* NULL entries and an empty one are fine */

/* What an entry is, no link being followed. REGRET_E_IO: what cannot be looked at, which is not to be taken for none. */
enum folder_entry {
    FOLDER_ENTRY_NONE, /* surely not there */
    FOLDER_ENTRY_FILE,
    FOLDER_ENTRY_FOLDER,
    FOLDER_ENTRY_OTHER /* a link, a pipe, a device */
};
int folder_entry_of(enum folder_entry *out, const char *path);
/* Whether it is a folder, links being followed; REGRET_E_IO as above. */
int folder_is_there(int *is_there, const char *path);

#endif
