/* The key "families": names of the table, and objects that describe families of the user's own. */
#ifndef REGRET_EXPERIMENT_FAMILY_LIST_H
#define REGRET_EXPERIMENT_FAMILY_LIST_H

#include "regret/config.h"
#include "regret/json.h"

struct cJSON;

/* Sets the list; errors name `at`, what was given and what is allowed. */
int family_list_set(struct regret_family_list *list, const struct cJSON *value,
                    struct regret_place at);
/* Makes the paths of families of one's own whole ones: relative to the folder of the file `path` that names them or,
 * where that is NULL, to where we are. A command without a folder starts there. What is not there stays as it is, to
 * be told of when it is opened. */
int family_list_place(struct regret_family_list *list, const char *path);
/* Puts the folder of the file `path` before a path that is not a whole one; `what` it is the path of is for a refusal. */
int family_list_beside(char field[REGRET_PATH_SIZE], const char *what, const char *path);
/* Appends it as JSON that family_list_set() reads as the same. */
void family_list_json(struct regret_buffer *text, const struct regret_family_list *list);
/* 1 where some family is a command. */
int family_list_has_commands(const struct regret_family_list *list);
/* 1: one of them reads the words of contexts. */
int family_list_crosses_words(const struct regret_family_list *list);

#endif
