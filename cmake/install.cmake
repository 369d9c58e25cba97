# Installs headers, library, the CMake package (find_package(axode)) and axode.pc for pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/axode)

# The public headers, and of the private ones (detail/) those that they include.
file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS axode/*.hpp)
list(FILTER headers EXCLUDE REGEX "/detail/")
set(unread ${headers})
while(unread)
  list(POP_FRONT unread header)
  file(STRINGS ${header} includes REGEX "^#include \"axode/.*/detail/")
  list(TRANSFORM includes REPLACE "^#include \"(.*)\".*" "\\1")
  list(REMOVE_ITEM includes ${headers} "")
  list(APPEND headers ${includes})
  list(APPEND unread ${includes})
endwhile()
foreach(header ${headers})
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
endforeach()
install(DIRECTORY ${PROJECT_BINARY_DIR}/include/axode DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
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
