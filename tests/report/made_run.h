/* What most tests of reports stand on: a folder of their own, and a made-up run that is to go there. */
#ifndef MADE_RUN_H
#define MADE_RUN_H

#include "report/made_up.h"

extern char folder[64];
extern struct made_up m;

void made_begin(void); /* the default run, of which nothing is written */
void made_end(void);   /* removes the folder */

#endif
