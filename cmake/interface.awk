# A filter for Doxygen: the comments of the public headers, which are plain C, as it wants them.
#   the first of a file        describes the file
#   one before a declaration   describes it: /* ... */ becomes /** ... */
#   one behind a declaration   describes that: /**< ... */
#   a function or macro without one, right below another or a type, points there
#   and one below an unnamed enum or a type that is only declared shares the comment of that
# Lines of a comment that are indented (a format, a table) stay as they are laid out.

function escaped(s)
{
    gsub(/[\\@<>#%&]/, "\\\\&", s)
    while (match(s, /`[^`]+`/)) {
        s = substr(s, 1, RSTART - 1) "<tt>" substr(s, RSTART + 1, RLENGTH - 2) "</tt>" substr(s, RSTART + RLENGTH)
    }
    return s
}

# The comment that is in text[1..n], without its marks.
function put_comment(    i, first, last)
{
    first = n + 1
    for (i = 1; i <= n; i++) {
        if (text[i] ~ /^  /) {
            first = first > n ? i : first
            last = i
        }
    }
    first = first == 2 && last ? 1 : first
    print (begun == 1 ? "/** @file" : "/**")
    for (i = 1; i <= n; i++) {
        if (i == first) {
            print "\\verbatim"
        }
        print (i >= first && i <= last ? text[i] : escaped(text[i]))
        if (i == last) {
            print "\\endverbatim"
        }
    }
    print "*/"
    documented = carried = 1
    begun = 0
}

# The declaration that is in held[1..h], whose last line has its name.
function put_declaration(    i, name)
{
    match(held[h], /regret_[a-z0-9_]+\(/)
    name = substr(held[h], RSTART, RLENGTH - 1)
    if (!documented && carried) {
        put_comment()
    }
    if (documented) {
        told = name "()"
    } else if (told != "") {
        print "/** See " told ". */"
    }
    carried = 0
    documented = 0
    for (i = 1; i <= h; i++) {
        put_code(held[i])
    }
    h = 0
}

# Code, with a comment behind it.
function put_code(s,    at)
{
    at = index(s, "/*")
    if (s ~ /^#(if|else|end)/ || s ~ /clang-format o/) {
        print (at == 1 ? "" : s)
        return
    }
    if (at == 0) {
        print s
        return
    }
    open = index(substr(s, at), "*/") == 0
    print substr(s, 1, at - 1) "/**<" escaped(substr(s, at + 2))
}

function without_marks(s)
{
    sub(/^[ \t]*\/\*+ ?/, "", s)
    sub(/^[ \t]*\*( |$)/, "", s)
    sub(/ *\*\/[ \t]*$/, "", s)
    return s
}

open { # the rest of a comment behind code
    open = index($0, "*/") == 0
    print escaped($0)
    next
}
inside {
    if ($0 !~ /^[ \t]*\*\/$/) {
        text[++n] = without_marks($0)
    }
    if (index($0, "*/")) {
        inside = 0
        put_comment()
    }
    next
}
/^[ \t]*\/\*/ && !/clang-format/ && !/\/\* ---/ && (!index($0, "*/") || /\*\/[ \t]*$/) {
    n = 1
    text[1] = without_marks($0)
    begun = FNR
    if (index($0, "*/")) {
        put_comment()
    } else {
        inside = 1
    }
    next
}
/^REGRET_API/ || h > 0 {
    held[++h] = $0
    if ($0 ~ /regret_[a-z0-9_]+\(/) {
        put_declaration()
    }
    next
}
{
    if ($0 == "") {
        told = ""
        carried = 0
    }
    if ($0 ~ /^(struct|enum|union) [a-z0-9_]+ \{/) {
        told = $1 " " $2
        carried = 0
    }
    if ($0 ~ /^#define/ && !documented && told != "") {
        print "/** See " told ". */"
    }
    if ($0 !~ /^[ \t]/) {
        documented = 0
    }
    put_code($0)
}
