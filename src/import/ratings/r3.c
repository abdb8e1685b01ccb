/* Yahoo! R3 ("ydata-ymusic-rating-study-v1_0"; Marlin and Zemel, "Collaborative prediction and ranking with non-random
 * missing data", RecSys 2009): two files of lines "user, song, rating from 1 to 5" between blanks, of songs that users
 * chose to rate and of ten drawn at random for each of some. */
#include "base/core/try.h"
#include "import/ratings/ratings.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/json.h"

enum { MOST_SONGS = 4096, MOST_USERS = 10000000 };

/* Appends a row of CSV for each rating. */
static int put_ratings(struct regret_buffer *out, size_t *rows, const char *folder,
                       const char *name)
{
    FREED_BY(ratings_text_close) struct ratings_text text = {0};
    FREED char *path = NULL;
    int of[3], more = 0;
    static const int most[] = {MOST_USERS, MOST_SONGS, 5};
    regret_buffer_append(out, "user,song,rating\n");
    TRY(regret_path_join(&path, folder, name));
    TRY(ratings_text_open(&text, path));
    while (ratings_text_next(&text)) {
        int is_whole = 1, rest = 0;
        for (size_t i = 0; i < 3; i++) {
            TRY(ratings_text_number(&of[i], &more, &text, i < 2 ? 0 : 1, most[i]));
            is_whole &= more;
        }
        TRY(ratings_text_number(&rest, &more, &text, 0, 0));
        if (!is_whole || more) {
            TRY(regret_json_error((struct regret_place){path, text.line},
                                  "must be three numbers: user, song and rating"));
        }
        regret_buffer_printf(out, "u%d,song%d,%d\n", of[0], of[1], of[2]);
        ++*rows;
    }
    return regret_buffer_status(out);
}

static int run(const struct importer_call *call)
{
    static const char config[] =
        "{\n  \"obs\": {\"file\": \"obs.csv\", \"context\": \"user\", \"agent\": \"song\", "
        "\"outcome\": "
        "\"rating\"},\n  \"exp\": {\"file\": \"exp.csv\", \"context\": \"user\", \"agent\": "
        "\"song\", "
        "\"outcome\": \"rating\"},\n  \"outcome\": {\"low\": 1, \"high\": 5},\n  \"seed\": 1\n}\n";
    FREED_BY(ratings_log_free)
    struct ratings_log log = {REGRET_BUFFER_INIT, REGRET_BUFFER_INIT, REGRET_BUFFER_INIT, 0, 0};
    TRY(put_ratings(&log.obs, &log.n_obs, call->from, "ydata-ymusic-rating-study-v1_0-train.txt"));
    TRY(put_ratings(&log.exp, &log.n_exp, call->from, "ydata-ymusic-rating-study-v1_0-test.txt"));
    regret_buffer_append(&log.config, config);
    TRY(regret_buffer_status(&log.config));
    return ratings_log_write(&log, call);
}

static const char defaults = 0;
static const struct importer_option options[] = {IMPORTER_FORCE_OPTION};

const struct importer importer_r3 = {
    .name = "import r3",
    .synopsis = "DIR -o DIR [--force]",
    .summary = "Yahoo! R3: ratings that users chose to give, and of songs drawn at random",
    .detail =
        "Makes a log of ydata-ymusic-rating-study-v1_0-train.txt, a trial of -test.txt, whose\n"
        "songs were drawn uniformly, and evaluate.json of both. Agents are songs.",
    .examples =
        "regret import r3 yahoo -o r3-log\nregret evaluate r3-log/evaluate.json -o evaluated",
    .run = run,
    .makes_log = 1,
    .options = options,
    .n_options = 1,
    .defaults = &defaults,
    .size = sizeof defaults,
};
