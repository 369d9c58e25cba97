# axode_together(target n files...): compiles these sources of a target n at a time, those of different
# rooms (axode/<room>, tests/<room>) apart: in a fraction of the time if most of that is spent on the same headers. Names in their unnamed
# namespaces must differ, or these must lie in different namespaces. AXODE_UNITY=OFF compiles each for itself.
# If the variable <target>_level_<room> is set, the release build compiles that room with this option.
option(AXODE_UNITY "Compile sources several at a time" ON)
function(axode_together target n)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${AXODE_UNITY} UNITY_BUILD_MODE GROUP)
  set(count 0)
  foreach(file ${ARGN})
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path)
    string(REGEX MATCH "^[^/]+/[^/]+" room ${path})
    if(NOT room STREQUAL last OR count EQUAL n)
      string(REGEX REPLACE "^[^/]+/|\\.cpp$" "" group ${path})  # named after its first source
      string(REPLACE / _ group ${group})
      set(last ${room})
      set(count 0)
      string(REGEX REPLACE ".*/" "" name ${room})
      set(level ${${target}_level_${name}})
      if(level AND AXODE_UNITY)  # on the file that CMake makes: sources with options of their own stay alone
        set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/Unity/unity_${group}_cxx.cxx
                                    PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:${level}>)
      endif()
    endif()
    set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${group})
    if(level AND NOT AXODE_UNITY)
      set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:${level}>)
    endif()
    math(EXPR count "${count} + 1")
  endforeach()
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
    # Collecting garbage below half a GiB took a tenth of the time to compile.
    $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>
    $<$<BOOL:${AXODE_WERROR}>:-Werror>
    -fno-math-errno)
endfunction()
