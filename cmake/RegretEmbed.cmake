# regret_embed(OUT HEADER TYPE NAME FILES [HASHED]): makes OUT, a C file in the current binary folder that
# holds the texts of FILES, named from the project's folder, as the table NAME of struct TYPE, which
# HEADER declares; HASHED: with the SHA-256 of each text, too (embed.cmake).
function(regret_embed out header type name files)
  list(TRANSFORM files PREPEND "${PROJECT_SOURCE_DIR}/" OUTPUT_VARIABLE paths)
  string(REPLACE ";" "\n" list "${files}")
  set(hashed OFF)
  if("HASHED" IN_LIST ARGN)
    set(hashed ON)
  endif()
  file(CONFIGURE OUTPUT "${name}.list" CONTENT "${list}\n" @ONLY) # rewritten only when it changes
  add_custom_command(OUTPUT "${out}"
    COMMAND "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}"
      "-DLIST=${CMAKE_CURRENT_BINARY_DIR}/${name}.list" "-DHEADER=${header}" "-DTYPE=${type}"
      "-DNAME=${name}" "-DHASHED=${hashed}" "-DOUT=${CMAKE_CURRENT_BINARY_DIR}/${out}"
      -P "${PROJECT_SOURCE_DIR}/cmake/embed.cmake"
    DEPENDS ${paths} "${CMAKE_CURRENT_BINARY_DIR}/${name}.list"
      "${PROJECT_SOURCE_DIR}/cmake/embed.cmake"
    COMMENT "Embedding ${name}" VERBATIM)
endfunction()
