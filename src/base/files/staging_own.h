/* What of a folder that is to be replaced is the program's own. */
#ifndef REGRET_BASE_STAGING_OWN_H
#define REGRET_BASE_STAGING_OWN_H

/* REGRET_E_INPUT, naming them, where `path` holds files that are none of `names` (regret_staging_begin()) and would be lost;
 * `partial` is the folder that is to take its place, NULL where that is not known yet. */
int staging_check_own(const char *path, const char *names, const char *partial);
/* "path/run.json" of the first of the names, in a fresh string. */
int staging_marker(char **out, const char *path, const char *names);

#endif
