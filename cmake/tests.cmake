# Tests: gtest per module, examples, and checks of what is built and installed; most of it twice, the second
# time with the sanitized library and command, as "sanitized.<name>" (test preset sanitized).
include(GoogleTest)
find_package(GTest REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(nlohmann_json REQUIRED)
include(cmake/sanitized.cmake)

# Most of the time of a test is that to compile it: little optimisation.
function(axode_test_options target)
  axode_own(${target})
  axode_together(${target} 8 ${ARGN})
  # As those of the precompiled header must be; the compiler's default will do.
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${target} PRIVATE -O1)
endfunction()

# What all tests link and see.
add_library(axode_test_needs INTERFACE)
target_link_libraries(axode_test_needs INTERFACE
  GTest::gtest_main Eigen3::Eigen nlohmann_json::nlohmann_json $<$<CXX_COMPILER_ID:GNU>:quadmath>)
target_include_directories(axode_test_needs SYSTEM INTERFACE ${AXODE_SUNDIALS_INCLUDE})
target_compile_definitions(axode_test_needs INTERFACE AXODE_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data")
set(large_headers <gtest/gtest.h> <nlohmann/json.hpp> <Eigen/Core> <Eigen/Geometry>)

# Helpers of the tests, compiled once for both libraries, and the large headers, precompiled.
file(GLOB_RECURSE files CONFIGURE_DEPENDS tests/support/*.cpp)
add_library(axode_test_support OBJECT ${files})
target_link_libraries(axode_test_support PRIVATE axode_test_needs)
target_precompile_headers(axode_test_support PRIVATE ${large_headers})
# Eigen's decompositions are references, slow to compile; the other replaces operator new.
set_source_files_properties(tests/support/dense.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
list(FILTER files EXCLUDE REGEX "/(dense|allocations)\\.cpp$")
axode_test_options(axode_test_support ${files})

# axode_discover(target prefix properties...): its cases become tests of ctest.
function(axode_discover target prefix)
  gtest_discover_tests(${target} TEST_PREFIX ${prefix} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                       PROPERTIES ${ARGN})
endfunction()
set(sanitized_environment
    "ASAN_OPTIONS=print_legend=0;LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/leaks.txt:print_suppressions=0;UBSAN_OPTIONS=print_stacktrace=1")
# axode_sanitized_test(name): marks a test as one of the sanitized program.
function(axode_sanitized_test name)
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${sanitized_environment}")
endfunction()

# tests/<module>/**/*_test.cpp becomes the executables test_<module> and test_<module>_sanitized. Both have the
# same objects, unless the code under test is in headers: that is compiled with sanitizers, too.
set(header_modules core lie linalg screw model integrate)
file(GLOB modules RELATIVE ${PROJECT_SOURCE_DIR}/tests CONFIGURE_DEPENDS tests/*)
foreach(module ${modules})
  file(GLOB_RECURSE files CONFIGURE_DEPENDS tests/${module}/*_test.cpp)
  if(NOT files)
    continue()
  endif()
  set(of_headers)
  set(of_library)
  foreach(file ${files})
    file(STRINGS ${file} sees_templates REGEX "#include \"axode/.*any_scalar/")
    if(module IN_LIST header_modules OR sees_templates OR file MATCHES "_lanes_test")
      list(APPEND of_headers ${file})
    else()
      list(APPEND of_library ${file})
    endif()
  endforeach()

  set(objects $<TARGET_OBJECTS:axode_test_support>)
  if(of_library)
    add_library(test_${module}_objects OBJECT ${of_library})
    target_link_libraries(test_${module}_objects PRIVATE axode_test_needs)
    target_precompile_headers(test_${module}_objects REUSE_FROM axode_test_support)
    axode_test_options(test_${module}_objects ${of_library})
    list(APPEND objects $<TARGET_OBJECTS:test_${module}_objects>)
  endif()

  add_executable(test_${module} ${objects})
  target_link_libraries(test_${module} PRIVATE axode::axode axode_test_needs)
  target_precompile_headers(test_${module} REUSE_FROM axode_test_support)
  axode_test_options(test_${module} ${of_headers})
  axode_sources(test_${module} ${of_headers})
  axode_discover(test_${module} ${module}.)

  add_executable(test_${module}_sanitized EXCLUDE_FROM_ALL ${objects})
  target_link_libraries(test_${module}_sanitized PRIVATE axode_sanitized axode_test_needs axode_sanitizers
                        ${axode_libraries})  # some tests call them
  axode_test_options(test_${module}_sanitized ${of_headers})
  axode_sources(test_${module}_sanitized ${of_headers})
  axode_discover(test_${module}_sanitized sanitized.${module}.
                 ENVIRONMENT "${sanitized_environment}")
  add_dependencies(sanitized test_${module}_sanitized)
endforeach()

# examples/<name>.cpp and examples/tutorials/<name>.cpp become example_<name>; it must exit with 0 and print
# <name>.expected beside it, if any, when run in the root of the project.
file(GLOB examples CONFIGURE_DEPENDS examples/*.cpp examples/tutorials/*.cpp)
foreach(file ${examples})
  cmake_path(GET file STEM name)
  cmake_path(REPLACE_EXTENSION file expected OUTPUT_VARIABLE expected)
  add_executable(example_${name} ${file})
  target_link_libraries(example_${name} PRIVATE axode::axode)
  axode_own(example_${name})
  target_compile_options(example_${name} PRIVATE -O1)
  add_executable(example_${name}_sanitized EXCLUDE_FROM_ALL $<TARGET_OBJECTS:example_${name}>)
  target_link_libraries(example_${name}_sanitized PRIVATE axode_sanitized axode_sanitizers)
  set_target_properties(example_${name}_sanitized PROPERTIES LINKER_LANGUAGE CXX)
  add_dependencies(sanitized example_${name}_sanitized)
  foreach(kind "" _sanitized)
    set(test example.${name})
    if(kind)
      set(test sanitized.${test})
    endif()
    if(EXISTS ${expected})
      add_test(NAME ${test} COMMAND bash -c "set -o pipefail; \"$0\" | diff \"$1\" -"
               $<TARGET_FILE:example_${name}${kind}> ${expected})
    else()
      add_test(NAME ${test} COMMAND example_${name}${kind})
    endif()
    set_tests_properties(${test} PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    if(kind)
      axode_sanitized_test(${test})
    endif()
  endforeach()
endforeach()

# Tests of the command by its own interface: one test for each class of cases in tests/cli and tests/docs.
if(TARGET axode_cli)
  file(GLOB files CONFIGURE_DEPENDS tests/cli/*_test.py tests/docs/*_test.py)
  foreach(file ${files})
    cmake_path(GET file STEM name)
    cmake_path(GET file PARENT_PATH folder)
    cmake_path(GET folder FILENAME folder)
    string(REPLACE _test "" name ${folder}_${name})
    file(STRINGS ${file} classes REGEX "^class [A-Za-z]+\\([A-Za-z.]+\\):")
    foreach(class ${classes})
      string(REGEX REPLACE "^class ([A-Za-z]+).*" "\\1" class ${class})
      if(classes MATCHES "\\(${class}\\)" OR class MATCHES "^(Client|Panel|Page)$")  # no cases
        continue()
      endif()
      foreach(kind "" _sanitized)
        set(test ${name}.${class})
        if(kind)
          set(test sanitized.${test})
        endif()
        add_test(NAME ${test} COMMAND python3 ${file} $<TARGET_FILE:axode_cli${kind}> ${class})
        if(kind)
          axode_sanitized_test(${test})
        endif()
      endforeach()
    endforeach()
  endforeach()
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
    ${PROJECT_SOURCE_DIR}/scripts/ctest/compile_fail ${file} ${CMAKE_CXX_COMPILER} -std=c++20
    -I${PROJECT_SOURCE_DIR} -I${PROJECT_BINARY_DIR}/include)
endforeach()

# Code for wide instruction sets must not leak into programs that run on lesser processors.
if(TARGET axode_lanes2)
  list(TRANSFORM axode_lanes REPLACE "(.+)" "$<TARGET_OBJECTS:axode_lanes\\1>"
       OUTPUT_VARIABLE objects)
  add_test(NAME lanes_symbols COMMAND ${PROJECT_SOURCE_DIR}/scripts/ctest/lanes_symbols ${objects}
           COMMAND_EXPAND_LISTS)
endif()

add_test(NAME install_and_use COMMAND
  ${PROJECT_SOURCE_DIR}/scripts/ctest/install ${PROJECT_BINARY_DIR} ${CMAKE_CXX_COMPILER})

# Runs, read by what others use; skipped where that cannot be fetched.
if(TARGET axode_cli)
  add_test(NAME run_readers COMMAND ${PROJECT_SOURCE_DIR}/scripts/ctest/readers
           $<TARGET_FILE:axode_cli>)
  set_tests_properties(run_readers PROPERTIES SKIP_RETURN_CODE 77 COST 100)  # the longest: first
endif()

file(GLOB files CONFIGURE_DEPENDS tests/scripts/*_test.py)
foreach(file ${files})
  cmake_path(GET file STEM name)
  add_test(NAME scripts.${name} COMMAND python3 ${file})
endforeach()
