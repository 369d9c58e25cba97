# Tests: gtest per module, examples, and (in release only) checks of what is built and installed.
include(GoogleTest)
find_package(GTest REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(nlohmann_json REQUIRED)

# Most of the time of a test is that to compile it: little optimisation, sanitized none. Those of lie
# and screw run on 100,000 cases in code of headers, which they compile themselves.
function(axode_test_options target)
  axode_own(${target})
  axode_together(${target} 8)
  # As those of the precompiled header must be; the compiler's default will do.
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  if(NOT target MATCHES "^test_(lie|screw)$")
    target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O0>)
  endif()
endfunction()

# What all tests share: helpers, and the large headers precompiled.
file(GLOB files CONFIGURE_DEPENDS tests/support/*.cpp)
add_library(axode_test_support STATIC ${files})
target_link_libraries(axode_test_support PUBLIC
  axode::axode GTest::gtest_main Eigen3::Eigen nlohmann_json::nlohmann_json
  $<$<CXX_COMPILER_ID:GNU>:quadmath>)
target_compile_definitions(axode_test_support PUBLIC
  AXODE_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data")
target_precompile_headers(axode_test_support PRIVATE
  <gtest/gtest.h> <nlohmann/json.hpp> <Eigen/Core> <Eigen/Geometry>)
# Eigen's decompositions are references, not under test, and slow to compile with sanitizers.
set_source_files_properties(tests/support/dense.cpp PROPERTIES
  COMPILE_OPTIONS "-fno-sanitize=undefined;$<$<CONFIG:RelWithDebInfo>:-O1>"
  SKIP_PRECOMPILE_HEADERS ON)
set_source_files_properties(tests/support/allocations.cpp PROPERTIES  # replaces operator new
  SKIP_UNITY_BUILD_INCLUSION ON)
axode_test_options(axode_test_support)

# tests/<module>/*_test.cpp becomes the executable test_<module>.
file(GLOB modules RELATIVE ${PROJECT_SOURCE_DIR}/tests CONFIGURE_DEPENDS tests/*)
foreach(module ${modules})
  file(GLOB files CONFIGURE_DEPENDS tests/${module}/*_test.cpp)
  if(files)
    add_executable(test_${module})
    target_link_libraries(test_${module} PRIVATE axode_test_support)
    if(NOT (module MATCHES "^(lie|screw)$" AND CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo"))
      target_precompile_headers(test_${module} REUSE_FROM axode_test_support)
    endif()
    axode_test_options(test_${module})
    axode_sources(test_${module} ${files})
    gtest_discover_tests(test_${module} TEST_PREFIX ${module}. DISCOVERY_MODE PRE_TEST
                         DISCOVERY_TIMEOUT 60)
  endif()
endforeach()

# examples/<name>.cpp and examples/tutorials/<name>.cpp become example_<name>; it must exit with 0 and print
# <name>.expected beside it, if any, when run in the root of the project.
file(GLOB examples CONFIGURE_DEPENDS examples/*.cpp examples/tutorials/*.cpp)
foreach(file ${examples})
  cmake_path(GET file STEM name)
  add_executable(example_${name} ${file})
  target_link_libraries(example_${name} PRIVATE axode::axode)
  axode_own(example_${name})
  cmake_path(REPLACE_EXTENSION file expected OUTPUT_VARIABLE expected)
  if(EXISTS ${expected})
    add_test(NAME example.${name} COMMAND
      bash -c "set -o pipefail; \"$0\" | diff \"$1\" -" $<TARGET_FILE:example_${name}> ${expected})
  else()
    add_test(NAME example.${name} COMMAND example_${name})
  endif()
  set_tests_properties(example.${name} PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endforeach()

if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
  return()
endif()

# All headers in one source, so that each is compiled, and seen by clang-tidy, without its users.
file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS axode/*.hpp)
list(TRANSFORM headers REPLACE "(.+)" "#include \"\\1\"")
list(JOIN headers "\n" includes)
file(CONFIGURE OUTPUT all_headers.cpp CONTENT "${includes}\n")
add_library(all_headers OBJECT ${PROJECT_BINARY_DIR}/all_headers.cpp)
target_link_libraries(all_headers PRIVATE Eigen3::Eigen)
axode_own(all_headers)

# Each tests/compile_fail/*.cpp must not compile, for the reason it states.
file(GLOB files CONFIGURE_DEPENDS tests/compile_fail/*.cpp)
foreach(file ${files})
  cmake_path(GET file STEM name)
  add_test(NAME compile_fail.${name} COMMAND
    ${PROJECT_SOURCE_DIR}/scripts/check_compile_fail ${file} ${CMAKE_CXX_COMPILER} -std=c++20
    -I${PROJECT_SOURCE_DIR} -I${PROJECT_BINARY_DIR}/include)
endforeach()

# Code for wide instruction sets must not leak into programs that run on lesser processors.
if(TARGET axode_lanes2)
  list(TRANSFORM axode_lanes REPLACE "(.+)" "$<TARGET_OBJECTS:axode_lanes\\1>"
       OUTPUT_VARIABLE objects)
  add_test(NAME lanes_symbols COMMAND ${PROJECT_SOURCE_DIR}/scripts/check_lanes_symbols ${objects}
           COMMAND_EXPAND_LISTS)
endif()

add_test(NAME install_and_use COMMAND
  ${PROJECT_SOURCE_DIR}/scripts/check_install ${PROJECT_BINARY_DIR} ${CMAKE_CXX_COMPILER})

# Runs, read by what others use; skipped where that cannot be fetched.
if(TARGET axode_cli)
  add_test(NAME run_readers COMMAND ${PROJECT_SOURCE_DIR}/scripts/test_readers
           $<TARGET_FILE:axode_cli>)
  set_tests_properties(run_readers PROPERTIES SKIP_RETURN_CODE 77)
endif()

file(GLOB files CONFIGURE_DEPENDS tests/scripts/*_test.py)
foreach(file ${files})
  cmake_path(GET file STEM name)
  add_test(NAME scripts.${name} COMMAND python3 ${file})
endforeach()
