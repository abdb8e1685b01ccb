/* The generators that a run can make its pool with. */
#ifndef REGRET_SYNTH_SYNTH_H
#define REGRET_SYNTH_SYNTH_H

/* Makes all of them known to the library; once, before any other thread runs. */
int synth_register(void);

#endif
