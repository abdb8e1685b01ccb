# The documentation of the interface, made of the headers' comments: cmake --build FOLDER --target docs
find_program(REGRET_DOXYGEN NAMES doxygen)
configure_file("${CMAKE_CURRENT_LIST_DIR}/Doxyfile.in" "${PROJECT_BINARY_DIR}/docs/Doxyfile" @ONLY)
if(REGRET_DOXYGEN)
  add_custom_target(docs
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/docs/interface"
    COMMAND "${REGRET_DOXYGEN}" "${PROJECT_BINARY_DIR}/docs/Doxyfile"
    COMMENT "Documentation of the interface: docs/interface/index.html"
    VERBATIM)
endif()
