#include "text/patch_parse.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/status.h"
#include "regret/status.h"
#include "text/buckets.h"
#include "text/classes.h"
#include "text/patch.h"

/* The reader of unified diffs. Formats: GNU diffutils manual, "Detailed Description of Unified
 * Format"; git-diff(1), "Generating patch text with -p". */

FREED_POINTER(struct regret_patch, regret_patch_free)

enum { USUAL_CONTEXT = 3 };

/* A pass over the lines of the text. */
struct scan {
    struct regret_patch *patch;
    const char *at, *end;
    struct regret_span line;        /* at hand, without its end */
    struct regret_patch_file *file; /* at hand; NULL before the first */
    struct regret_patch_hunk *hunk; /* at hand; NULL outside */
    size_t old_left, new_left;      /* of the hunk at hand */
    unsigned char named;            /* the file has its ---/+++ lines */
    unsigned char mnemonic;         /* its git header has mnemonic prefixes */
    unsigned char in_binary;        /* inside the data of a binary file */
    unsigned char can_end_newline;  /* the last line was content */
};

static int begins(struct regret_span s, const char *prefix)
{
    size_t n = strlen(prefix);
    return s.length >= n && memcmp(s.text, prefix, n) == 0;
}

static struct regret_span after(struct regret_span s, size_t n)
{
    return (struct regret_span){s.text + n, s.length - n};
}

/* The line at s->at without its LF or CRLF; the place after it. */
static const char *take_line(struct regret_span *line, const char *at, const char *end)
{
    const char *lf = memchr(at, '\n', (size_t)(end - at));
    const char *stop = lf != NULL ? lf : end;
    size_t n = (size_t)(stop - at);
    n -= n > 0 && at[n - 1] == '\r';
    *line = (struct regret_span){at, n};
    return lf != NULL ? lf + 1 : end;
}

/* Lines of the text, and how many of them may begin a hunk or a file: upper bounds, so that each
 * array is allocated once. */
static int make_room(struct regret_patch *patch, const char *text, size_t length)
{
    size_t lines = 0, hunks = 0, files = 0;
    for (const char *at = text, *end = text + length; at < end;) {
        struct regret_span line;
        at = take_line(&line, at, end);
        hunks += begins(line, "@@");
        files += begins(line, "diff --") || begins(line, "--- ") || begins(line, "@@") ||
                 begins(line, "Binary files ");
        lines++;
    }
    TRY(REGRET_NEW(&patch->files, files));
    TRY(REGRET_NEW(&patch->hunks, hunks));
    return hunks == 0 ? REGRET_OK : REGRET_NEW(&patch->lines, lines);
}

static void begin_file(struct scan *s)
{
    s->file = &s->patch->files[s->patch->n_files++];
    s->file->first_hunk = s->patch->n_hunks;
    s->file->old_path = s->file->path = (struct regret_span){s->at, 0};
    s->named = s->in_binary = s->mnemonic = 0;
}

/* A path without the quotes git may put around it and the time diff may put after it. */
static struct regret_span clean_path(struct regret_span path)
{
    const char *tab = path.length > 0 ? memchr(path.text, '\t', path.length) : NULL;
    if (tab != NULL) {
        path.length = (size_t)(tab - path.text);
    }
    if (path.length >= 2 && path.text[0] == '"' && path.text[path.length - 1] == '"') {
        path = (struct regret_span){path.text + 1, path.length - 2};
    }
    return path;
}

static int is_null_path(struct regret_span path)
{
    return path.length == 9 && begins(path, "/dev/null");
}

/* git's diff.mnemonicPrefix: c/ commit, i/ index, w/ work tree, o/ object; 1/ and 2/ of --no-index. */
static int has_mnemonic(struct regret_span path)
{
    return path.length > 2 && path.text[1] == '/' && memchr("ciwo12", path.text[0], 6) != NULL;
}

/* Takes the prefixes off the clean paths of a file: a/ or b/ of each, or two mnemonic ones. These are
 * also names of folders, so that they count in a pair before one path alone, or beside /dev/null where
 * the git header had such a pair. */
static void strip_prefixes(struct scan *s, struct regret_span *old, struct regret_span *new)
{
    struct regret_span *both[] = {old, new};
    int pair =
        has_mnemonic(*old) && has_mnemonic(*new) && old->text[0] != new->text[0] &&
        old->length == new->length &&memcmp(old->text + 2, new->text + 2, old->length - 2) == 0;
    s->mnemonic |= pair;
    for (int i = 0; i < 2; i++) {
        int alone = s->mnemonic && has_mnemonic(*both[i]) && is_null_path(*both[1 - i]);
        if (pair || alone || begins(*both[i], "a/") || begins(*both[i], "b/")) {
            *both[i] = after(*both[i], 2);
        }
    }
}

/* The two paths of "diff --git a/P b/Q". A path with blanks is not quoted: where P and Q are the
 * same the middle divides them, otherwise the last " b/" does; rename lines know better. */
static void git_paths(struct scan *s, struct regret_span both)
{
    struct regret_patch_file *file = s->file;
    size_t half = both.length / 2, cut = SIZE_MAX;
    if (both.length % 2 == 1 && both.text[half] == ' ' && half > 2 &&
        memcmp(both.text + 2, both.text + half + 3, half - 2) == 0) {
        cut = half;
    }
    for (size_t i = both.length; cut == SIZE_MAX && i-- > 0;) {
        if (begins(after(both, i), " b/") || begins(after(both, i), " \"b/")) {
            cut = i;
        }
    }
    if (cut != SIZE_MAX) {
        file->old_path = clean_path((struct regret_span){both.text, cut});
        file->path = clean_path(after(both, cut + 1));
        strip_prefixes(s, &file->old_path, &file->path);
    }
}

/* "--- OLD" with "+++ NEW" after it. */
static void name_file(struct scan *s, struct regret_span old_line, struct regret_span new_line)
{
    if (s->file == NULL || s->named || s->file->n_hunks > 0) {
        begin_file(s);
    }
    s->named = 1;
    if (s->file->change == REGRET_PATCH_RENAMED || s->file->change == REGRET_PATCH_COPIED) {
        return; /* the lines of the git header said so without prefixes */
    }
    struct regret_span old = clean_path(after(old_line, 4));
    struct regret_span new = clean_path(after(new_line, 4));
    int is_new = is_null_path(old), is_gone = is_null_path(new);
    strip_prefixes(s, &old, &new);
    if (is_new) {
        s->file->change = REGRET_PATCH_ADDED;
    } else {
        s->file->old_path = old;
    }
    if (is_gone) {
        s->file->change = REGRET_PATCH_DELETED;
        s->file->path = s->file->old_path;
    } else {
        s->file->path = new;
    }
}

/* Up to nine digits. */
static int read_number(size_t *out, struct regret_span *s)
{
    size_t n = 0, x = 0;
    for (; n < s->length && s->text[n] >= '0' && s->text[n] <= '9'; n++) {
        if (n == 9) {
            return 0;
        }
        x = 10 * x + (size_t)(s->text[n] - '0');
    }
    *s = after(*s, n);
    *out = x;
    return n > 0;
}

/* "START" or "START,LINES". */
static int read_range(size_t *start, size_t *lines, struct regret_span *s)
{
    *lines = 1;
    if (!read_number(start, s)) {
        return 0;
    }
    if (!begins(*s, ",")) {
        return 1;
    }
    *s = after(*s, 1);
    return read_number(lines, s);
}

/* "@@ -1,2 +3,4 @@ SECTION" */
static int read_hunk_header(struct regret_patch_hunk *hunk, struct regret_span line)
{
    if (!begins(line, "@@ -")) {
        return 0;
    }
    struct regret_span s = after(line, 4);
    if (!read_range(&hunk->old_start, &hunk->old_lines, &s) || !begins(s, " +")) {
        return 0;
    }
    s = after(s, 2);
    if (!read_range(&hunk->new_start, &hunk->new_lines, &s) || !begins(s, " @@")) {
        return 0;
    }
    s = after(s, 3);
    hunk->section = begins(s, " ") ? after(s, 1) : s;
    return 1;
}

static void begin_hunk(struct scan *s)
{
    struct regret_patch_hunk hunk = {0};
    if (!read_hunk_header(&hunk, s->line)) {
        s->patch->defects++;
        return;
    }
    if (s->file == NULL) { /* a patch that names no file */
        s->patch->defects++;
        begin_file(s);
    }
    hunk.first_line = s->patch->n_lines;
    s->hunk = &s->patch->hunks[s->patch->n_hunks++];
    *s->hunk = hunk;
    s->file->n_hunks++;
    s->old_left = hunk.old_lines;
    s->new_left = hunk.new_lines;
    s->can_end_newline = 0;
}

/* Lines between "diff --git" and the first hunk. */
static int read_git_header(struct scan *s)
{
    struct regret_patch_file *file = s->file;
    const struct regret_span line = s->line;
    if (file == NULL || file->n_hunks > 0) {
        return 0;
    }
    if (begins(line, "new file mode")) {
        file->change = REGRET_PATCH_ADDED;
    } else if (begins(line, "deleted file mode")) {
        file->change = REGRET_PATCH_DELETED;
    } else if (begins(line, "old mode") || begins(line, "new mode")) {
        file->mode_changed = 1;
    } else if (begins(line, "rename from ") || begins(line, "copy from ")) {
        int is_copy = line.text[0] == 'c';
        file->change = is_copy ? REGRET_PATCH_COPIED : REGRET_PATCH_RENAMED;
        file->old_path = clean_path(after(line, is_copy ? 10 : 12));
    } else if (begins(line, "rename to ") || begins(line, "copy to ")) {
        file->path = clean_path(after(line, line.text[0] == 'c' ? 8 : 10));
    } else if (begins(line, "Binary files ") || begins(line, "GIT binary patch")) {
        file->binary = 1;
        s->in_binary = line.text[0] == 'G';
    } else {
        return begins(line, "index ") || begins(line, "similarity index ") ||
               begins(line, "dissimilarity index ");
    }
    return 1;
}

/* A plain "Binary files a/P and b/Q differ" that no git header announced. */
static void plain_binary(struct scan *s)
{
    begin_file(s);
    s->file->binary = 1;
    struct regret_span both = after(s->line, 13);
    for (size_t i = 0; i + 5 <= both.length; i++) {
        if (memcmp(both.text + i, " and ", 5) == 0) {
            struct regret_span new = after(both, i + 5);
            new.length -=
                new.length >= 7 && memcmp(new.text + new.length - 7, " differ", 7) == 0 ? 7 : 0;
            s->file->old_path = clean_path((struct regret_span){both.text, i});
            s->file->path = clean_path(new);
            strip_prefixes(s, &s->file->old_path, &s->file->path);
            return;
        }
    }
}

/* A line outside the hunks. */
static void read_outside(struct scan *s)
{
    struct regret_span line = s->line, next = {NULL, 0};
    if (begins(line, "diff --")) {
        begin_file(s);
        if (begins(line, "diff --git ")) {
            git_paths(s, after(line, 11));
        }
        return;
    }
    if (s->in_binary) {
        return;
    }
    const char *past = take_line(&next, s->at, s->end);
    if (begins(line, "--- ") && begins(next, "+++ ")) {
        name_file(s, line, next);
        s->at = past;
    } else if (begins(line, "@@")) {
        begin_hunk(s);
    } else if (read_git_header(s)) {
        return;
    } else if (begins(line, "Binary files ")) {
        plain_binary(s);
    } else if (begins(line, "\\ ")) {
        if (s->can_end_newline) {
            s->patch->lines[s->patch->n_lines - 1].no_newline = 1;
        }
        s->patch->defects += !s->can_end_newline;
    } else if (s->file != NULL && line.length > 0 && memchr(" +-", line.text[0], 3) != NULL &&
               !begins(line, "-- ")) { /* "-- " signs a mail */
        s->patch->defects++;
    }
    s->can_end_newline = 0;
}

static void add_line(struct scan *s, char sign, struct regret_span text)
{
    s->patch->lines[s->patch->n_lines++] = (struct regret_patch_line){text, sign, 0};
    s->hunk->n_lines++;
    s->hunk->added += sign == '+';
    s->hunk->removed += sign == '-';
    s->hunk->context += sign == ' ';
    s->old_left -= sign != '+';
    s->new_left -= sign != '-';
    s->can_end_newline = 1;
}

/* Takes the line as the hunk's next; 0 when it cannot be. */
static int read_inside(struct scan *s)
{
    char sign = s->line.length > 0 ? s->line.text[0] : ' ';
    size_t skip = s->line.length > 0;
    if (sign == '\\' && s->can_end_newline) {
        s->patch->lines[s->patch->n_lines - 1].no_newline = 1;
        s->can_end_newline = 0;
        return 1;
    }
    if ((sign != '+' && sign != '-' && sign != ' ') || (sign != '+' && s->old_left == 0) ||
        (sign != '-' && s->new_left == 0)) {
        return 0;
    }
    add_line(s, sign, after(s->line, skip));
    return 1;
}

static void scan_text(struct scan *s)
{
    while (s->at < s->end) {
        s->at = take_line(&s->line, s->at, s->end);
        if (s->hunk != NULL && s->old_left + s->new_left == 0) {
            s->hunk = NULL;
        }
        if (s->hunk != NULL) {
            if (read_inside(s)) {
                continue;
            }
            s->patch->defects++; /* the hunk is cut short */
            s->hunk = NULL;
            s->can_end_newline = 0;
        }
        read_outside(s);
    }
    /* Trimming a patch takes empty context lines off its end: git apply minds, we do not. */
    int trimmed = s->old_left == s->new_left && s->old_left <= USUAL_CONTEXT;
    s->patch->defects += s->hunk != NULL && s->old_left + s->new_left > 0 && !trimmed;
}

/* What is known of the files once all is read. */
static void sum_up(struct regret_patch *patch)
{
    for (size_t f = 0; f < patch->n_files; f++) {
        struct regret_patch_file *file = &patch->files[f];
        for (size_t h = file->first_hunk; h < file->first_hunk + file->n_hunks; h++) {
            file->added += patch->hunks[h].added;
            file->removed += patch->hunks[h].removed;
            file->context += patch->hunks[h].context;
        }
        file->is_test = (unsigned char)regret_path_is_test(file->path);
        patch->added += file->added;
        patch->removed += file->removed;
        patch->context += file->context;
    }
}

int regret_patch_parse(struct regret_patch **out, const char *text, size_t length)
{
    FREED_BY(regret_patch_free_at) struct regret_patch *patch = NULL;
    TRY(REGRET_NEW(&patch, 1));
    TRY(make_room(patch, text, length));
    struct scan scan = {.patch = patch, .at = text, .end = text + length};
    if (length > 0) {
        scan_text(&scan);
    }
    sum_up(patch);
    *out = patch;
    patch = NULL;
    return REGRET_OK;
}

void regret_patch_free(struct regret_patch *patch)
{
    if (patch == NULL) {
        return;
    }
    regret_free(patch->files);
    regret_free(patch->hunks);
    regret_free(patch->lines);
    regret_free(patch);
}

/* Which paths are tests. */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int patch_paths_begins(struct regret_span s, const char *word)
{
    size_t n = strlen(word), i = 0;
    while (i < n && i < s.length && lower(s.text[i]) == word[i]) {
        i++;
    }
    return i == n;
}

static int is(struct regret_span s, const char *word)
{
    return s.length == strlen(word) && patch_paths_begins(s, word);
}

static int has(struct regret_span s, const char *word)
{
    for (size_t i = 0; i < s.length; i++) {
        if (patch_paths_begins((struct regret_span){s.text + i, s.length - i}, word)) {
            return 1;
        }
    }
    return 0;
}

static int is_one_of(struct regret_span s, const char *const *words, size_t n,
                     int (*test)(struct regret_span, const char *))
{
    for (size_t i = 0; i < n; i++) {
        if (test(s, words[i])) {
            return 1;
        }
    }
    return 0;
}

static int is_test_folder(struct regret_span name)
{
    static const char *const NAMES[] = {"test", "tests", "testing", "__tests__", "spec"};
    return is_one_of(name, NAMES, sizeof NAMES / sizeof *NAMES, is);
}

static int is_test_name(struct regret_span name)
{
    static const char *const STARTS[] = {"test.", "tests.", "test_", "tests_"};
    static const char *const PARTS[] = {"_test.", "_tests.", ".test.", ".spec.", "_spec."};
    return is(name, "conftest.py") ||
           is_one_of(name, STARTS, sizeof STARTS / sizeof *STARTS, patch_paths_begins) ||
           is_one_of(name, PARTS, sizeof PARTS / sizeof *PARTS, has);
}

int regret_path_is_test(struct regret_span path)
{
    size_t start = 0;
    for (size_t i = 0; i < path.length; i++) {
        if (path.text[i] == '/') {
            if (is_test_folder((struct regret_span){path.text + start, i - start})) {
                return 1;
            }
            start = i + 1;
        }
    }
    return is_test_name((struct regret_span){path.text + start, path.length - start});
}

enum { SHORTEST = 3, LONGEST_WORD = 64 };

/* Of Python, C, C++, Java, JavaScript, Go and Rust, in lower case. */
static const char *const KEYWORDS[] = {
    "abstract",  "assert",     "async",   "await",     "auto",     "bool",       "boolean",
    "break",     "case",       "catch",   "char",      "class",    "const",      "continue",
    "def",       "default",    "defer",   "del",       "double",   "elif",       "else",
    "enum",      "except",     "exec",    "export",    "extends",  "extern",     "false",
    "final",     "finally",    "float",   "func",      "function", "global",     "goto",
    "impl",      "implements", "import",  "include",   "inline",   "instanceof", "int",
    "interface", "isinstance", "lambda",  "len",       "let",      "long",       "mut",
    "namespace", "new",        "nil",     "none",      "nonlocal", "null",       "package",
    "pass",      "print",      "private", "protected", "pub",      "public",     "raise",
    "range",     "return",     "self",    "short",     "signed",   "sizeof",     "static",
    "str",       "string",     "struct",  "super",     "switch",   "template",   "this",
    "throw",     "throws",     "trait",   "true",      "try",      "typedef",    "typename",
    "union",     "unsigned",   "using",   "var",       "virtual",  "void",       "volatile",
    "while",     "yield"};

void hash_bag_add(struct hash_bag *bag, uint64_t hash)
{
    if (bag->status == REGRET_OK) {
        bag->status =
            regret_grow((void **)&bag->hash, &bag->capacity, bag->n, sizeof *bag->hash, "words");
    }
    if (bag->status == REGRET_OK) {
        bag->hash[bag->n++] = hash;
    }
}

void hash_bag_unite(struct hash_bag *bag)
{
    size_t kept = 0;
    if (bag->n > 0) {
        qsort(bag->hash, bag->n, sizeof *bag->hash, key_compare);
    }
    for (size_t i = 0; i < bag->n; i++) {
        if (kept == 0 || bag->hash[kept - 1] != bag->hash[i]) {
            bag->hash[kept++] = bag->hash[i];
        }
    }
    bag->n = kept;
}

int hash_bag_has(const struct hash_bag *bag, uint64_t hash)
{
    return bag->n > 0 && bsearch(&hash, bag->hash, bag->n, sizeof hash, key_compare) != NULL;
}

double hash_bag_share(const struct hash_bag *bag, const struct hash_bag *among)
{
    size_t found = 0;
    for (size_t i = 0; i < bag->n; i++) {
        found += (size_t)hash_bag_has(among, bag->hash[i]);
    }
    return bag->n > 0 ? (double)found / (double)bag->n : 0.0;
}

void hash_bag_free(struct hash_bag *bag)
{
    regret_free(bag->hash);
    *bag = (struct hash_bag){NULL, 0, 0, REGRET_OK};
}

static int is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Letters, and all bytes of characters beyond ASCII. */
static int is_letter(char c)
{
    return is_upper(c) || (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80;
}

void visit_identifiers(struct regret_span text, identifier_visitor visit, void *context)
{
    for (size_t i = 0, start; i < text.length;) {
        for (start = i; i < text.length && (is_letter(text.text[i]) || is_digit(text.text[i]) ||
                                            text.text[i] == '_');) {
            i++;
        }
        if (i - start >= SHORTEST && !is_digit(text.text[start])) {
            visit(context, (struct regret_span){text.text + start, i - start});
        }
        i += i == start;
    }
}

/* 1 when a word ends before byte i of the letters at hand: aB, or ABc before B. */
static int changes_case(struct regret_span s, size_t i)
{
    return is_upper(s.text[i]) &&
           (!is_upper(s.text[i - 1]) ||
            (i + 1 < s.length && is_letter(s.text[i + 1]) && !is_upper(s.text[i + 1])));
}

static size_t lower_case(char *to, const char *from, size_t n)
{
    n = n < LONGEST_WORD ? n : LONGEST_WORD;
    for (size_t i = 0; i < n; i++) {
        to[i] = is_upper(from[i]) ? (char)(from[i] - 'A' + 'a') : from[i];
    }
    return n;
}

void visit_words(struct regret_span name, word_visitor visit, void *context)
{
    char word[LONGEST_WORD];
    for (size_t i = 0, start; i < name.length;) {
        for (start = i; i < name.length && is_letter(name.text[i]) &&
                        (i == start || !changes_case(name, i));) {
            i++;
        }
        if (i - start >= SHORTEST) {
            visit(context, word, lower_case(word, name.text + start, i - start));
        }
        i += i == start;
    }
}

int excluded_words(struct hash_bag *out)
{
    struct hash_bag bag = {NULL, 0, 0, REGRET_OK};
    int rc = REGRET_OK;
    TRY(stop_word_hashes(&bag.hash, &bag.n));
    bag.capacity = bag.n;
    for (size_t i = 0; i < sizeof KEYWORDS / sizeof *KEYWORDS; i++) {
        hash_bag_add(&bag, XXH3_64bits(KEYWORDS[i], strlen(KEYWORDS[i])));
    }
    rc = bag.status;
    if (rc != REGRET_OK) {
        hash_bag_free(&bag);
        return rc;
    }
    hash_bag_unite(&bag);
    *out = bag;
    return REGRET_OK;
}

static void sink_word(void *context, const char *word, size_t length)
{
    const struct word_sink *sink = context;
    uint64_t hash = XXH3_64bits(word, length);
    if (!hash_bag_has(sink->excluded, hash)) {
        hash_bag_add(sink->words, hash);
    }
}

static void sink_identifier(void *context, struct regret_span name)
{
    struct word_sink *sink = context;
    if (sink->words != NULL) {
        visit_words(name, sink_word, sink);
    }
    if (sink->identifiers == NULL) {
        return;
    }
    char lower[LONGEST_WORD];
    size_t n = lower_case(lower, name.text, name.length);
    if (name.length > LONGEST_WORD || !hash_bag_has(sink->excluded, XXH3_64bits(lower, n))) {
        hash_bag_add(sink->identifiers, XXH3_64bits(name.text, name.length));
    }
}

void sink_text(const struct word_sink *sink, struct regret_span text)
{
    struct word_sink copy = *sink;
    visit_identifiers(text, sink_identifier, &copy);
}
