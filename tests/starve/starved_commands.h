/* The commands that are starved, and the files they need. */
#ifndef REGRET_TESTS_STARVED_COMMANDS_H
#define REGRET_TESTS_STARVED_COMMANDS_H

#include <stddef.h>

/* What may stand at `made` after a failure. */
enum starved_left {
    STARVED_NOTHING,
    STARVED_RUN,     /* a run that can be gone on with */
    STARVED_GOES_ON, /* the same, and the next try goes on from it */
    STARVED_FILES    /* whole files: each is put in place by itself */
};

struct starved_command {
    const char *name;
    const char *arguments; /* words with one space between, as after "regret" */
    const char *made;      /* file or folder it makes, or NULL: it only prints */
    const char *proof; /* file in `made` to compare with that of a command that wanted nothing */
    enum starved_left left;
};

/* Ended by a name of NULL. They are to be run where starved_files() has written. */
extern const struct starved_command starved_commands[];

/* Commands that make what the others read, ended by NULL. */
extern const char *const starved_preparations[];

/* Writes the files into the current folder; 0 or a negative code. `source` is the project. */
int starved_files(const char *source);

#endif
