# axode_together(target n): compiles its sources n at a time, in a fraction of the time if most of that
# is spent on the same headers. Names in their unnamed namespaces must differ, or these must lie in
# different namespaces. AXODE_UNITY=OFF compiles each for itself.
option(AXODE_UNITY "Compile the sources of tests and of the command several at a time" ON)
function(axode_together target n)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${AXODE_UNITY} UNITY_BUILD_BATCH_SIZE ${n})
endfunction()

# axode_by_room(target n files...): the same for the sources of one folder; those of different folders are
# compiled apart.
function(axode_by_room target n)
  set(count 0)
  foreach(file ${ARGN})
    cmake_path(GET file PARENT_PATH folder)
    if(NOT folder STREQUAL last OR count EQUAL n)
      math(EXPR group "${group} + 1")
      set(count 0)
    endif()
    set(last ${folder})
    math(EXPR count "${count} + 1")
    cmake_path(GET folder FILENAME room)
    set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${room}_${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${AXODE_UNITY} UNITY_BUILD_MODE GROUP)
endfunction()

# axode_own(target): how we compile our own code. All of it is private, users inherit none of it.
function(axode_own target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/include)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wconversion
    # Sources that are compiled together see the constants and unnamed types of each other.
    $<IF:$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${AXODE_UNITY}>>,-Wshadow=local,-Wshadow>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>
    # g++ 12 is wrong about strings; the sanitized build watches bounds.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>
    $<$<BOOL:${AXODE_WERROR}>:-Werror>
    -fno-math-errno)
endfunction()
