# `cpack` in a folder of the build makes regret-VERSION-SYSTEM-MACHINE.tar.gz, which may be unpacked anywhere, and a .deb
# whose dependencies are those of the libraries it was linked with; `cpack --config CPackSourceConfig.cmake` the sources
# as git has them.
install(FILES LICENSE README.md CHANGELOG.md CITATION.cff DESTINATION "${CMAKE_INSTALL_DOCDIR}")

set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_CONTACT "The regret authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_FILE_NAME "regret-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")

set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON) # dpkg-shlibdeps
set(CPACK_DEBIAN_PACKAGE_DEPENDS libopenblas0-pthread) # the serial build is refused
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "\
Shows which way of combining a confounded log, a small randomized experiment and cached or replayed outputs
recommends language models and agents best, judged by held-out regret; and estimates effects of text attributes on
reward models by rewriting. Program, library, headers, configurations and synthetic pools.")

set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME "regret-${PROJECT_VERSION}")
set(CPACK_SOURCE_IGNORE_FILES "/\\\\.git/" "/build/" "/runs/" "/\\\\.cache/" "~$")
include(CPack)
