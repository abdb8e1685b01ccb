/* The list of families, for the table of configuration keys. */
#ifndef REGRET_ESTIMATE_FAMILIES_H
#define REGRET_ESTIMATE_FAMILIES_H

/* From now on no family can be registered: what is made of the table is made. */
void families_seal(void);

#endif
