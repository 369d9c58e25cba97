# The command `axode`: one source file per subcommand in cli/, tested through its own interface.
option(AXODE_CLI "Build the command axode (needs CLI11 and cairo)" ${PROJECT_IS_TOP_LEVEL})
if(NOT AXODE_CLI)
  return()
endif()
include(GNUInstallDirs)
find_package(CLI11 REQUIRED)
find_package(Threads REQUIRED)
axode_header(AXODE_BEAST boost/beast.hpp libboost-dev)  # the server of --live; headers only
axode_header(AXODE_CAIRO_INCLUDE cairo.h libcairo2-dev cairo)
axode_library(AXODE_CAIRO cairo libcairo.so.2)

file(GLOB_RECURSE files CONFIGURE_DEPENDS cli/*.cpp)
add_executable(axode_cli ${files})
# Installed beside a shared library it finds that from where it lies.
file(RELATIVE_PATH libraries_from_bin /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
set_target_properties(axode_cli PROPERTIES OUTPUT_NAME axode
                      INSTALL_RPATH $ORIGIN/${libraries_from_bin})
target_link_libraries(axode_cli PRIVATE axode::axode CLI11::CLI11 fmt::fmt
                      Threads::Threads ${AXODE_CAIRO})
target_include_directories(axode_cli SYSTEM PRIVATE ${AXODE_BEAST} ${AXODE_CAIRO_INCLUDE})
axode_own(axode_cli)
# Large headers and no hot loops: what counts here is the time to compile. CLI11 is the largest of them:
# sources that see it are compiled together.
list(FILTER files EXCLUDE REGEX "live_server")  # Boost.Beast: by itself
foreach(file ${files})
  file(STRINGS ${file} sees_cli11 REGEX "CLI/CLI.hpp|cli/arguments/(option_effects|kind_options).hpp|cli/output/live/live.hpp|cli/commands/help/option_tree.hpp")
  if(sees_cli11)
    list(APPEND with_options ${file})
  else()
    list(APPEND without_options ${file})
  endif()
endforeach()
axode_together(axode_cli 11 ${with_options})
axode_together(axode_cli 18 ${without_options})
target_compile_options(axode_cli PRIVATE $<$<CONFIG:Release>:-O1> $<$<CONFIG:RelWithDebInfo>:-O0>)
install(TARGETS axode_cli DESTINATION ${CMAKE_INSTALL_BINDIR})

# The manual page and the completions of shells, printed by the command itself.
set(axode_help ${PROJECT_BINARY_DIR}/help)
file(MAKE_DIRECTORY ${axode_help})
add_custom_command(TARGET axode_cli POST_BUILD
  COMMAND axode_cli man > ${axode_help}/axode.1
  COMMAND axode_cli completion bash > ${axode_help}/axode
  COMMAND axode_cli completion zsh > ${axode_help}/_axode
  COMMAND axode_cli completion fish > ${axode_help}/axode.fish)
install(FILES ${axode_help}/axode.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${axode_help}/axode DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${axode_help}/_axode DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${axode_help}/axode.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
