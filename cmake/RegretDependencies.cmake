# Every third-party library the suite links, each as one imported target.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

pkg_check_modules(CJSON REQUIRED IMPORTED_TARGET libcjson)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)
pkg_check_modules(ARCHIVE REQUIRED IMPORTED_TARGET libarchive)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3>=3.40)

# The pthread build of OpenBLAS by name: the generic libblas.so may be any implementation, and the
# serial OpenBLAS gives wrong answers when two threads call it.
find_library(REGRET_OPENBLAS NAMES openblas
  PATH_SUFFIXES openblas-pthread REQUIRED)
find_path(REGRET_OPENBLAS_INCLUDE NAMES cblas.h
  PATH_SUFFIXES openblas-pthread openblas REQUIRED)
find_library(REGRET_LAPACKE NAMES lapacke REQUIRED)
find_path(REGRET_LAPACKE_INCLUDE NAMES lapacke.h REQUIRED)

add_library(regret_blas INTERFACE)
target_include_directories(regret_blas SYSTEM INTERFACE
  "${REGRET_OPENBLAS_INCLUDE}" "${REGRET_LAPACKE_INCLUDE}")
target_link_libraries(regret_blas INTERFACE "${REGRET_LAPACKE}" "${REGRET_OPENBLAS}")
