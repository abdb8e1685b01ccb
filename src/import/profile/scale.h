/* Scales that people score on. */
#ifndef REGRET_IMPORT_SCALE_H
#define REGRET_IMPORT_SCALE_H

/* The narrowest scale that numbers lie on and fill half of, from its low to its high end; NULL: none. */
const double *scale_filled_by(double least, double most);
/* That scale; or the numbers as they come. */
void scale_of(double out[2], double least, double most);

#endif
