#!/bin/sh
# Builds what is committed, and runs the tests, on another release of Debian, in a folder of its own: as root, with
# debootstrap. It takes about half an hour and 2 GB the first time; the folder is kept and used again.
# Usage: cmake/elsewhere.sh SUITE [FOLDER] [ctest options]      (default build/debian-SUITE)
#   CC          the compiler's package and program there (default gcc; clang too)
#   MIRROR      where debootstrap fetches from (default: its own)
set -eu

suite=${1:?usage: cmake/elsewhere.sh SUITE [FOLDER] [ctest options]}
project=$(cd "$(dirname "$0")/.." && pwd)
folder=${2:-$project/build/debian-$suite}
shift
[ $# -eq 0 ] || shift
compiler=${CC:-gcc}

[ "$(id -u)" -eq 0 ] || {
    echo "This makes a root folder of another system, which only root can" >&2
    exit 1
}
command -v debootstrap >/dev/null || {
    echo "debootstrap is missing: apt-get install debootstrap" >&2
    exit 1
}
if [ ! -e "$folder/complete" ]; then
    rm -rf "$folder"
    mkdir -p "$folder"
    # shellcheck disable=SC2086 # nothing, or one word
    debootstrap --variant=minbase "$suite" "$folder" ${MIRROR:-}
    touch "$folder/complete"
fi
cp /etc/resolv.conf "$folder/etc/resolv.conf"
# Tests ask how many processors there are and want a terminal: no more of the machine is shown.
unmount() {
    umount "$folder/dev/pts" "$folder/proc" 2>/dev/null || true
}
trap unmount EXIT
mount -t proc proc "$folder/proc"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$folder/dev/pts"
rm -rf "$folder/regret/src"
mkdir -p "$folder/regret/src"
git -C "$project" archive HEAD | tar -x -C "$folder/regret/src"
chroot "$folder" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 CC="$compiler" \
    DEBIAN_FRONTEND=noninteractive sh -eu -c '
        apt-get update -q
        apt-get install -q -y --no-install-recommends "$CC" git
        cd /regret/src
        cat /etc/debian_version
        "$CC" --version | head -n 1
        sh cmake/prepare.sh dev python3-numpy python3-pandas python3-scipy python3-sklearn valgrind patch
        build/dev/regret doctor
        ctest --preset dev --parallel "$(nproc)" "$@"' sh "$@"
