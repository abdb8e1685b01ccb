/* A configuration that somebody has edited outlives the import that is made anew over it. */
#ifndef REGRET_IMPORT_KEPT_CONFIG_H
#define REGRET_IMPORT_KEPT_CONFIG_H

#include "regret/buffer.h"

/* Whether something else than this text stands as folder/NAME. */
int kept_config_differs(int *differs, const char *folder, const char *name,
                        const struct regret_buffer *text);

/* Writes `fresh` as NAME.json into `partial`, which takes the folder's place. Where that of the folder is edited it is copied instead,
 * and the new one is NAME.new.json. */
int kept_config_write(const char *partial, const char *name, const struct regret_buffer *fresh,
                      const char *folder, int is_edited);

/* Says so, of FOLDER/NAME.json. */
void kept_config_say(struct regret_buffer *out, const char *folder, const char *name);

#endif
