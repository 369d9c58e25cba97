# Installs headers, library, the CMake package (find_package(axode)) and axode.pc for pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/axode)

install(DIRECTORY axode ${PROJECT_BINARY_DIR}/include/axode
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp" PATTERN "*.inl"
        PATTERN "scene_parts.hpp" EXCLUDE)  # ours: it needs nlohmann_json
install(TARGETS axode EXPORT axodeTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT axodeTargets NAMESPACE axode:: DESTINATION ${package_dir})

configure_file(cmake/axode-config.cmake.in axode-config.cmake @ONLY)
write_basic_package_version_file(axode-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/axode-config.cmake
              ${PROJECT_BINARY_DIR}/axode-config-version.cmake DESTINATION ${package_dir})

# The prefix is found from where the file lies, so that an installed tree may be moved.
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
if(NOT BUILD_SHARED_LIBS)
  list(TRANSFORM axode_libraries PREPEND -l OUTPUT_VARIABLE flags)
  list(TRANSFORM flags REPLACE "^-l/" /)  # by its full name
  list(TRANSFORM flags PREPEND " ")
  list(JOIN flags "" pc_libraries)
  string(PREPEND pc_libraries " -lpugixml")
endif()
configure_file(cmake/axode.pc.in axode.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/axode.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
