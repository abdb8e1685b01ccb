#include "cli/pools/init_log.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/core/try.h"
#include "base/files/input.h"
#include "base/text/escape.h"
#include "regret/alloc.h"
#include "regret/file.h"

static void say_next(struct regret_buffer *out, const struct init_log *o)
{
    regret_buffer_append(out, "\nWrote ");
    regret_buffer_append_safe(out, o->config, 200);
    regret_buffer_append(out, ". Look at it, then:\n\n  regret evaluate ");
    shell_word(out, o->config);
    regret_buffer_append(out, " -o ");
    shell_word(out, "evaluated");
    regret_buffer_append_char(out, '\n');
}

/* A message that calls the configuration by its other name; this one is what the user has said. */
static int name_config(const struct init_log *o, const char *path)
{
    FREED_BY(regret_buffer_free) struct regret_buffer said = REGRET_BUFFER_INIT;
    const char *message = regret_error_message(), *at = strstr(message, path);
    regret_buffer_append_n(&said, message, at != NULL ? (size_t)(at - message) : strlen(message));
    if (at != NULL) {
        regret_buffer_append(&said, o->config);
        regret_buffer_append(&said, at + strlen(path));
    }
    TRY(regret_buffer_status(&said));
    return regret_fail(REGRET_E_INPUT, "%s", regret_buffer_get(&said));
}

/* The configuration is tried where it will stand, by another name: its paths begin there. */
static int write_tried(struct log_guess *guess, const struct init_log *o, const char *const *file)
{
    struct regret_buffer trial = REGRET_BUFFER_INIT, text = REGRET_BUFFER_INIT;
    int rc;
    regret_buffer_printf(&trial, "%s.partial-%ld", o->config, (long)getpid());
    TRY_CLEANUP(regret_buffer_status(&trial));
    const char *path = regret_buffer_get(&trial);
    log_guess_config(&text, guess, file);
    TRY_CLEANUP(regret_buffer_status(&text));
    TRY_CLEANUP(regret_file_write(path, regret_buffer_get(&text), text.length));
    rc = log_guess_try(guess, path);
    remove(path);
    TRY_CLEANUP(rc == REGRET_E_INPUT ? name_config(o, path) : rc);
    regret_buffer_clear(&text);
    log_guess_config(&text, guess, file);
    TRY_CLEANUP(regret_buffer_status(&text));
    rc = (o->force ? regret_file_write : regret_file_write_new)(o->config, regret_buffer_get(&text),
                                                                text.length);
cleanup:
    regret_buffer_free(&trial);
    regret_buffer_free(&text);
    return rc;
}

static int write_config(struct log_guess *guess, const struct init_log *o)
{
    char *file[LOG_INPUTS] = {NULL};
    int rc;
    for (int i = 0; i < LOG_INPUTS; i++) {
        TRY_CLEANUP(o->path[i] != NULL ? log_guess_file(&file[i], o->path[i], o->config)
                                       : REGRET_OK);
    }
    rc = write_tried(guess, o, (const char *const *)file);
cleanup:
    for (int i = 0; i < LOG_INPUTS; i++) {
        regret_free(file[i]);
    }
    return rc;
}

int init_log(const struct init_log *o)
{
    FREED_BY(log_guess_free) struct log_guess guess = {0};
    FREED_BY(regret_buffer_free) struct regret_buffer said = REGRET_BUFFER_INIT;
    if (!o->force && !input_is_absent(o->config)) {
        return regret_fail(REGRET_E_INPUT, "%s is there already; --force replaces it", o->config);
    }
    TRY(log_guess_make(&guess, o->path, &o->known));
    TRY(write_config(&guess, o));
    log_guess_explain(&said, &guess);
    say_next(&said, o);
    TRY(regret_buffer_status(&said));
    fputs(regret_buffer_get(&said), stdout);
    return REGRET_OK;
}
