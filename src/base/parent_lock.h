/* One process at a time puts a folder into place beside others. */
#ifndef REGRET_BASE_PARENT_LOCK_H
#define REGRET_BASE_PARENT_LOCK_H

/* Waits for the folder in which `path` will appear (made where it is missing) and locks it, so that
 * of two processes that start at once one sees what the other has made. The kernel lets go of it
 * when the process ends. *out is set only on success; hold it for moments. */
int parent_lock_take(int *out, const char *path);
void parent_lock_release(int lock); /* -1 is fine */

#endif
