# The command `axode`: one source file per subcommand in cli/, tested through its own interface.
option(AXODE_CLI "Build the command axode (needs CLI11 and cairo)" ${PROJECT_IS_TOP_LEVEL})
if(NOT AXODE_CLI)
  return()
endif()
include(GNUInstallDirs)
find_package(CLI11 REQUIRED)
find_package(Threads REQUIRED)
find_path(AXODE_BEAST boost/beast.hpp REQUIRED)  # the server of --live; headers only
find_package(PkgConfig REQUIRED)
pkg_check_modules(cairo REQUIRED IMPORTED_TARGET cairo)

file(GLOB files CONFIGURE_DEPENDS cli/*.cpp)
add_executable(axode_cli ${files})
# Installed beside a shared library it finds that from where it lies.
file(RELATIVE_PATH libraries_from_bin /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
set_target_properties(axode_cli PROPERTIES OUTPUT_NAME axode
                      INSTALL_RPATH $ORIGIN/${libraries_from_bin})
target_link_libraries(axode_cli PRIVATE axode::axode CLI11::CLI11 fmt::fmt
                      Threads::Threads PkgConfig::cairo)
target_include_directories(axode_cli SYSTEM PRIVATE ${AXODE_BEAST})
set_source_files_properties(cli/live_server.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
axode_own(axode_cli)
# Large headers and no hot loops: what counts here is the time to compile.
if(AXODE_QUICK)
  axode_together(axode_cli 50)
else()
  axode_together(axode_cli 11)
  target_compile_options(axode_cli PRIVATE $<$<CONFIG:Release>:-O1> $<$<CONFIG:RelWithDebInfo>:-O0>)
endif()
install(TARGETS axode_cli DESTINATION ${CMAKE_INSTALL_BINDIR})

if(AXODE_TESTS)
  enable_testing()
  file(GLOB tests CONFIGURE_DEPENDS tests/cli/*_test.py)
  foreach(test ${tests})
    get_filename_component(name ${test} NAME_WE)
    string(REPLACE _test "" name ${name})
    add_test(NAME cli_${name} COMMAND python3 ${test} $<TARGET_FILE:axode_cli>)
  endforeach()
  add_test(NAME docs_pages COMMAND python3 ${PROJECT_SOURCE_DIR}/tests/docs/pages_test.py
                                   $<TARGET_FILE:axode_cli>)
endif()
