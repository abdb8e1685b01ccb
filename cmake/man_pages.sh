#!/bin/sh
# man_pages.sh FOLDER PROGRAM...: writes regret.1 and regret-COMMAND.1 into FOLDER, of what --help says. Needs sh and awk.
set -eu
folder=$1
shift
export LC_ALL=C.UTF-8
version=$("$@" --version)

page() { # NAME SUMMARY; the help of a command, and of those below it, on standard input
    awk -v name="$1" -v summary="$2" -v version="$version" '
        function roff(text) { # quotes, dashes and backslashes by name, no line that begins a request
            gsub(/\\/, "\\(rs", text); gsub(/-/, "\\-", text); gsub(/\047/, "\\(aq", text); gsub(/`/, "\\(ga", text)
            gsub(/\^/, "\\(ha", text); gsub(/~/, "\\(ti", text); gsub(/"/, "\\(dq", text)
            return (text ~ /^[.]/ ? "\\&" : "") text
        }
        function raw(on) {
            if (on != is_raw) print on ? ".nf" : ".fi"
            is_raw = on
        }
        BEGIN { print ".TH " toupper(roff(name)) " 1 \"\" \"" version "\"\n.SH NAME\n" roff(name) " \\- " roff(summary) }
        /^Usage: / {
            raw(0); command = line = substr($0, 8)
            sub(/ [^a-z].*/, "", command)
            print (n++ ? ".SH \"" toupper(roff(command)) "\"" : ".SH SYNOPSIS") "\n.B " roff(line)
            part = ""; next
        }
        /^(Options|Examples|Commands|Keys|Exit codes):$/ {
            raw(0); blank = 0; part = substr($0, 1, length($0) - 1)
            print ".SS " part; next
        }
        /^$/ { blank = 1; next }
        part == "Options" && match($0, /^ +(-., )?--[a-z-]+( [^ ]*[A-Z|][^ ]*)? +/) {
            two = index(substr($0, 7), "  ") # the value may have blanks, where two stand behind it
            at = two ? two + 6 : RLENGTH
            left = substr($0, 1, at - 1); right = substr($0, at)
            sub(/^ +/, "", left); sub(/^ +/, "", right)
            print ".TP\n.B " roff(left) "\n" roff(right); next
        }
        { # words are filled; what is set in columns stays as it is
            raw($0 ~ /^ /)
            if (blank && !is_raw) print ".PP"
            blank = 0; print roff($0)
        }
        END { raw(0) }' >"$folder/$1.1"
}

rm -rf "$folder"
mkdir -p "$folder"
"$@" --help | sed -n 's/^  \([a-z]*\)  *\(.*\)/\1 \2/p' | while read -r command summary; do
    {
        "$@" "$command" --help
        [ "$command" != config ] || { echo "Keys:" && "$@" config | sed 's/^/  /'; }
        "$@" "$command" --help | sed -n "s/^  $command \([a-z0-9-]*\)  .*/\1/p" | while read -r below; do
            "$@" "$command" "$below" --help
        done
    } | page "regret-$command" "$summary"
done
{
    "$@" --help | sed 1,2d
    printf 'Exit codes:\n  0  fine\n  1  the run failed, or its output could not be written\n'
    printf '  2  wrong usage or bad input\n  3  of recommend: nothing can be told\n'
} | page regret "which way of combining logs, experiments and replayed outputs recommends best"
