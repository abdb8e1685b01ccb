# `cmake --build DIR --target tidy`: clang-tidy with .clang-tidy over the library and the program.
# Not a test: it takes minutes.
find_program(REGRET_CLANG_TIDY NAMES clang-tidy-14 clang-tidy)
find_program(REGRET_RUN_CLANG_TIDY NAMES run-clang-tidy-14 run-clang-tidy)
mark_as_advanced(REGRET_CLANG_TIDY REGRET_RUN_CLANG_TIDY)
if(REGRET_CLANG_TIDY AND CMAKE_EXPORT_COMPILE_COMMANDS)
  file(GLOB_RECURSE regret_tidy_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*.c")
  set(regret_tidy "${REGRET_CLANG_TIDY}" --quiet -p "${PROJECT_BINARY_DIR}" ${regret_tidy_files})
  if(REGRET_RUN_CLANG_TIDY) # the same on every processor
    set(regret_tidy "${REGRET_RUN_CLANG_TIDY}" -quiet -clang-tidy-binary "${REGRET_CLANG_TIDY}"
      -p "${PROJECT_BINARY_DIR}" "^${PROJECT_SOURCE_DIR}/src/")
  endif()
  add_custom_target(tidy
    COMMAND ${regret_tidy}
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    COMMENT "clang-tidy"
    VERBATIM)
endif()
