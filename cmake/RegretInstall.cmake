include(CMakePackageConfigHelpers)

install(TARGETS regret_static regret_shared
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS regret_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/regret DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

configure_file(cmake/regret.pc.in regret.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/regret.pc"
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

configure_package_config_file(cmake/RegretConfig.cmake.in RegretConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Regret)
write_basic_package_version_file(RegretConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/RegretConfig.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/RegretConfigVersion.cmake"
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Regret)
