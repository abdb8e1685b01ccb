#!/bin/sh
# Builds the tree for arm64 with Debian's cross compiler, against Debian's libraries for arm64, and runs tests under
# qemu-user: as root (debootstrap, and qemu is made known to the kernel). Nothing of the other system is started: its
# packages are unpacked only. A few minutes and 500 MB the first time; the folder is kept and used again.
# Usage: cmake/emulated.sh SUITE [FOLDER] [ctest options]      (SUITE: that of this machine; default build/arm64)
#   MIRROR      where debootstrap fetches from (default: its own)
# Criterion runs every test in a process of its own, which the kernel must know how to start: hence binfmt_misc. A test
# takes several times as long as elsewhere.
set -eu

suite=${1:?usage: cmake/emulated.sh SUITE [FOLDER] [ctest options]}
project=$(cd "$(dirname "$0")/.." && pwd)
folder=${2:-$project/build/arm64}
shift
[ $# -eq 0 ] || shift
triplet=aarch64-linux-gnu
qemu=qemu-aarch64
kernel=/proc/sys/fs/binfmt_misc

[ "$(id -u)" -eq 0 ] || {
    echo "This unpacks another system and tells the kernel of an emulator, which only root can" >&2
    exit 1
}
for program in debootstrap "$triplet-gcc" "$qemu-static"; do
    command -v "$program" >/dev/null || {
        echo "$program is missing: apt-get install debootstrap gcc-$triplet libc6-dev-arm64-cross qemu-user-static" >&2
        exit 1
    }
done

root=$folder/root
libraries=$root/usr/lib/$triplet
if [ ! -e "$folder/complete" ]; then
    rm -rf "$root"
    mkdir -p "$root"
    # shellcheck disable=SC2086 # nothing, or one word
    debootstrap --foreign --arch=arm64 --variant=minbase \
        --include=libc6-dev,libopenblas-pthread-dev,liblapacke-dev,libcjson-dev,libxxhash-dev,libutf8proc-dev,libarchive-dev,zlib1g-dev,libsqlite3-dev,libcriterion-dev \
        "$suite" "$root" ${MIRROR:-}
    for package in "$root"/var/cache/apt/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C "$root"
    done
    for library in libblas.so.3 liblapack.so.3 libopenblas.so libopenblas.so.0; do # what its alternatives would link
        ln -sf "openblas-pthread/$library" "$libraries/$library"
    done
    touch "$folder/complete"
fi

if [ ! -e "$kernel/register" ]; then
    mount -t binfmt_misc binfmt_misc "$kernel"
fi
if [ ! -e "$kernel/$qemu" ]; then
    trap 'echo -1 >"$kernel/$qemu"' EXIT # as it was
    cat "/usr/lib/binfmt.d/$qemu.conf" >"$kernel/register"
fi
export QEMU_LD_PREFIX="$root" OPENBLAS_NUM_THREADS=1
export PKG_CONFIG_LIBDIR="$libraries/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$root"

cmake -S "$project" -B "$folder/build" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DREGRET_BENCHMARKS=OFF \
    -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_C_COMPILER="$triplet-gcc" \
    -DCMAKE_SYSROOT="$root" -DCMAKE_FIND_ROOT_PATH_MODE_PROGRAM=NEVER
cmake --build "$folder/build" --parallel "$(nproc)"
"$folder/build/regret" doctor
if [ $# -eq 0 ]; then
    set -- -R '^(base|text|linalg|world|task-draws|families|proxy|value)$'
fi
cd "$folder/build"
ctest --output-on-failure --timeout 3000 "$@"
