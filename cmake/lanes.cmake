# axode_sources(target files...): adds sources to a target, those for several instruction sets once
# per set.
#
# A file named *_lanes.cpp, *_lanes_test.cpp or *_lanes_bench.cpp is compiled with AXODE_LANES = 2
# (the x86-64 baseline, or any other processor), 4 (AVX2) and 8 (AVX-512), each into the object
# library <target>_lanes<n>, always optimised. A library gets all widths and chooses at run time; an
# executable, which is ours and runs here, only those this processor has (one with sanitizers). Call after
# target_link_libraries: the object libraries take over what the target links.
include(CheckCXXSourceRuns)

set(axode_lanes 2)
set(axode_host_lanes 2)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(axode_lanes 2 4 8)
  set(axode_lanes_4_flags -mavx2 -mfma)
  set(axode_lanes_8_flags -mavx512f -mavx512dq -mavx512vl -mavx2 -mfma -mprefer-vector-width=512)
  set(supports "__builtin_cpu_supports")
  check_cxx_source_runs(
    "int main() { return !(${supports}(\"avx2\") && ${supports}(\"fma\")); }" AXODE_HOST_LANES_4)
  check_cxx_source_runs(
    "int main() { return !(${supports}(\"avx512f\") && ${supports}(\"avx512dq\") &&
                           ${supports}(\"avx512vl\")); }" AXODE_HOST_LANES_8)
  foreach(n 4 8)
    if(AXODE_HOST_LANES_${n})
      list(APPEND axode_host_lanes ${n})
    endif()
  endforeach()
endif()

function(axode_sources target)
  set(plain ${ARGN})
  set(wide ${ARGN})
  set(pattern "_lanes(_test|_bench)?\\.cpp$")
  list(FILTER plain EXCLUDE REGEX ${pattern})
  list(FILTER wide INCLUDE REGEX ${pattern})
  target_sources(${target} PRIVATE ${plain})
  if(NOT wide)
    return()
  endif()

  get_target_property(type ${target} TYPE)
  get_target_property(links ${target} LINK_LIBRARIES)
  get_target_property(together ${target} UNITY_BUILD)
  if(type STREQUAL "EXECUTABLE")
    set(axode_lanes ${axode_host_lanes})
    if(axode_sanitizers IN_LIST links)  # one width will do: the templates are the same
      set(axode_lanes 2)
    endif()
  endif()
  foreach(n ${axode_lanes})
    set(objects ${target}_lanes${n})
    add_library(${objects} OBJECT EXCLUDE_FROM_ALL ${wide})
    axode_own(${objects})
    if(together)
      axode_together(${objects} 8 ${wide})
    endif()
    target_compile_definitions(${objects} PRIVATE AXODE_LANES=${n})
    target_compile_options(${objects} PRIVATE ${axode_lanes_${n}_flags}
                           $<$<NOT:$<CONFIG:Release>>:-O2>)
    if(links)
      target_link_libraries(${objects} PRIVATE ${links})
    endif()
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
  endforeach()
endfunction()
