# axode_sanitized: the library, and axode_cli_sanitized: the command, compiled with AddressSanitizer and
# UndefinedBehaviorSanitizer, with assertions. Not part of `all`: cmake --build --preset sanitized.
#
# The library is shared and calls its own copies of inline functions: those that a test, compiled once for both
# libraries and without sanitizers, has of the same functions do not take their place.
add_library(axode_sanitizers INTERFACE)
target_compile_options(axode_sanitizers INTERFACE
  -O1 -g1 -fno-omit-frame-pointer -UNDEBUG -D_GLIBCXX_ASSERTIONS
  -DEIGEN_MALLOC_ALREADY_ALIGNED=1  # as in objects without sanitizers
  -fsanitize=address,undefined
  -fno-sanitize=null,vptr,object-size,alignment,pointer-overflow -fno-sanitize-recover=all
  # g++ sees uninitialized members of empty std::optional behind the checks; the release build watches for them.
  -Wno-maybe-uninitialized)
target_link_options(axode_sanitizers INTERFACE -fsanitize=address,undefined)

add_library(axode_sanitized SHARED EXCLUDE_FROM_ALL)
target_include_directories(axode_sanitized SYSTEM PRIVATE ${axode_headers})
target_link_libraries(axode_sanitized PRIVATE axode_sanitizers ${axode_libraries} pugixml::pugixml
                      nlohmann_json::nlohmann_json Eigen3::Eigen)
target_link_options(axode_sanitized PRIVATE -Wl,-Bsymbolic-functions)
axode_own(axode_sanitized)
axode_together(axode_sanitized 8 ${sources})
axode_sources(axode_sanitized ${sources} ${PROJECT_BINARY_DIR}/page_data.cpp)

if(TARGET axode_cli)
  get_target_property(files axode_cli SOURCES)
  add_executable(axode_cli_sanitized EXCLUDE_FROM_ALL ${files})
  set_target_properties(axode_cli_sanitized PROPERTIES UNITY_BUILD ${AXODE_UNITY} UNITY_BUILD_MODE GROUP)
  target_include_directories(axode_cli_sanitized SYSTEM PRIVATE ${AXODE_BEAST} ${AXODE_CAIRO_INCLUDE})
  target_link_libraries(axode_cli_sanitized PRIVATE axode_sanitizers axode_sanitized CLI11::CLI11 fmt::fmt
                        Threads::Threads ${AXODE_CAIRO})
  axode_own(axode_cli_sanitized)
endif()
add_custom_target(sanitized DEPENDS axode_sanitized)
if(TARGET axode_cli)
  add_dependencies(sanitized axode_cli_sanitized)
endif()
