/* The families that know one way: EXP-Only, OBS-Only, Representation-EXP, CVCI and CVCI-Residual; and the list of all. */
#ifndef ESTIMATE_FAMILIES_H
#define ESTIMATE_FAMILIES_H

/* From now on no family can be registered: what is made of the table is made. */
void families_seal(void);

#endif
