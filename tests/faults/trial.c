#define _GNU_SOURCE
#include "faults/faults.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

static int is_full_disk(const struct trial *t)
{
    return strcmp(t->fault.call, TRIAL_FULL_DISK) == 0;
}

int trial_can_mount(void)
{
    static int can = -1;
    if (can < 0) {
        can = unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
    }
    return can;
}

/* A file system with room for what stands there before and `room` pages more. */
static void mount_pages(const char *folder, size_t room, unsigned long flags)
{
    char size[64];
    snprintf(size, sizeof size, "size=%zuk,mode=777", room * 4);
    if (mount("tmpfs", folder, "tmpfs", flags, size) != 0) {
        tree_die("mount", folder);
    }
}

static void start(struct outcome *out, const struct trial *t, const char *work, const char *line,
                  int disturbed)
{
    char beside[512], log[600];
    int shim = disturbed && !is_full_disk(t) && strcmp(t->fault.call, TRIAL_FULL_OUTPUT) != 0;
    int full = disturbed && strcmp(t->fault.call, TRIAL_FULL_OUTPUT) == 0;
    snprintf(beside, sizeof beside, "%s/beside", t->folder);
    snprintf(log, sizeof log, "%s/log", beside);
    unlink(log);
    launch(out, &(struct launch){.folder = work,
                                 .beside = beside,
                                 .line = line,
                                 .fault = shim ? t->fault : (struct fault){NULL, NULL, 0},
                                 .at = t->at,
                                 .log = shim ? log : NULL,
                                 .output = full ? "/dev/full" : NULL});
}

/* Was the fault met by a process that came to its end? */
static int fired(const struct trial *t)
{
    char log[512], name[64];
    size_t count = 0, last = 1;
    snprintf(log, sizeof log, "%s/beside/log", t->folder);
    FILE *file = fopen(log, "rb");
    while (file != NULL && fscanf(file, "%63s %zu", name, &count) == 2) {
        last = count;
    }
    if (file != NULL) {
        fclose(file);
    }
    return last > 0;
}

static int is_memory(const struct trial *t)
{
    return strcmp(t->fault.call, "memory") == 0;
}

/* Every failure is told on a line of the program's own. */
static int check_words(char *words, size_t size, const struct trial *t, const struct outcome *o)
{
    const char *said = strstr(o->said, "regret: ");
    if (is_memory(t) && o->code == 127) {
        return 1; /* the loader's own end, where it needed memory */
    }
    if (said == NULL || strchr(said, '\n') == NULL) {
        snprintf(words, size, "exit code %d without a word: \"%.200s\"", o->code, o->said);
        return 0;
    }
    if (is_memory(t) && (o->code != 1 || strstr(o->said, "malformed") != NULL)) {
        snprintf(words, size, "want of memory is taken for something else, exit code %d: %.300s",
                 o->code, o->said);
        return 0;
    }
    return 1;
}

/* Of the old output and the new one, one stands there whole. */
static int check_replaced(char *words, size_t size, const struct trial *t, const struct tree *now)
{
    const struct tree *before = &t->rehearsal->before, *after = &t->rehearsal->after;
    const char *output = t->scenario->output;
    char detail[256] = "", other[256] = "";
    switch (t->scenario->replaces) {
    case REPLACES_FOLDER:
        if (!tree_same(detail, sizeof detail, now, before, output) &&
            !tree_same(other, sizeof other, now, after, output)) {
            snprintf(words, size, "the output is neither the old one (%s) nor the new one (%s)",
                     detail, other);
            return 0;
        }
        return 1;
    case REPLACES_FILES:
        if (!tree_mixes(detail, sizeof detail, now, before, after, output)) {
            snprintf(words, size, "%s", detail);
            return 0;
        }
        return 1;
    default:
        return 1;
    }
}

/* Started again, the command ends as if nothing had been. */
static int check_again(char *words, size_t size, const struct trial *t, const char *work,
                       const struct tree *now)
{
    const struct scenario *s = t->scenario;
    struct outcome outcome;
    struct tree tree = TREE_INIT;
    char detail[256];
    int old = s->output != NULL &&
              tree_same(detail, sizeof detail, now, &t->rehearsal->before, s->output);
    const char *line = s->resume != NULL && !old ? s->resume : s->line;
    if (is_full_disk(t)) {
        mount_pages(work, 1 << 16, MS_REMOUNT);
    }
    start(&outcome, t, work, line, 0);
    tree_read(&tree, work);
    int good = 0;
    if (outcome.hung || outcome.code != 0) {
        snprintf(words, size, "again, \"regret %s\" %s, exit code %d, signal %d: %.300s", line,
                 outcome.hung ? "hangs" : "fails", outcome.code, outcome.signal, outcome.said);
    } else if (!tree_same(detail, sizeof detail, &tree, &t->rehearsal->after, "")) {
        snprintf(words, size, "after \"regret %s\" again, %s", line, detail);
    } else {
        good = 1;
    }
    tree_free(&tree);
    outcome_free(&outcome);
    return good;
}

static int same_output(const struct trial *t, const struct outcome *o)
{
    return strcmp(t->fault.call, TRIAL_FULL_OUTPUT) == 0
               ? t->rehearsal->wrote_size == 0
               : o->wrote != NULL && o->wrote_size == t->rehearsal->wrote_size &&
                     memcmp(o->wrote, t->rehearsal->wrote, o->wrote_size) == 0;
}

/* Words on a way to end that is wrong whatever stands there, or nothing. */
static int ends_badly(char *words, size_t size, const struct trial *t, const struct outcome *o)
{
    int dying = strcmp(t->fault.effect, "kill") == 0 || strcmp(t->fault.effect, "torn") == 0;
    if (o->hung) {
        snprintf(words, size, "hangs for %d s", LAUNCH_SECONDS);
        return 1;
    }
    if (o->signal != 0 && !(dying && o->signal == SIGKILL)) {
        snprintf(words, size, "dies of signal %d: %.200s", o->signal, o->said);
        return 1;
    }
    return o->signal == 0 && o->code != 0 && !check_words(words, size, t, o);
}

/* What was being built may be left over, or an old output that could not be removed; a second start
 * then has to remove it. */
static enum verdict judge(char *words, size_t size, const struct trial *t, const char *work,
                          const struct outcome *o)
{
    char detail[256];
    struct tree now = TREE_INIT;
    enum verdict verdict = VERDICT_WRONG;
    tree_read(&now, work);
    int left = tree_drop_left_over(&now) > 0;
    int done = tree_same(detail, sizeof detail, &now, &t->rehearsal->after, "");
    if (ends_badly(words, size, t, o)) {
        verdict = VERDICT_WRONG;
    } else if (o->code == 0 && (!done || !same_output(t, o))) {
        snprintf(words, size, "exit code 0, but %s", done ? "other words on stdout" : detail);
    } else if (!check_replaced(words, size, t, &now)) {
        verdict = VERDICT_WRONG;
    } else {
        /* What is as it was before needs no second start: it was rehearsed. */
        int rest = done || tree_same(detail, sizeof detail, &now, &t->rehearsal->before, "");
        if ((rest && !left) || check_again(words, size, t, work, &now)) {
            verdict = o->signal != 0 ? VERDICT_KILLED
                      : o->code != 0 ? VERDICT_FAILED
                      : fired(t)     ? VERDICT_RIGHT
                                     : VERDICT_MISSED;
        }
    }
    tree_free(&now);
    return verdict;
}

enum verdict trial_run(char *words, size_t size, const struct trial *t)
{
    const struct tree nothing = TREE_INIT;
    char work[512], beside[512];
    struct outcome outcome;
    words[0] = '\0';
    if (is_full_disk(t) && !trial_can_mount()) {
        return VERDICT_SKIPPED;
    }
    snprintf(work, sizeof work, "%s/work", t->folder);
    snprintf(beside, sizeof beside, "%s/beside", t->folder);
    tree_write(&nothing, beside);
    if (is_full_disk(t)) {
        tree_write(&nothing, work);
        mount_pages(work, tree_pages(&t->rehearsal->before) + 1 + t->at, 0);
    }
    tree_write(&t->rehearsal->before, work);
    start(&outcome, t, work, t->scenario->line, 1);
    enum verdict verdict = judge(words, size, t, work, &outcome);
    outcome_free(&outcome);
    if (is_full_disk(t) && umount2(work, MNT_DETACH) != 0) {
        tree_die("unmount", work);
    }
    return verdict;
}
