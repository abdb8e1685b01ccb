/* Names, ids and words, which JSON may hold as numbers. */
#ifndef REGRET_BASE_JSON_TEXT_H
#define REGRET_BASE_JSON_TEXT_H

struct cJSON;

enum { JSON_SCRATCH = 32 }; /* bytes of a number as text */

/* A text, a number or a boolean as text, in `scratch` or borrowed; NULL for others and for none. A number is what stands in the
 * file, byte for byte (of documents read by REGRET_JSON_IMPORT: 9007199254740993, 1.0, 1e3). */
const char *json_text(char scratch[JSON_SCRATCH], const struct cJSON *value);

#endif
