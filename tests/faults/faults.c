/* faults: disturbs every command that writes, at every call, and looks at what comes of it.
 *
 *   faults [COMMAND [KIND [PLACE]]]     names as they are printed; without them everything
 *
 * A sample that REGRET_SAMPLE settles (tests/run.sh: the commit), unless REGRET_FAULTS=all is set. REGRET_FAULTS_JOBS processes work at once (default: the
 * processors). Exit code 0: nothing was lost; 1: something was; 77: nothing could be tried. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "faults/faults.h"

enum { MAX_SCENARIOS = 32, MAX_PRINTED = 200 };

struct cell {
    atomic_size_t places, verdicts[N_VERDICTS];
};

/* Seen by all the processes. */
struct tally {
    atomic_size_t next, printed;
    struct cell cells[MAX_SCENARIOS][MAX_KINDS];
};

struct wish {
    const char *command, *kind;
    size_t place;
    int all;
    size_t jobs;
    unsigned sample; /* what settles the trials; 0: those of no commit, and twice as many */
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void tell(struct tally *tally, const struct trial *t, const char *kind, const char *words)
{
    if (atomic_fetch_add(&tally->printed, 1) < MAX_PRINTED) {
        printf("WRONG %s, %s, place %zu: %s%s", t->scenario->name, kind, t->at, words,
               strchr(words, '\n') != NULL ? "" : "\n");
        fflush(stdout);
    }
}

static void try_place(struct tally *tally, struct trial *t, size_t scenario, size_t kind)
{
    char words[2048];
    enum verdict verdict = trial_run(words, sizeof words, t);
    atomic_fetch_add(&tally->cells[scenario][kind].verdicts[verdict], 1);
    if (verdict == VERDICT_WRONG) {
        tell(tally, t, kinds[kind].name, words);
    }
}

/* Of a kind for which so many trials are meant half of them are made, which of two commits in turn makes those of one. */
static size_t sampled(const struct wish *wish, size_t meant, size_t salt)
{
    return wish->sample == 0 ? meant : (meant + ((wish->sample >> 5) + salt) % 2) / 2;
}

/* The trials of a command that fall to part `part` of `parts`. */
static void try_command(struct tally *tally, const struct wish *wish, size_t scenario, size_t part,
                        size_t parts, const char *folder)
{
    struct rehearsal rehearsal;
    size_t turn = 0;
    scenario_rehearse(&rehearsal, &scenarios[scenario], folder);
    for (size_t k = 0; k < n_kinds; k++) {
        size_t places = kind_places(&kinds[k], &rehearsal);
        size_t salt = scenario * MAX_KINDS + k;
        size_t meant = wish->all || kinds[k].sample > places ? places : kinds[k].sample;
        size_t wanted = wish->all ? places : sampled(wish, meant, scenario + k);
        struct trial t = {&scenarios[scenario], &rehearsal, kinds[k].fault, wish->place, folder};
        if (wish->kind != NULL && strcmp(wish->kind, kinds[k].name) != 0) {
            continue;
        }
        if (part == 0) {
            atomic_store(&tally->cells[scenario][k].places, places);
        }
        if (wish->place > 0) {
            wanted = part == 0;
        }
        for (size_t i = 0; i < wanted; i++, turn++) {
            if (turn % parts == part) {
                t.at = wish->place > 0 ? wish->place
                                       : kind_place(i, wanted, places, salt + wish->sample);
                try_place(tally, &t, scenario, k);
            }
        }
    }
    scenario_forget(&rehearsal);
}

static void work(struct tally *tally, const struct wish *wish, const char *base, size_t number)
{
    char folder[600];
    size_t parts = wish->all || wish->command != NULL ? wish->jobs : 1;
    snprintf(folder, sizeof folder, "%s/%zu", base, number);
    for (;;) {
        size_t unit = atomic_fetch_add(&tally->next, 1);
        if (unit >= n_scenarios * parts) {
            break;
        }
        if (wish->command == NULL || strcmp(wish->command, scenarios[unit / parts].name) == 0) {
            try_command(tally, wish, unit / parts, unit % parts, parts, folder);
        }
    }
}

/* Nonzero if a process could not do its work. */
static int work_together(struct tally *tally, const struct wish *wish, const char *base)
{
    int broken = 0, status = 0;
    fflush(NULL);
    for (size_t i = 0; i < wish->jobs; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            work(tally, wish, base, i);
            fflush(NULL);
            _exit(0);
        }
        broken |= pid < 0;
    }
    while (wait(&status) > 0) {
        broken |= !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    }
    return broken;
}

static size_t tried(const struct cell *c)
{
    size_t n = 0;
    for (size_t v = 0; v < N_VERDICTS; v++) {
        n += v != VERDICT_SKIPPED ? atomic_load(&c->verdicts[v]) : 0;
    }
    return n;
}

static void print_kind(const struct tally *tally, size_t k)
{
    for (size_t s = 0; s < n_scenarios; s++) {
        const struct cell *c = &tally->cells[s][k];
        size_t wrong = atomic_load(&c->verdicts[VERDICT_WRONG]), n = tried(c);
        char text[48];
        snprintf(text, sizeof text, wrong > 0 ? "%zu(%zu)" : "%zu", n, wrong);
        printf(" %*s", (int)strlen(scenarios[s].name) < 9 ? 9 : (int)strlen(scenarios[s].name),
               n > 0                         ? text
               : atomic_load(&c->places) > 0 ? "-"
                                             : ".");
    }
    putchar('\n');
}

/* Trials of every command and kind; in brackets those that went wrong. "-" was not tried, "." cannot
 * be. Kinds that no command can meet are left out. */
static void print_board(const struct tally *tally)
{
    printf("%-24s", "trials (wrong)");
    for (size_t s = 0; s < n_scenarios; s++) {
        printf(" %9s", scenarios[s].name);
    }
    putchar('\n');
    for (size_t k = 0; k < n_kinds; k++) {
        size_t places = 0;
        for (size_t s = 0; s < n_scenarios; s++) {
            places += atomic_load(&tally->cells[s][k].places);
        }
        if (places > 0) {
            printf("%-24s", kinds[k].name);
            print_kind(tally, k);
        }
    }
}

static void sum(size_t totals[N_VERDICTS], size_t *places, const struct tally *tally)
{
    for (size_t s = 0; s < n_scenarios; s++) {
        for (size_t k = 0; k < n_kinds; k++) {
            *places += atomic_load(&tally->cells[s][k].places);
            for (size_t v = 0; v < N_VERDICTS; v++) {
                totals[v] += atomic_load(&tally->cells[s][k].verdicts[v]);
            }
        }
    }
}

static int summarise(const struct tally *tally, const struct wish *wish, double seconds)
{
    size_t totals[N_VERDICTS] = {0}, places = 0, n = 0;
    sum(totals, &places, tally);
    for (size_t v = 0; v < N_VERDICTS; v++) {
        n += v != VERDICT_SKIPPED ? totals[v] : 0;
    }
    print_board(tally);
    if (totals[VERDICT_SKIPPED] > 0) {
        printf("skipped: %zu trials on a small file system: it cannot be mounted here\n",
               totals[VERDICT_SKIPPED]);
    }
    printf("faults: %zu trials of %zu possible, %zu commands x %zu kinds: %zu failed and said so, "
           "%zu killed, %zu right nevertheless, %zu never met the fault, %zu WRONG; %.0f s on %zu "
           "processes\n",
           n, places, n_scenarios, n_kinds, totals[VERDICT_FAILED], totals[VERDICT_KILLED],
           totals[VERDICT_RIGHT], totals[VERDICT_MISSED], totals[VERDICT_WRONG], seconds,
           wish->jobs);
    return n == 0 ? 77 : totals[VERDICT_WRONG] > 0;
}

/* Never 0 of a word. */
static unsigned hash(const char *word)
{
    unsigned h = 2166136261u;
    for (; word != NULL && *word != '\0'; word++) {
        h = (h ^ (unsigned char)*word) * 16777619u;
    }
    return word == NULL ? 0 : h | 1u;
}

/* In memory where there is some: what is tried is the program, not the disk. */
static void make_base(char *out, size_t size)
{
    snprintf(out, size, "%s/regret-faults-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (mkdtemp(out) == NULL) {
        tree_die("create", out);
    }
}

int main(int argc, char **argv)
{
    const char *amount = getenv("REGRET_FAULTS"), *jobs = getenv("REGRET_FAULTS_JOBS");
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct wish wish = {argc > 1 ? argv[1] : NULL,
                        argc > 2 ? argv[2] : NULL,
                        argc > 3 ? strtoul(argv[3], NULL, 10) : 0,
                        amount != NULL && strcmp(amount, "all") == 0,
                        jobs != NULL ? strtoul(jobs, NULL, 10) : (size_t)processors,
                        hash(getenv("REGRET_SAMPLE"))};
    char base[512];
    double start = now();
    if (wish.jobs < 1) {
        wish.jobs = 1;
    }
    struct tally *tally =
        mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tally == MAP_FAILED) {
        tree_die("share", "the tally");
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    make_base(base, sizeof base);
    int broken = work_together(tally, &wish, base);
    tree_remove(base);
    int code = summarise(tally, &wish, now() - start);
    return broken ? 3 : code;
}
