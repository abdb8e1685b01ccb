/* Functions of queries that read JSON: texts, turns of a chat, members, literals of Python. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/json_tokens.h"
#include "base/status.h"
#include "base/text.h"
#include "table/internal.h"

/* JSON that comes here was read by a source; of any other what is malformed ends a list, and is no string. Nothing calls itself but
 * the reader of literals. */

/* ---- Values ---- */

/* A list or an object that is gone through. */
struct walk {
    struct json_tokens t;
    int is_object, is_sound; /* 1: its end was reached, and nothing follows */
};

static int walk_begin(struct walk *w, struct regret_span json)
{
    const char *end = json.text + json.length, *p = json_skip_blank(json.text, end);
    *w = (struct walk){{p, end, REGRET_JSON_IMPORT}, 0, 0};
    if (p == end || (*p != '[' && *p != '{')) {
        return 0;
    }
    w->is_object = *p == '{';
    w->t.at++;
    return 1;
}

static int is_value(const char *p, const char *end)
{
    struct json_tokens t = {p, end, REGRET_JSON_IMPORT};
    struct json_token s = json_next(&t);
    return s.fault == JSON_NO_FAULT && (s.kind == JSON_NUMBER || s.kind == JSON_WORD) &&
           s.end == end;
}

/* Takes the value at p; NULL: there is none. */
static const char *take_value(struct regret_span *out, const char *p, const char *end)
{
    const char *stop = p < end ? json_skip_value(p, end) : NULL;
    if (stop == NULL || (strchr("[{\"", *p) == NULL && !is_value(p, stop))) {
        return NULL;
    }
    *out = (struct regret_span){p, (size_t)(stop - p)};
    return stop;
}

/* The next value, and in an object its key, as it is written between its quotes; 0 at the end. */
static int walk_next(struct walk *w, struct regret_span *key, struct regret_span *value)
{
    const char *p = json_skip_blank(w->t.at, w->t.end), *end = w->t.end;
    int is_escaped = 0;
    if (p < end && *p == (w->is_object ? '}' : ']')) {
        w->is_sound = json_skip_blank(p + 1, end) == end;
        return 0;
    }
    w->t.at = p;
    if (w->is_object) {
        if (!json_take_string(&w->t, key, &is_escaped)) {
            return 0;
        }
        p = json_skip_blank(w->t.at, end);
        if (p == end || *p != ':') {
            return 0;
        }
        p = json_skip_blank(p + 1, end);
    }
    p = take_value(value, p, end);
    p = p != NULL ? json_skip_blank(p, end) : end;
    if (p == end || (*p != ',' && *p != ']' && *p != '}')) {
        return 0;
    }
    w->t.at = p + (*p == ',');
    return 1;
}

/* A string of JSON from its quote on; *length (may be NULL): the bytes that it takes. 0: there is none. */
static int take_string(struct regret_buffer *out, struct regret_span json, size_t *length)
{
    struct json_tokens t = {json.text, json.text + json.length, REGRET_JSON_IMPORT};
    struct regret_span s;
    int is_escaped = 0;
    if (!json_take_string(&t, &s, &is_escaped)) {
        return 0;
    }
    tree_append_string(out, s);
    if (length != NULL) {
        *length = (size_t)(t.at - json.text);
    }
    return 1;
}

static struct regret_span trimmed(struct regret_span s)
{
    while (s.length > 0 && json_is_blank(s.text[s.length - 1])) {
        s.length--;
    }
    const char *begin = json_skip_blank(s.text, s.text + s.length);
    return (struct regret_span){begin, s.length - (size_t)(begin - s.text)};
}

int sql_append_plain(struct regret_buffer *out, struct regret_span json)
{
    struct regret_span s = trimmed(json);
    size_t before = out->length, length = 0;
    if (span_is(s, "null")) {
        return 0;
    }
    if (take_string(out, s, &length) && length == s.length) {
        return 1;
    }
    out->length = before; /* no string, or more than one */
    regret_buffer_append_n(out, json.text, json.length);
    return 1;
}

/* A text that is no JSON is itself. */
static void plain(sqlite3_context *c, int n, sqlite3_value **v)
{
    struct regret_buffer out = REGRET_BUFFER_INIT;
    (void)n;
    if (sqlite3_value_type(v[0]) != SQLITE_NULL &&
        (sql_append_plain(&out, sql_span(v[0])) || regret_buffer_status(&out) != REGRET_OK)) {
        sql_give(c, &out);
    }
}

int sql_find_member(struct regret_span *out, struct regret_span object, struct regret_span name)
{
    FREED_BY(regret_buffer_free) struct regret_buffer room = REGRET_BUFFER_INIT;
    struct regret_span key;
    struct walk w;
    int found = 0;
    if (walk_begin(&w, object) && w.is_object) {
        while (!found && walk_next(&w, &key, out)) {
            found = tree_key_is(key, name, &room);
        }
    }
    return found;
}

/* Value i, from 0, of a list or an object. */
static int find_place(struct regret_span *out, struct regret_span json, sqlite3_int64 i)
{
    struct regret_span key;
    struct walk w;
    int goes_on = i >= 0 && walk_begin(&w, json);
    for (sqlite3_int64 k = 0; goes_on && k <= i; k++) {
        goes_on = walk_next(&w, &key, out);
    }
    return goes_on;
}

int sql_member_at(struct regret_span *name, struct regret_span *out, struct regret_span object,
                  int i)
{
    struct walk w;
    int goes_on = walk_begin(&w, object) && w.is_object;
    for (int k = 0; goes_on && k <= i; k++) {
        goes_on = walk_next(&w, name, out);
    }
    return goes_on;
}

static void member(sqlite3_context *c, int n, sqlite3_value **v)
{
    struct regret_span found;
    (void)n;
    int is_there = sqlite3_value_type(v[1]) == SQLITE_INTEGER
                       ? find_place(&found, sql_span(v[0]), sqlite3_value_int64(v[1]))
                       : sql_find_member(&found, sql_span(v[0]), sql_span(v[1]));
    if (is_there) {
        sql_give_piece(c, found.text, found.length);
    }
}

/* ---- Turns of a chat ---- */

enum whose { OF_ALL, OF_USER, OF_AGENT, OF_ANY, OF_PARTS };
static const char *const WHOSE[] = {"all", "user", "agent", "any", "parts"};

struct turn {
    struct regret_span role, content; /* JSON; without a text: none */
};

/* Of the members of an object those that have one of n names; of no object nothing. */
static void find_members(struct regret_span *out, struct regret_span json, const char *const *names,
                         size_t n)
{
    struct regret_span key, value;
    struct walk w;
    memset(out, 0, n * sizeof *out);
    if (walk_begin(&w, json) && w.is_object) {
        while (walk_next(&w, &key, &value)) {
            for (size_t i = 0; i < n; i++) {
                out[i] = out[i].text == NULL && span_is(key, names[i]) ? value : out[i];
            }
        }
    }
}

static void read_turn(struct turn *out, struct regret_span json, enum whose whose)
{
    enum { ROLE, FROM, CONTENT, VALUE, TEXT, USER, MEMBERS };
    static const char *const NAMES[MEMBERS] = {"role", "from", "content", "value", "text", "user"};
    struct regret_span at[MEMBERS];
    find_members(at, json, NAMES, MEMBERS);
    if (whose == OF_USER && at[USER].text != NULL &&
        *at[USER].text == '{') { /* a round of two models */
        find_members(at, at[USER], NAMES, MEMBERS);
    }
    out->role = at[ROLE].text != NULL ? at[ROLE] : at[FROM];
    out->content = at[CONTENT].text != NULL ? at[CONTENT]
                   : at[VALUE].text != NULL ? at[VALUE]
                                            : at[TEXT];
}

static int is_string(struct regret_span json)
{
    return json.text != NULL && *json.text == '"';
}

/* A turn without a role is of whoever is asked for. */
static int is_of(const struct turn *turn, enum whose whose)
{
    if (!is_string(turn->role) || whose == OF_ANY || whose == OF_ALL) {
        return 1;
    }
    int is_user = span_is(turn->role, "\"user\"") || span_is(turn->role, "\"human\"");
    return whose == OF_USER ? is_user : !is_user && !span_is(turn->role, "\"system\"");
}

/* A text of its own, apart from the one before. */
static void append_apart(struct regret_buffer *out, struct regret_span json)
{
    regret_buffer_append(out, is_string(json) && out->length > 0 ? "\n\n" : "");
    take_string(out, json, NULL);
}

/* The content of a message as one text: parts that are none are named by their type. */
static void append_content(struct regret_buffer *out, struct regret_span content)
{
    static const char *const NAMES[] = {"text", "type"};
    struct regret_span key, part, at[2];
    struct walk w;
    if (content.text == NULL || take_string(out, content, NULL) || !walk_begin(&w, content)) {
        return;
    }
    while (walk_next(&w, &key, &part)) {
        find_members(at, part, NAMES, 2);
        if (is_string(at[0])) {
            take_string(out, at[0], NULL);
        } else if (is_string(at[1]) && !span_is(at[1], "\"reasoning\"")) {
            regret_buffer_append_char(out, '[');
            take_string(out, at[1], NULL);
            regret_buffer_append_char(out, ']');
        }
    }
}

/* The texts of a content, each apart. */
static void append_texts(struct regret_buffer *out, struct regret_span content)
{
    static const char *const NAMES[] = {"text"};
    struct regret_span key, part, text;
    struct walk w;
    if (is_string(content)) {
        append_apart(out, content);
    } else if (content.text != NULL && walk_begin(&w, content)) {
        while (walk_next(&w, &key, &part)) {
            find_members(&text, part, NAMES, 1);
            append_apart(out, text);
        }
    }
}

/* The first of several turns, and each after it, with its role; one alone without. */
static void append_named(struct regret_buffer *out, const struct turn *turn, int is_alone)
{
    if (!is_alone) {
        regret_buffer_append(out, out->length > 0 ? "\n\n" : "");
        if (!is_string(turn->role) || !take_string(out, turn->role, NULL)) {
            regret_buffer_append(out, "message");
        }
        regret_buffer_append(out, ": ");
    }
    append_content(out, turn->content);
}

/* Appends a turn where it is of that side; 0: it is not, or says nothing. */
static int append_turn(struct regret_buffer *out, struct regret_span json, enum whose whose,
                       int alone)
{
    struct turn turn = {{NULL, 0}, json};
    if (!is_string(json)) {
        read_turn(&turn, json, whose);
    }
    if (whose == OF_ALL) {
        append_named(out, &turn, alone);
        return 1;
    }
    size_t before = out->length;
    if (is_of(&turn, whose)) {
        append_texts(out, turn.content);
    }
    return out->length > before || (is_of(&turn, whose) && is_string(turn.content));
}

/* How many turns of that side were appended; -1 of what is neither a list nor an object. */
static int append_turns(struct regret_buffer *out, struct regret_span json, enum whose whose)
{
    struct regret_span key, value;
    struct walk w;
    int n = 0, alone = whose == OF_ALL && !find_place(&value, json, 1);
    if (!walk_begin(&w, json)) {
        return -1;
    }
    while (walk_next(&w, &key, &value)) {
        n += w.is_object || whose == OF_PARTS ? 0 : append_turn(out, value, whose, alone);
    }
    if (w.is_sound && w.is_object) {
        n = append_turn(out, json, whose, 1);
    } else if (w.is_sound && whose == OF_PARTS) {
        append_content(out, json);
        n = 1;
    }
    return w.is_sound ? n : -1;
}

int sql_append_turns(struct regret_buffer *out, struct regret_span json, int is_user)
{
    return append_turns(out, json, is_user ? OF_USER : OF_AGENT);
}

/* Appends what a text says, or, of any side, the turns of which it is the JSON. */
static int append_one(struct regret_buffer *out, struct regret_span json, enum whose whose)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    int found = sql_append_plain(&text, json);
    const struct regret_span said = {regret_buffer_get(&text), text.length};
    if (whose == OF_ANY && strncmp(said.text, "[{", 2) == 0 && append_turns(out, said, whose) > 0) {
        return 1;
    }
    regret_buffer_clear(out);
    regret_buffer_append_n(out, said.text, said.length);
    regret_buffer_free_into(out, &text);
    return found;
}

/* turns(json, who): NULL where nothing is of that side. What is no JSON is a text. */
static void turns(sqlite3_context *c, int n, sqlite3_value **v)
{
    FREED_BY(regret_buffer_free) struct regret_buffer out = REGRET_BUFFER_INIT;
    struct regret_span json = sql_span(v[0]), first, second;
    size_t whose = sql_word(c, v[1], "turns", WHOSE, sizeof WHOSE / sizeof *WHOSE);
    (void)n;
    if (whose > OF_PARTS || sqlite3_value_type(v[0]) == SQLITE_NULL) {
        return;
    }
    if (whose == OF_ANY && !find_place(&second, json, 1) && find_place(&first, json, 0) &&
        is_string(first)) {
        json = first; /* a list of one text */
    }
    int found = append_turns(&out, json, (enum whose)whose);
    found = found < 0 ? append_one(&out, json, (enum whose)whose) : found;
    if (found > 0) {
        sql_give(c, &out);
    }
}

/* ---- Choices of lm-evaluation-harness ---- */

static int starts_number(struct regret_span json)
{
    return json.length > 0 && (*json.text == '-' || (*json.text >= '0' && *json.text <= '9'));
}

/* The log likelihood of a response of two parts, [-3.1, false] or the texts of these; NAN: it is none. */
static double likelihood_of(struct regret_span response)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    struct regret_span key, first, next;
    struct walk w;
    char *end = NULL;
    if (!walk_begin(&w, response) || w.is_object || !walk_next(&w, &key, &first) ||
        !walk_next(&w, &key, &next) || walk_next(&w, &key, &next)) {
        return NAN;
    }
    if (!starts_number(first) && !is_string(first)) {
        return NAN;
    }
    sql_append_plain(&text, first);
    double x = strtod(regret_buffer_get(&text), &end);
    return text.length > 0 && *end == '\0' ? x : NAN;
}

/* The place, from 0, of the likeliest of several; -1 where one of them is no log likelihood. */
static int likeliest_of(struct regret_span responses)
{
    struct regret_span key, value;
    struct walk w;
    int best = -1, i = 0;
    double most = -INFINITY;
    if (!walk_begin(&w, responses) || w.is_object) {
        return -1;
    }
    for (; walk_next(&w, &key, &value); i++) {
        double x = likelihood_of(value);
        if (isnan(x)) {
            return -1;
        }
        best = x > most ? i : best;
        most = x > most ? x : most;
    }
    return i > 1 ? best : -1;
}

static void likeliest(sqlite3_context *c, int n, sqlite3_value **v)
{
    int best = likeliest_of(sql_span(v[0]));
    (void)n;
    if (best >= 0) {
        sqlite3_result_int(c, best);
    }
}

/* What was asked beyond the prompt in request i: its continuation, or the whole where prompts differ; 0: there is no such request. */
static int append_choice(struct regret_buffer *out, struct regret_span arguments, sqlite3_int64 i)
{
    struct regret_span key, request, part[2][2] = {{{NULL, 0}}};
    struct walk w, v;
    int goes_on = i >= 0 && walk_begin(&w, arguments);
    for (sqlite3_int64 k = 0; goes_on && k <= i;
         k++) { /* two parts each of the first and of that one */
        struct regret_span *to = part[k == i];
        goes_on = walk_next(&w, &key, &request);
        if (goes_on && (k == 0 || k == i) && walk_begin(&v, request) && walk_next(&v, &key, to)) {
            walk_next(&v, &key, to + 1);
        }
    }
    if (!goes_on) {
        return 0;
    }
    const struct regret_span *first = part[i == 0], *own = part[1];
    if (is_string(first[0]) && is_string(own[0]) && !span_equal(first[0], own[0])) {
        take_string(out, own[0], NULL);
    }
    size_t before = out->length;
    if (is_string(own[1])) {
        take_string(out, own[1], NULL);
    }
    if (before == 0 && out->length > 0) {
        size_t blanks = strspn(out->data, " ");
        out->length -= blanks;
        memmove(out->data, out->data + blanks, out->length + 1);
    }
    return 1;
}

/* choice(arguments, i), choice(arguments, responses): of one response nothing unless it says that it is the likeliest. */
static void choice(sqlite3_context *c, int n, sqlite3_value **v)
{
    FREED_BY(regret_buffer_free) struct regret_buffer out = REGRET_BUFFER_INIT;
    const struct regret_span which = sql_span(v[1]);
    struct regret_span only, yes;
    sqlite3_int64 i = sqlite3_value_type(v[1]) == SQLITE_INTEGER ? sqlite3_value_int64(v[1])
                                                                 : likeliest_of(which);
    (void)n;
    if (i < 0 && find_place(&only, which, 0) && !isnan(likelihood_of(only)) &&
        find_place(&yes, only, 1)) {
        if (!span_is(yes, "true") && !span_is(yes, "\"True\"")) {
            sql_give_piece(c, "", 0);
            return;
        }
        i = 0;
    }
    if (append_choice(&out, sql_span(v[0]), i)) {
        sql_give(c, &out);
    }
}

/* ---- Literals of Python ---- */

enum { MAX_DEPTH = 64 };

struct literal {
    const char *at, *end;
    struct regret_buffer out, word;
};

/* Passes blanks; the next byte, or 0 at the end. */
static char peek(struct literal *p)
{
    p->at = json_skip_blank(p->at, p->end);
    return p->at < p->end ? *p->at : '\0';
}

/* The escape behind a backslash, as JSON has it. */
static void take_escape(struct literal *p)
{
    static const char SAME[] = "\"\\bfnrtu", HEX[] = "0123456789abcdefABCDEF";
    const char c = p->at < p->end ? *p->at : '\\';
    size_t hex = p->end - p->at > 2 ? strspn(p->at + 1, HEX) : 0;
    p->at += p->at < p->end;
    if (c == '\n') {
        return; /* the line goes on */
    }
    if (c == 'x' && hex >= 2) {
        regret_buffer_printf(&p->word, "\\u00%.2s", p->at);
        p->at += 2;
    } else if (strchr(SAME, c) != NULL && (c != 'u' || hex >= 4)) {
        regret_buffer_printf(&p->word, "\\%c", c);
    } else {
        regret_buffer_append(&p->word, c == '\'' || c == '/' ? "" : "\\\\");
        regret_buffer_append_n(&p->word, &c, c != '\\');
    }
}

/* 'text' or "text" as a string of JSON. */
static int take_quoted(struct literal *p)
{
    const char quote = *p->at++;
    struct regret_span s;
    int is_escaped = 0;
    regret_buffer_clear(&p->word);
    regret_buffer_append_char(&p->word, '"');
    for (; p->at < p->end && *p->at != quote;) {
        const char *begin = p->at;
        const unsigned char c = (unsigned char)*p->at++;
        if (c == '\\') {
            take_escape(p);
        } else if (c < ' ' || c == '"') {
            regret_buffer_printf(&p->word, "\\u%04x", c);
        } else {
            while (p->at < p->end && (unsigned char)*p->at >= ' ' && *p->at != '\\' &&
                   *p->at != '"' && *p->at != quote) {
                p->at++;
            }
            regret_buffer_append_n(&p->word, begin, (size_t)(p->at - begin));
        }
    }
    regret_buffer_append_char(&p->word, '"');
    struct json_tokens t = {regret_buffer_get(&p->word),
                            regret_buffer_get(&p->word) + p->word.length, REGRET_JSON_IMPORT};
    if (p->at++ >= p->end || regret_buffer_status(&p->word) != REGRET_OK ||
        !json_take_string(&t, &s, &is_escaped)) {
        return 0;
    }
    if (is_escaped) { /* halves of surrogate pairs are no characters */
        char *text = p->word.data + 1;
        text[json_unescape(text, s)] = '\0';
        regret_buffer_json_string(&p->out, text);
    } else {
        regret_buffer_append_n(&p->out, p->word.data, p->word.length);
    }
    return 1;
}

/* True, null, -1.5e3, and the prefix of a string such as b'…'. */
static int take_word(struct literal *p)
{
    static const char *const NAMES[][2] = {
        {"True", "true"},   {"False", "false"},   {"None", "null"},   {"true", "true"},
        {"false", "false"}, {"null", "null"},     {"nan", "\"NaN\""}, {"NaN", "\"NaN\""},
        {"inf", "9e999"},   {"Infinity", "9e999"}};
    const char *begin = p->at;
    char *end = NULL;
    while (p->at < p->end && strchr(",]}):'\" \t\r\n", *p->at) == NULL) {
        p->at++;
    }
    struct regret_span word = {begin, (size_t)(p->at - begin)};
    int is_minus = word.length > 1 && *begin == '-';
    if (word.length > 0 && word.length <= 2 && p->at < p->end &&
        (*p->at == '\'' || *p->at == '"') && strspn(begin, "bBrRuU") >= word.length) {
        return take_quoted(p);
    }
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        if (span_is((struct regret_span){begin + is_minus, word.length - (size_t)is_minus},
                    NAMES[i][0])) {
            regret_buffer_append(&p->out, is_minus && *NAMES[i][1] == '9' ? "-" : "");
            regret_buffer_append(&p->out, NAMES[i][1]);
            return 1;
        }
    }
    if (word.length > 0 && is_value(begin, p->at)) {
        regret_buffer_append_n(&p->out, word.text, word.length);
        return 1;
    }
    double x = strtod(begin, &end); /* 1., .5, +3 */
    regret_buffer_json_number(&p->out, x);
    return word.length > 0 && end == p->at && isfinite(x);
}

static int take_literal(struct literal *p, int depth);

/* The items of a list, tuple, set or map, behind its bracket. */
static int take_items(struct literal *p, char close, int depth)
{
    size_t begin = p->out.length;
    int is_map = close == '}', n = 0; /* {} is a map */
    regret_buffer_append_char(&p->out, '[');
    for (char c = peek(p); c != close; c = peek(p), n++) {
        size_t item = p->out.length;
        if (!take_literal(p, depth)) {
            return 0;
        }
        is_map = n == 0 ? close == '}' && peek(p) == ':' : is_map;
        if (is_map) {
            if (peek(p) != ':' || p->out.data[item] != '"') {
                return 0; /* keys are texts */
            }
            p->at++;
            regret_buffer_append_char(&p->out, ':');
            if (!take_literal(p, depth)) {
                return 0;
            }
        }
        c = peek(p);
        if (c != ',' && c != close) {
            return 0;
        }
        p->at += c == ',';
        regret_buffer_append(&p->out, peek(p) != close ? "," : "");
    }
    p->at++;
    regret_buffer_append_char(&p->out, is_map ? '}' : ']');
    if (is_map && regret_buffer_status(&p->out) == REGRET_OK) {
        p->out.data[begin] = '{';
    }
    return 1;
}

static int take_literal(struct literal *p, int depth)
{
    static const char OPEN[] = "[({", CLOSE[] = "])}";
    const char c = peek(p), *open = c != '\0' ? strchr(OPEN, c) : NULL;
    if (c == '\0' || depth == MAX_DEPTH || regret_buffer_status(&p->out) != REGRET_OK) {
        return 0;
    }
    if (open != NULL) {
        p->at++;
        return take_items(p, CLOSE[open - OPEN], depth + 1);
    }
    return c == '\'' || c == '"' ? take_quoted(p) : take_word(p);
}

/* literal(text): NULL of what is neither a literal of Python nor JSON. */
static void literal(sqlite3_context *c, int n, sqlite3_value **v)
{
    const struct regret_span text = sql_span(v[0]);
    struct literal p = {text.text, text.text + text.length, REGRET_BUFFER_INIT, REGRET_BUFFER_INIT};
    (void)n;
    if (take_literal(&p, 0) && peek(&p) == '\0' && p.at == p.end) {
        sql_give(c, &p.out);
    }
    regret_buffer_free(&p.out);
    regret_buffer_free(&p.word);
}

const struct sql_function SQL_RECORD_FUNCTIONS[] = {
    {"plain", 1, 1, plain},   {"member", 2, 2, member},
    {"turns", 2, 2, turns},   {"likeliest", 1, 1, likeliest},
    {"choice", 2, 2, choice}, {"literal", 1, 1, literal},
    {NULL, 0, 0, NULL}};
