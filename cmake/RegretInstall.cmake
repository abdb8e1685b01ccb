# The installed tree may be moved: nothing in it names the prefix it was installed to.
include(CMakePackageConfigHelpers)

set(regret_package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/regret")

# The static library leans on objects and flags of the build, so only the shared one is exported.
install(TARGETS regret_static ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
set_target_properties(regret_shared PROPERTIES EXPORT_NAME regret)
install(TARGETS regret_shared EXPORT regret_targets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT regret_targets NAMESPACE regret:: FILE regretTargets.cmake
  DESTINATION "${regret_package_folder}")
install(TARGETS regret_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY include/regret DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")

# What completes commands asks the program. Man pages are made of its --help; where it cannot be started (a build for
# another machine without an emulator) they are left out.
install(FILES data/completion/regret.bash DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME regret)
install(FILES data/completion/_regret DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
install(FILES data/completion/regret.fish DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
  set(regret_manual "${PROJECT_BINARY_DIR}/man/man1")
  add_custom_command(OUTPUT "${regret_manual}/regret.1"
    COMMAND sh "${PROJECT_SOURCE_DIR}/cmake/man_pages.sh" "${regret_manual}" ${CMAKE_CROSSCOMPILING_EMULATOR}
      "$<TARGET_FILE:regret_cli>"
    DEPENDS regret_cli "${PROJECT_SOURCE_DIR}/cmake/man_pages.sh"
    COMMENT "Man pages" VERBATIM)
  add_custom_target(regret_manual ALL DEPENDS "${regret_manual}/regret.1")
  install(DIRECTORY "${regret_manual}" DESTINATION "${CMAKE_INSTALL_MANDIR}")
endif()

# What `regret run main` and `regret pool show newswire` find (src/cli/internal.h): as they lie in the source, since a
# configuration names its pool from its own folder. The other data of the tree serve tests.
install(DIRECTORY configs DESTINATION "${CMAKE_INSTALL_DATADIR}/regret")
foreach(pool newswire newswire-fitted patches)
  install(DIRECTORY "data/pools/${pool}" DESTINATION "${CMAKE_INSTALL_DATADIR}/regret/data/pools")
endforeach()

# From the folder of regret.pc up to the prefix; an absolute CMAKE_INSTALL_LIBDIR has no way up.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(regret_pc_prefix "${CMAKE_INSTALL_PREFIX}")
else()
  file(RELATIVE_PATH regret_pc_up "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
  string(REGEX REPLACE "/$" "" regret_pc_up "${regret_pc_up}")
  set(regret_pc_prefix "\${pcfiledir}/${regret_pc_up}")
endif()
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_LIBDIR BASE_DIRECTORY "\${prefix}"
  OUTPUT_VARIABLE regret_pc_libdir)
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_INCLUDEDIR BASE_DIRECTORY "\${prefix}"
  OUTPUT_VARIABLE regret_pc_includedir)
configure_file(cmake/regret.pc.in regret.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/regret.pc"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

configure_package_config_file(cmake/regretConfig.cmake.in regretConfig.cmake
  INSTALL_DESTINATION "${regret_package_folder}")
write_basic_package_version_file(regretConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/regretConfig.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/regretConfigVersion.cmake"
  DESTINATION "${regret_package_folder}")
