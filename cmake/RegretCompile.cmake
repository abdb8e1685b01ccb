# One interface target carries the flags of every object of this project.
add_library(regret_flags INTERFACE)
target_compile_options(regret_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes
  -Wvla -Wformat=2 -Wpointer-arith -Wwrite-strings -Wundef
  # A contracted multiply-add rounds once instead of twice: results would depend on the compiler.
  -ffp-contract=off)
target_compile_definitions(regret_flags INTERFACE _POSIX_C_SOURCE=200809L)
if(REGRET_WERROR)
  target_compile_options(regret_flags INTERFACE -Werror)
endif()
if(REGRET_SANITIZE)
  target_compile_options(regret_flags INTERFACE
    -fsanitize=${REGRET_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(regret_flags INTERFACE -fsanitize=${REGRET_SANITIZE})
endif()
if(REGRET_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "REGRET_FUZZ needs clang, whose libFuzzer it is, but the compiler is "
      "${CMAKE_C_COMPILER_ID}. Use the preset: cmake --preset fuzz")
  endif()
  if(REGRET_SANITIZE)
    message(FATAL_ERROR "REGRET_FUZZ brings its own sanitizers; leave REGRET_SANITIZE empty")
  endif()
  # Programs get libFuzzer's main by -fsanitize=fuzzer (tests/fuzz/CMakeLists.txt). Comparisons are not
  # traced, which takes a third of the time; the dictionaries hold the words that inputs are compared with.
  target_compile_options(regret_flags INTERFACE -fsanitize=fuzzer-no-link,address,undefined
    -fno-sanitize-coverage=trace-cmp -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(regret_flags INTERFACE -fsanitize=address,undefined)
endif()
if(REGRET_COVERAGE)
  # Only src is counted (src/CMakeLists.txt): tests are compiled with -pthread, by which gcc counts atomically, and their
  # naive references would take ten times as long. Whatever is linked wants the run-time library.
  target_link_options(regret_flags INTERFACE --coverage)
  # Branches of checks are counted, too: a quarter of the time. What the address sanitizer sees where memory is touched is
  # left to it, and pointers that wrap around to the preset asan.
  target_compile_options(regret_flags INTERFACE -fno-sanitize=null,object-size,pointer-overflow)
endif()
