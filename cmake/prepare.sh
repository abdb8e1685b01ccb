#!/bin/sh
# Installs what the build needs where it is missing, then builds one preset.
# Usage: cmake/prepare.sh PRESET [PACKAGE...]
# The packages named are for tests alone: they are installed where that needs no password, and done
# without where they cannot be had.
set -eu

preset=${1:?usage: cmake/prepare.sh PRESET [PACKAGE...]}
shift
extras=$*
cd "$(dirname "$0")/.."

packages="gcc make cmake pkg-config libc6-dev libopenblas-pthread-dev liblapacke-dev libcjson-dev \
libxxhash-dev libutf8proc-dev libarchive-dev zlib1g-dev libsqlite3-dev libcriterion-dev"

missing() {
    for package in $1; do
        case $(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true) in
        *" installed") ;;
        *) printf '%s ' "$package" ;;
        esac
    done
}

# pkg-config and pkgconf provide the same program; gcc and cmake may come from elsewhere.
provided() {
    for package in $1; do
        case $package in
        gcc | make | cmake | pkg-config) command -v "$package" >/dev/null 2>&1 && continue ;;
        esac
        printf '%s ' "$package"
    done
}

install_packages() {
    if [ "$(id -u)" -eq 0 ]; then
        run=
    elif command -v sudo >/dev/null 2>&1; then
        run=sudo
    else
        echo "These packages are missing, and there is neither root nor sudo to install them:" >&2
        echo "  $1" >&2
        echo "Ask an administrator for: apt-get install $1" >&2
        exit 1
    fi
    echo "Installing: $1" >&2
    $run apt-get update -q >&2
    # shellcheck disable=SC2086 # a list of words
    $run env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $1 >&2
}

install_extras() {
    if [ "$(id -u)" -ne 0 ] && ! sudo -n true >/dev/null 2>&1; then
        echo "Some tests are skipped without: $1" >&2
        return 0
    fi
    (install_packages "$1") || echo "Could not be had, some tests are skipped: $1" >&2
}

if command -v dpkg-query >/dev/null 2>&1 && command -v apt-get >/dev/null 2>&1; then
    wanted=$(provided "$(missing "$packages")")
    if [ -n "$wanted" ]; then
        install_packages "$wanted"
    fi
    wanted=$(missing "$extras")
    if [ -n "$wanted" ]; then
        install_extras "$wanted"
    fi
else
    echo "Not a Debian system: install these, or what they are called here, if the build fails:" >&2
    echo "  $packages" >&2
fi

jobs=$(nproc 2>/dev/null || echo 2)
log=build/$preset/configure.log
mkdir -p "build/$preset"
if ! cmake --preset "$preset" >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
cmake --build "build/$preset" --parallel "$jobs" >"build/$preset/build.log" 2>&1 || {
    cat "build/$preset/build.log" >&2
    exit 1
}
