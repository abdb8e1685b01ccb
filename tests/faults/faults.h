/* What the driver of injected faults is made of. */
#ifndef REGRET_TESTS_FAULTS_FAULTS_H
#define REGRET_TESTS_FAULTS_FAULTS_H

#include <stddef.h>

/* ---- tree.c: A folder with everything in it, in memory: what stood there before, to be put back and compared. ---- */

struct tree_entry {
    char *path; /* below the folder */
    char *data; /* bytes of a file, target of a link; NULL for a folder */
    size_t size;
    int type; /* 'f', 'l', 'd', or '?' */
};

struct tree {
    struct tree_entry *entries; /* by path */
    size_t n;
};

#define TREE_INIT                                                                                  \
    {                                                                                              \
        NULL, 0                                                                                    \
    }

/* All of these end the process with a message where the machine fails us. A folder that is not there
 * is an empty tree. */
void tree_read(struct tree *out, const char *folder);
void tree_free(struct tree *tree);
/* Makes the folder anew with these contents. */
void tree_write(const struct tree *tree, const char *folder);
void tree_remove(const char *folder);

/* Compares what lies below `part` ("" for everything) and leaves words on the first difference. Seconds in timing-*.jsonl may differ, and lines of it be missing in
 * `a`, but not be others. */
int tree_same(char *words, size_t size, const struct tree *a, const struct tree *b,
              const char *part);
/* Is every file below `part` one of `old` or of `new`, whole? */
int tree_mixes(char *words, size_t size, const struct tree *now, const struct tree *old,
               const struct tree *new, const char *part);
/* Forgets the folders in which an output was being built or to which an old one was moved, and says
 * how many files and folders these were. */
size_t tree_drop_left_over(struct tree *tree);
const struct tree_entry *tree_find(const struct tree *tree, const char *path);
/* Bytes that the files take in pages of 4 KiB, folders counted as one. */
size_t tree_pages(const struct tree *tree);

/* "cannot ACTION PATH: reason", then exit. */
_Noreturn void tree_die(const char *action, const char *path);

/* ---- launch.c: Starts the program with bounded time and, if wanted, one fault. ---- */

enum { LAUNCH_MAX_WORDS = 24 };

struct fault {
    const char *call;   /* of SHIM_CALLS, "io" or "memory"; NULL: none */
    const char *effect; /* "EIO", ..., "short", "zero", "torn", "kill" */
    int sticky;
};

struct launch {
    const char *folder; /* to run in */
    const char *beside; /* a folder for what it says, outside of that */
    const char *line;   /* arguments, separated by blanks; "<FILE" is standard input */
    struct fault fault;
    size_t at;
    const char *log;    /* of the counts, or NULL */
    const char *output; /* another file for stdout, or NULL */
};

struct outcome {
    int code; /* -1: did not exit by itself */
    int signal;
    int hung; /* killed by us, for time */
    char said[2048];
    char *wrote; /* stdout; free() */
    size_t wrote_size;
};

void launch(struct outcome *out, const struct launch *how);
void outcome_free(struct outcome *outcome);
/* The number of errno for "EIO", or the word itself. */
const char *launch_effect_word(char *buffer, size_t size, const char *effect);
/* Seconds after which a process is called hung. */
enum { LAUNCH_SECONDS = 30 };

/* ---- scenario.c: The commands that write something, each with what stands there before. ---- */

enum replaces {
    REPLACES_NOTHING,
    REPLACES_FOLDER, /* at every moment the old one or the new one, whole */
    REPLACES_FILES,  /* every file by itself */
    REPLACES_LATER, /* an empty new one stands in the old one's place, to be completed by `resume` */
};

struct scenario {
    const char *name, *line;
    const char *resume; /* started again if the old output is gone; NULL: `line` */
    const char *output; /* what stood there before */
    enum replaces replaces;
    const char *prepare[6];          /* lines that make what stands there before ... */
    void (*age)(const char *folder); /* ... and what is then done to it */
};

extern const struct scenario scenarios[];
extern const size_t n_scenarios;

/* What an undisturbed start needs and makes. */
struct rehearsal {
    struct tree before, after;
    char *wrote; /* on stdout */
    size_t wrote_size;
    size_t counts[64]; /* calls of every kind, by enum shim_call */
    size_t io, memory; /* their sums */
};

/* Prepares below `folder` and rehearses twice; two starts that differ end the process. */
void scenario_rehearse(struct rehearsal *out, const struct scenario *s, const char *folder);
void scenario_forget(struct rehearsal *r);

/* ---- kinds.c: What can go wrong, and how many trials of each fit into a test that is run every day. ---- */

struct kind {
    const char *name;
    struct fault fault;
    size_t sample; /* trials of a command, unless all are wanted */
};

extern const struct kind kinds[];
extern const size_t n_kinds;

enum { MAX_KINDS = 96 };

/* How often a command can meet a fault of this kind. */
size_t kind_places(const struct kind *k, const struct rehearsal *r);

/* The i-th of `wanted` places among `places`, spread over all of them; places count from 1. */
size_t kind_place(size_t i, size_t wanted, size_t places, size_t salt);

/* ---- trial.c: One fault in one command, and the verdict on what came of it. ---- */

/* A fault that is not the shim's: the command runs on a file system of so many pages. */
#define TRIAL_FULL_DISK "tmpfs"
/* Nor this: standard output is /dev/full. */
#define TRIAL_FULL_OUTPUT "stdout"

enum verdict {
    VERDICT_RIGHT,   /* exit code 0, the right bytes */
    VERDICT_FAILED,  /* it failed and said so; what followed was right */
    VERDICT_KILLED,  /* what followed was right */
    VERDICT_WRONG,   /* something else */
    VERDICT_SKIPPED, /* not possible here */
    VERDICT_MISSED,  /* right, and the fault was never met */
    N_VERDICTS
};

struct trial {
    const struct scenario *scenario;
    const struct rehearsal *rehearsal;
    struct fault fault;
    size_t at;
    const char *folder; /* to work in */
};

/* Leaves words on what is wrong. */
enum verdict trial_run(char *words, size_t size, const struct trial *trial);

/* Whether this process may mount, in a name space of its own. */
int trial_can_mount(void);

#endif
