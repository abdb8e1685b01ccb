#include "cli/internal.h"

#include <ctype.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/status.h"
#include "base/text.h"
#include "regret/experiment.h"
#include "regret/report.h"

/* 1 when lines can be drawn over: a terminal that is not "dumb". */
static int screen_is_terminal(void)
{
    const char *kind = getenv("TERM");
    return isatty(STDERR_FILENO) && (kind == NULL || strcmp(kind, "dumb") != 0);
}

/* COLUMNS of the environment, else the window's, else 80. */
static size_t screen_columns(void)
{
    const char *given = getenv("COLUMNS");
    char *end = NULL;
    unsigned long n =
        given != NULL && isdigit((unsigned char)given[0]) ? strtoul(given, &end, 10) : 0;
    struct winsize size;
    if (n > 0 && n <= 10000 && *end == '\0') {
        return (size_t)n;
    }
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* A command that a message names stands on a line of its own, not wrapped, to be copied. */
void screen_put_message(const char *message, size_t columns)
{
    struct regret_buffer whole = REGRET_BUFFER_INIT, lines = REGRET_BUFFER_INIT;
    const char *command = NULL;
    if (isatty(STDERR_FILENO)) {
        columns = screen_columns();
        command = strstr(message, ": regret ");
    }
    size_t n = command != NULL ? (size_t)(command - message) + 1 : strlen(message);
    regret_buffer_printf(&whole, "regret: %.*s", (int)n, message);
    text_wrap_wide(&lines, regret_buffer_get(&whole), columns > 0 ? columns : (size_t)-1);
    if (command != NULL) {
        regret_buffer_printf(&lines, "    %s\n", command + 2);
    }
    regret_buffer_clear(&whole);
    regret_buffer_append_visible(&whole, regret_buffer_get(&lines));
    regret_buffer_free_into(&whole, &lines);
    fputs(regret_buffer_status(&whole) == REGRET_OK ? regret_buffer_get(&whole)
                                                    : "regret: out of memory\n",
          stderr);
    regret_buffer_free(&whole);
}

int screen_ending(struct regret_buffer *out, const struct regret_results *results,
                  const char *folder)
{
    return regret_report_ending(out, results, folder,
                                isatty(STDERR_FILENO) ? screen_columns() : SCREEN_MOST);
}

static const double TICK = 0.25;   /* seconds between drawings */
static const double MINUTE = 60.0; /* seconds between lines where nothing is drawn */
enum { BAR_MOST = 24, BAR_LEAST = 4, LINE = 256, WORDS = 512 };

/* ---------------------------------------------------------------- words */

/* "42 s", "7 min 10 s", "3 h 20 min" */
static void put_duration(char out[32], double seconds)
{
    size_t s = seconds > 0.0 ? (size_t)(seconds + 0.5) : 0;
    if (s < 120) {
        snprintf(out, 32, "%zu s", s);
    } else if (s < 7200) {
        snprintf(out, 32, "%zu min %zu s", s / 60, s % 60);
    } else {
        snprintf(out, 32, "%zu h %zu min", s / 3600, s % 3600 / 60);
    }
}

void progress_rate(char out[32], double rate)
{
    double minute = 60.0 * rate, hour = 3600.0 * rate;
    snprintf(out, 32,
             rate >= 1.0     ? "%.1f/s"
             : minute >= 1.0 ? "%.1f/min"
                             : "%.1f/h",
             rate >= 1.0     ? rate
             : minute >= 1.0 ? minute
                             : hour);
}

/* Before the first replicate there is no rate to tell. */
static void put_pace(char out[LINE], const struct progress *p)
{
    char rate_word[32], time_word[32];
    double rate = p->at.seconds > 0.0 ? (double)(p->at.done - p->at.resumed) / p->at.seconds : 0.0;
    if (rate > 0.0) {
        progress_rate(rate_word, rate);
        put_duration(time_word,
                     (double)(p->at.total - p->at.done) / rate - (clock_seconds() - p->counted));
        snprintf(out, LINE, "%s, %s left", rate_word, time_word);
    } else {
        put_duration(time_word, clock_seconds() - p->began);
        snprintf(out, LINE, "%zu thread%s, %s so far", p->threads, plural(p->threads), time_word);
    }
}

/* ---------------------------------------------------------------- on a terminal */

/* "[=====...] ", as long as there is room for it beside the words. */
static void put_bar(char out[BAR_MOST + 4], const struct progress *p, size_t columns)
{
    size_t width = columns < BAR_MOST + 3 ? columns : BAR_MOST + 3;
    out[0] = '\0';
    if (width >= BAR_LEAST + 3) {
        size_t dots = width - 3;
        memset(out + 1, '.', dots);
        memset(out + 1, '=', p->at.done * dots / p->at.total);
        out[0] = '[';
        memcpy(out + 1 + dots, "] ", sizeof "] ");
    }
}

/* "2 of 5: fitting, 12 s" */
static void put_step(char out[WORDS], const struct progress *p)
{
    char time_word[32], place[48] = "";
    put_duration(time_word, clock_seconds() - p->began);
    if (p->steps > 0) {
        snprintf(place, sizeof place, "%zu of %zu: ", p->begun, p->steps);
    }
    snprintf(out, WORDS, "%s%s, %s", place, p->step, time_word);
}

static void put_words(char out[WORDS], const struct progress *p)
{
    char pace[LINE];
    if (p->at.total == 0) {
        put_step(out, p);
    } else {
        put_pace(pace, p);
        snprintf(out, WORDS, "%zu/%zu replicate%s, %s", p->at.done, p->at.total,
                 plural(p->at.total), pace);
    }
}

/* One column is left free: a line that fills the terminal wraps. */
static void draw(struct progress *p)
{
    char words[WORDS], bar[BAR_MOST + 4] = "";
    size_t columns = screen_columns() - 1;
    put_words(words, p);
    if (p->at.total > 0 && columns > strlen(words)) {
        put_bar(bar, p, columns - strlen(words));
    }
    fprintf(stderr, "\r\033[K%s%.*s", bar, (int)columns, words);
    p->open = 1;
    p->drawn = clock_seconds();
}

/* What was counted stays, what was only being done goes. */
static void close_line(struct progress *p)
{
    if (p->open) {
        fputs(p->at.total > 0 ? "\n" : "\r\033[K", stderr);
    }
    p->open = 0;
}

/* ---------------------------------------------------------------- elsewhere */

/* What is being done and how far it is, once a minute: a log of hours stays a page, and a short run says nothing. */
static void say(struct progress *p)
{
    char pace[LINE], words[WORDS];
    double now = clock_seconds();
    if (p->step == NULL || now - p->spoke < MINUTE) {
        return;
    }
    p->spoke = now;
    if (p->at.total == 0) {
        put_step(words, p);
        cli_say("%s", words);
    } else {
        put_pace(pace, p);
        cli_say("%s, %zu of %zu replicate%s, %s", p->step, p->at.done, p->at.total,
                plural(p->at.total), pace);
    }
}

/* ---------------------------------------------------------------- the thread */

/* Under the lock. */
static void tick(struct progress *p)
{
    if (p->terminal && p->step != NULL) {
        draw(p);
    } else if (!p->terminal) {
        say(p);
    }
}

static void *keep_ticking(void *context)
{
    struct progress *p = context;
    pthread_mutex_lock(&p->lock);
    while (!p->over) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += (long)(1e9 * TICK);
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        if (pthread_cond_timedwait(&p->wake, &p->lock, &until) != 0 && !p->over) {
            tick(p);
        }
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

void progress_begin(struct progress *p, int shown, size_t threads)
{
    pthread_condattr_t monotonic;
    *p = (struct progress){.shown = shown,
                           .terminal = screen_is_terminal(),
                           .threads = threads,
                           .spoke = clock_seconds()};
    pthread_mutex_init(&p->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&p->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    /* Without the thread the line moves with every replicate only: no reason to fail. */
    p->ticking = shown && pthread_create(&p->ticker, NULL, keep_ticking, p) == 0;
}

void progress_end(struct progress *p)
{
    pthread_mutex_lock(&p->lock);
    p->over = 1;
    close_line(p);
    pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->lock);
    if (p->ticking) {
        pthread_join(p->ticker, NULL);
    }
    pthread_cond_destroy(&p->wake);
    pthread_mutex_destroy(&p->lock);
}

/* ---------------------------------------------------------------- what happens */

void progress_step(struct progress *p, const char *step, size_t done, size_t total)
{
    pthread_mutex_lock(&p->lock);
    close_line(p);
    p->step = step;
    p->begun++;
    p->at = (struct regret_progress){done, total, done, 0.0};
    p->began = p->counted = clock_seconds();
    if (p->shown && p->terminal && step != NULL) {
        draw(p);
    }
    pthread_mutex_unlock(&p->lock);
}

void progress_count(struct progress *p, const struct regret_progress *at)
{
    pthread_mutex_lock(&p->lock);
    p->at = *at;
    p->counted = clock_seconds();
    if (p->shown && p->terminal && (at->done == at->total || clock_seconds() - p->drawn >= TICK)) {
        draw(p);
    } else if (p->shown && !p->terminal) {
        say(p);
    }
    pthread_mutex_unlock(&p->lock);
}

void progress_say(struct progress *p, const char *message)
{
    pthread_mutex_lock(&p->lock);
    if (p->open) {
        fputs("\r\033[K", stderr);
    }
    screen_put_message(message, SCREEN_MOST);
    if (p->open) {
        draw(p);
    }
    pthread_mutex_unlock(&p->lock);
}

/* The thread that takes the signal need not be the one that asks, so sig_atomic_t is not enough. */
static atomic_int interrupted = 0;

static void on_signal(int number)
{
    atomic_store(&interrupted, 1);
    signal(number, SIG_DFL);
}

void cli_catch_interrupts(void)
{
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
}

int cli_interrupted(void)
{
    return atomic_load(&interrupted);
}

int cli_cancelled(void *unused)
{
    (void)unused;
    return cli_interrupted();
}
